'use strict';

// The inside of a worker: its start-up, and the differences of its process object from the main thread's.

const { ArrayPrototypePush, ObjectDefineProperty, ReflectApply, SafeArrayIterator } = primordials;

const binding = internalBinding('worker');
const { codes: { ERR_WORKER_UNSUPPORTED_OPERATION } } = require('internal/errors');
const execution = require('internal/process/execution');
const { kOurs, kWhat } = require('internal/trace/events');

// The port to the runtime in the parent thread.
let port;
// Values exported by require('worker_threads').
const state = { parentPort: null, workerData: null, name: '' };
const streams = { __proto__: null, stdin: undefined, stdout: undefined, stderr: undefined };

// ---- The process object

// Functions that would change the whole process, which all threads share.
const unsupported = [
  'abort', 'chdir', 'initgroups', 'setegid', 'seteuid', 'setgid', 'setgroups', 'setuid',
];

function refuse(name) {
  function unavailable() {
    throw new ERR_WORKER_UNSUPPORTED_OPERATION(`process.${name}()`);
  }
  unavailable.disabled = true;
  process[name] = unavailable;
}

function refuseChannel() {
  for (const name of new SafeArrayIterator(['channel', 'connected'])) {
    ObjectDefineProperty(process, name, {
      __proto__: null,
      configurable: true,
      enumerable: false,
      get() { throw new ERR_WORKER_UNSUPPORTED_OPERATION(`process.${name}`); },
    });
  }
  refuse('send');
  refuse('disconnect');
}

function defineStream(name, make) {
  ObjectDefineProperty(process, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() { return streams[name] ??= make(name); },
    set(value) { streams[name] = value; },
  });
}

// `mayWrite`: the thread uses the standard streams of the process.
function patchProcess({ argv, cwdChanges, env, hasStdin, title }, mainName, mayWrite) {
  for (let i = 0; i < unsupported.length; i++) refuse(unsupported[i]);
  if (env !== undefined) process.env = require('internal/process/env').makeOwnEnv(env);
  // The IPC channel to the parent process belongs to the main thread.
  if (process.env.NODE_CHANNEL_FD) refuseChannel();
  process.cwd = require('internal/worker/cwd').makeCwd(cwdChanges, process.cwd);
  const { umask } = process;
  process.umask = function(mask) {
    if (mask !== undefined) throw new ERR_WORKER_UNSUPPORTED_OPERATION('Setting process.umask()');
    return umask();
  };
  ObjectDefineProperty(process, 'title', {
    __proto__: null, configurable: true, enumerable: true, get: () => title, set(value) { title = `${value}`; },
  });
  if (mayWrite) {
    if (env !== undefined) process.env = require('internal/process/env').makeOwnEnv(env);
    return;
  }
  // Created lazily, because many workers write nothing.
  const makeWriter = (name) => {
    const { PortWriter } = require('internal/worker/stdio');
    return new PortWriter(port, name);
  };
  defineStream('stdout', makeWriter);
  defineStream('stderr', makeWriter);
  defineStream('stdin', () => {
    const { PortReader } = require('internal/worker/stdio');
    const stream = new PortReader(port, 'stdin', hasStdin);
    if (!hasStdin) stream.finish();
    return stream;
  });
  process._rawDebug = function(...args) {
    const { format } = require('internal/util/inspect');
    process.stderr.write(`${ReflectApply(format, undefined, args)}\n`);
  };
  if (mainName !== undefined) ArrayPrototypePush(process.argv, mainName);
  if (argv !== undefined) ArrayPrototypePush(process.argv, ...argv);
  // Write all pending output before the thread exits.
  process.on('exit', flush);
  const { reallyExit } = process;
  process.reallyExit = function(code) {
    flush();
    reallyExit(code);
  };
}

function flush() {
  streams.stdout?.answer?.();
  streams.stderr?.answer?.();
}
flush[kWhat] = kOurs;

// ---- Messages from the parent thread

function onMessage(message) {
  switch (message.type) {
    case 'load':
      load(message);
      break;
    case 'stdio':
      process.stdin.receive(message.chunks);
      break;
    case 'stdioMore':
      streams[message.stream]?.answer?.();
      break;
    case 'heapSnapshot': {
      const { takePieces } = require('internal/heap_snapshot');
      port.postMessage({ type: 'answer', id: message.id, answer: takePieces(message.options) });
      break;
    }
    case 'heapStatistics':
      port.postMessage({ type: 'answer', id: message.id, answer: require('v8').getHeapStatistics() });
      break;
    case 'startCpuProfile':
    case 'stopCpuProfile':
    case 'startHeapProfile':
    case 'stopHeapProfile': {
      const { answer } = require('internal/worker/profile');
      port.postMessage({ type: 'answer', id: message.id, answer: answer(message.type, message.options) });
      break;
    }
    case 'cpuUsage':
      port.postMessage({ type: 'answer', id: message.id, answer: process.threadCpuUsage() });
      break;
  }
}

function load(message) {
  const { program } = message;
  const isFile = program.kind === 'file';
  const isRuntime = program.kind === 'runtime';
  patchProcess(message, isFile ? program.text : program.kind === 'script' ? '[worker eval]' : undefined, isRuntime);
  if (!isRuntime) {
    state.parentPort = message.publicPort;
    state.workerData = message.workerData;
  }
  state.name = message.name;
  require('internal/worker/environment_data').assignAll(message.environmentData);
  // From here on, only the program keeps the thread alive.
  port.unref();
  if (isRuntime) {
    require(program.text).start(message.workerData);
    return;
  }
  require('internal/process/pre_execution').loadPreloads();
  port.postMessage({ type: 'online' });
  const { evalText, executeUserEntryPoint, runURL } = require('internal/modules/run_main');
  if (isFile) executeUserEntryPoint(program.text);
  else if (program.kind === 'url') runURL(program.text);
  else evalText('[worker eval]', program.text, false);
}

// ---- Uncaught exceptions are sent to the parent

function onUncaughtException(error, isFromPromise) {
  let answer;
  try {
    answer = execution.onUncaughtException(error, isFromPromise);
  } catch (another) {
    error = another;
    answer = 1;
  }
  if (answer === true) return true;
  // The program replaced process._fatalException. As in Node, the parent then gets no 'error' event.
  if (typeof process._fatalException !== 'function') {
    process._rawDebug(execution.formatException(error));
    return answer;
  }
  let serialized;
  try {
    serialized = require('internal/worker/errors').serializeError(error);
  } catch {
    // The parent still gets an 'error' event, without the value.
  }
  flush();
  port.postMessage({ type: 'error', error: serialized });
  return answer;
}

function start() {
  require('internal/structured_clone').prepare();
  // --abort-on-uncaught-exception applies to the main thread only: workers report the error to their parent.
  internalBinding('task_queue').setAbortOnUncaught(false);
  port = binding.takePort();
  port.on('message', onMessage);
  require('internal/worker/direct').enter();
}

module.exports = { onUncaughtException, start, state };
