'use strict';
// Reads the environment and the command line at every start, before any user code runs.
const { Error, ObjectDefineProperty, ObjectPrototype, globalThis } = primordials;
const binding = internalBinding('process');
const { refreshOptions, getFlags, getFlag } = require('internal/options');
const { refreshWarnings } = require('internal/process/warnings');
const { initializeDebugEnv } = require('internal/util/debuglog');

const state = { source: '' };

function refreshProcess() {
  const info = binding.info();
  refreshOptions(info.flags);
  process.execPath = info.execPath;
  process.execArgv = info.execArgv;
  process.argv0 = info.argv0;
  process.pid = info.pid;
  process.argv = [info.execPath, ...info.args];
  state.source = info.source;
  if (getFlag('env-file') !== undefined || getFlag('env-file-if-exists') !== undefined) {
    require('internal/process/env_file').loadFromCommandLine(info.flags);
  }
  const limit = getFlag('stack-trace-limit');
  if (limit !== undefined) Error.stackTraceLimit = +limit;
  const proto = getFlag('disable-proto');
  if (proto !== undefined) disableProto(proto);
  const title = getFlag('title');
  if (title !== undefined) process.title = title;
  if (getFlag('trace-sigint') !== undefined && internalBinding('worker').threadId() === 0) {
    require('internal/util/trace_sigint').setTraceSigInt(true);
  }
  refreshWarnings();
  refreshGlobals();
  if (getFlag('report-uncaught-exception') !== undefined || getFlag('report-on-signal') !== undefined ||
      getFlag('report-on-fatalerror') !== undefined) {
    require('internal/process/report_settings').start();
  }
  initializeDebugEnv(process.env.NODE_DEBUG);
  if (process.env.NODE_COMPILE_CACHE) require('internal/modules/compile_cache').enableFromEnvironment();
  if (getFlag('experimental-test-coverage') !== undefined) require('internal/coverage').begin();
  else if (process.env.NODE_V8_COVERAGE) require('internal/coverage').startFromEnvironment();
  if (process.env.NODE_CHANNEL_FD !== undefined) require('internal/child_process/parent').refreshChannel();
}

// Removes the globals that the command line disables.
function refreshGlobals() {
  if (getFlag('no-experimental-websocket') !== undefined) {
    delete globalThis.WebSocket;
    delete globalThis.CloseEvent;
  }
  if (getFlag('experimental-eventsource') === undefined) delete globalThis.EventSource;
  if (getFlag('no-experimental-global-navigator') !== undefined) {
    delete globalThis.Navigator;
    delete globalThis.navigator;
  }
  if (getFlag('use-env-proxy') !== undefined || process.env.NODE_USE_ENV_PROXY === '1') {
    const { HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy } = process.env;
    if (HTTP_PROXY || HTTPS_PROXY || http_proxy || https_proxy) require('internal/fetch/proxy').useEnvironment();
  }
}

// Implements --disable-proto=delete and --disable-proto=throw.
function disableProto(mode) {
  if (mode === 'delete') {
    delete ObjectPrototype.__proto__; // eslint-disable-line no-proto
    return;
  }
  const { codes: { ERR_PROTO_ACCESS } } = require('internal/errors');
  const refuse = () => { throw new ERR_PROTO_ACCESS(); };
  ObjectDefineProperty(ObjectPrototype, '__proto__', {
    __proto__: null, configurable: false, enumerable: false, get: refuse, set: refuse,
  });
}

// Makes process.argv[1] the absolute path of the program, before preloaded modules run.
function resolveScript() {
  if (getFlag('entry-url') === undefined) process.argv[1] = require('path').resolve(process.argv[1]);
}

function loadPreloads(mode) {
  runPreloads(mode);
  if (getFlag('frozen-intrinsics') === undefined) return;
  require('internal/util').emitExperimentalWarning('Frozen intristics'); // Spelled as in Node.
  require('internal/freeze_intrinsics')();
}

function runPreloads(mode) {
  const required = getFlags('require');
  const imported = getFlags('import');
  const loaders = getFlags('experimental-loader');
  if (required.length === 0 && imported.length === 0 && loaders.length === 0) return;
  if (mode === 'run_main') resolveScript();
  require('internal/modules/run_main').loadPreload(required);
  if (loaders.length > 0) require('internal/modules/esm/customize').registerFromCommandLine(loaders);
}

module.exports = { refreshProcess, loadPreloads, resolveScript, state };
