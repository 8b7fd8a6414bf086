'use strict';
// The object process.report, and its triggers: --report-on-signal, --report-uncaught-exception.

const { getFlag, hasFlag } = require('internal/options');
const { atFatalException } = require('internal/process/execution');
const { validateBoolean, validateObject, validateSignalName, validateString } = require('internal/validators');

const settings = {
  __proto__: null,
  directory: getFlag('report-directory') ?? '',
  filename: getFlag('report-filename') ?? '',
  isCompact: hasFlag('report-compact'),
  excludesEnv: hasFlag('report-exclude-env'),
  excludesNetwork: hasFlag('report-exclude-network'),
  signal: getFlag('report-signal') ?? 'SIGUSR2',
  onSignal: hasFlag('report-on-signal'),
  onFatalError: hasFlag('report-on-fatalerror'),
};

function onSignal(signal) {
  require('internal/process/report').writeReport(signal, 'Signal', undefined, '', settings);
}

// Reports are created by JavaScript, which cannot run when V8 is out of memory.
function warnOfFatalErrors() {
  process.emitWarning('Rondo does not write reports on fatal errors of V8');
}

function onException(error) {
  require('internal/process/report').writeReport('Exception', 'Exception', undefined, error, settings);
}

function listen() {
  if (settings.onSignal) process.on(settings.signal, onSignal);
}

function checkError(error) {
  if (error === undefined) return require('internal/process/report').makeSyntheticError();
  validateObject(error, 'err');
  return error;
}

const report = {
  writeReport(file, err) {
    if (typeof file === 'object' && file !== null) {
      err = file;
      file = undefined;
    } else if (file !== undefined) {
      validateString(file, 'file');
      file = require('internal/fs/utils').getValidatedPath(file);
    }
    return require('internal/process/report').writeReport('JavaScript API', 'API', file, checkError(err), settings);
  },
  getReport(err) {
    const { makeReport } = require('internal/process/report');
    return makeReport('JavaScript API', 'GetReport', null, checkError(err), settings);
  },
  get directory() { return settings.directory; },
  set directory(dir) {
    validateString(dir, 'directory');
    settings.directory = dir;
  },
  get filename() { return settings.filename; },
  set filename(name) {
    validateString(name, 'filename');
    settings.filename = name;
  },
  get compact() { return settings.isCompact; },
  set compact(b) {
    validateBoolean(b, 'compact');
    settings.isCompact = b;
  },
  get excludeNetwork() { return settings.excludesNetwork; },
  set excludeNetwork(b) {
    validateBoolean(b, 'excludeNetwork');
    settings.excludesNetwork = b;
  },
  get signal() { return settings.signal; },
  set signal(sig) {
    validateSignalName(sig, 'signal');
    process.removeListener(settings.signal, onSignal);
    settings.signal = sig;
    listen();
  },
  get reportOnFatalError() { return settings.onFatalError; },
  set reportOnFatalError(trigger) {
    validateBoolean(trigger, 'trigger');
    settings.onFatalError = trigger;
    if (trigger) warnOfFatalErrors();
  },
  get reportOnSignal() { return settings.onSignal; },
  set reportOnSignal(trigger) {
    validateBoolean(trigger, 'trigger');
    process.removeListener(settings.signal, onSignal);
    settings.onSignal = trigger;
    listen();
  },
  get reportOnUncaughtException() { return atFatalException.report !== null; },
  set reportOnUncaughtException(trigger) {
    validateBoolean(trigger, 'trigger');
    atFatalException.report = trigger ? onException : null;
  },
  get excludeEnv() { return settings.excludesEnv; },
  set excludeEnv(b) {
    validateBoolean(b, 'excludeEnv');
    settings.excludesEnv = b;
  },
};

// Called at start-up if one of the report options is set.
function start() {
  listen();
  if (settings.onFatalError) warnOfFatalErrors();
  if (hasFlag('report-uncaught-exception')) atFatalException.report = onException;
}

module.exports = { report, start };
