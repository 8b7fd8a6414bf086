'use strict';
// process.emitWarning(), and the output of warnings on stderr.
const {
  ArrayIsArray,
  Error,
  ErrorCaptureStackTrace,
  ErrorPrototypeToString,
  SafeArrayIterator,
  String,
} = primordials;
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateString } = require('internal/validators');
const { getFlag, getFlags, hasFlag } = require('internal/options');

let saidHowToTrace = false;

function isSilent(warning) {
  return hasFlag('no-warnings') || process.env.NODE_NO_WARNINGS === '1' ||
    (warning.name === 'DeprecationWarning' && process.noDeprecation);
}

// Implements --disable-warning=CODE and --disable-warning=TYPE.
function isDisabled(warning) {
  const disabled = getFlags('disable-warning');
  for (let i = 0; i < disabled.length; i++) {
    if (disabled[i] === warning.code || disabled[i] === warning.name) return true;
  }
  return false;
}

// The default listener for 'warning'.
function onWarning(warning) {
  if (!(warning instanceof Error)) return;
  const isDeprecation = warning.name === 'DeprecationWarning';
  if (isSilent(warning) || isDisabled(warning)) return;
  const trace = process.traceProcessWarnings || (isDeprecation && process.traceDeprecation);
  let message = `(node:${process.pid}) `;
  if (warning.code) message += `[${warning.code}] `;
  if (trace && warning.stack) {
    message += `${warning.stack}`;
  } else {
    message += typeof warning.toString === 'function' ? `${warning.toString()}` : ErrorPrototypeToString(warning);
  }
  if (typeof warning.detail === 'string') message += `\n${warning.detail}`;
  if (!trace && !saidHowToTrace) {
    saidHowToTrace = true;
    const flag = isDeprecation ? '--trace-deprecation' : '--trace-warnings';
    message += `\n(Use \`${commandName()} ${flag} ...\` to show where the warning was created)`;
  }
  writeOut(message);
}

// Writes a warning to the file of --redirect-warnings, otherwise to process.stderr, which the program may have
// replaced.
function writeOut(message) {
  const file = getFlag('redirect-warnings') ?? process.env.NODE_REDIRECT_WARNINGS;
  if (file) {
    try {
      require('fs').appendFileSync(file, `${message}\n`);
      return;
    } catch {
      // The file cannot be written: fall back to stderr.
    }
  }
  require('internal/console/global').error(message);
}

function commandName() {
  return require('path').basename(process.argv0 || 'rondo', '.exe');
}

function emitWarning(warning, type, code, ctor) {
  let detail;
  if (type !== null && typeof type === 'object' && !ArrayIsArray(type)) {
    ctor = type.ctor;
    code = type.code;
    if (typeof type.detail === 'string') detail = type.detail;
    type = type.type || 'Warning';
  } else if (typeof type === 'function') {
    ctor = type;
    code = '';
    type = 'Warning';
  }
  if (type !== undefined) validateString(type, 'type');
  if (typeof code === 'function') {
    ctor = code;
    code = '';
  } else if (code !== undefined) {
    validateString(code, 'code');
  }
  if (typeof warning === 'string') {
    warning = createWarning(warning, type, code, ctor, detail);
  } else if (!(warning instanceof Error)) {
    throw new ERR_INVALID_ARG_TYPE('warning', ['Error', 'string'], warning);
  }
  if (warning.name === 'DeprecationWarning') {
    if (process.noDeprecation) return;
    if (process.throwDeprecation) {
      // Throw from a tick, because the caller of the deprecated function does not expect an exception.
      return process.nextTick(() => { throw warning; });
    }
  }
  process.nextTick(doEmitWarning, warning);
}

// Emits a warning synchronously, for callers that throw right after it.
function emitWarningSync(message) {
  process.emit('warning', createWarning(message, undefined, undefined, emitWarningSync));
}

function doEmitWarning(warning) {
  process.emit('warning', warning);
}

function createWarning(message, type, code, ctor, detail) {
  const limit = Error.stackTraceLimit;
  const warning = new Error(message);
  if (typeof limit === 'number') Error.stackTraceLimit = limit;
  warning.name = String(type || 'Warning');
  if (code) warning.code = code;
  if (detail !== undefined) warning.detail = detail;
  ErrorCaptureStackTrace(warning, ctor || process.emitWarning);
  return warning;
}

// Called at start-up, when the options are known.
function refreshWarnings() {
  for (const { 0: flag, 1: name } of new SafeArrayIterator([
    ['no-deprecation', 'noDeprecation'],
    ['throw-deprecation', 'throwDeprecation'],
    ['trace-deprecation', 'traceDeprecation'],
    ['trace-warnings', 'traceProcessWarnings'],
  ])) {
    if (hasFlag(flag)) process[name] = true;
  }
}

// Methods become properties of process.
module.exports = { emitWarningSync, methods: { emitWarning }, onWarning, refreshWarnings };
