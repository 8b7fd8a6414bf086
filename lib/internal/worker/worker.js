'use strict';

// The class Worker: a thread from the perspective of its parent. Two channels connect them: one between both sides of
// the runtime (the other side is internal/worker/thread), for the program to run, standard streams and uncaught errors,
// and one for the program's own messages.

const {
  ArrayPrototypeMap,
  ArrayPrototypePush,
  Float64Array,
  MathMax,
  NumberMAX_SAFE_INTEGER,
  ObjectKeys,
  Promise,
  PromiseReject,
  PromiseResolve,
  ReflectApply,
  RegExpPrototypeExec,
  SafeMap,
  String,
  StringPrototypeTrim,
  Symbol,
  SymbolFor,
} = primordials;

const binding = internalBinding('worker');
const messaging = internalBinding('messaging');
const { channel } = require('diagnostics_channel');
const EventEmitter = require('events');
const path = require('path');
const {
  codes: {
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_WORKER_INIT_FAILED,
    ERR_WORKER_INVALID_EXEC_ARGV,
    ERR_WORKER_NOT_RUNNING,
    ERR_WORKER_OUT_OF_MEMORY,
    ERR_WORKER_PATH,
    ERR_WORKER_UNSERIALIZABLE_ERROR,
  },
} = require('internal/errors');
const { bindListener, hooks, listenerOf } = require('internal/async_hooks');
const { kListener } = require('internal/trace/events');
const { validateArray, validateNumber, validateObject, validateString } = require('internal/validators');
const { SymbolAsyncDispose, kEmptyObject } = require('internal/util');
const { fileURLToPath, isURL } = require('internal/url');
const { prepare } = require('internal/structured_clone');
const { MessageChannel } = require('internal/worker/port');
const { PortWriter, WorkerOutput } = require('internal/worker/stdio');
const { sharedChanges } = require('internal/worker/cwd');
const environmentData = require('internal/worker/environment_data');

const workers = channel('worker_threads');
const SHARE_ENV = SymbolFor('nodejs.worker_threads.SHARE_ENV');

const { kNoLoop, kNoThread, kOutOfMemory } = binding;

const limitNames = ['maxYoungGenerationSizeMb', 'maxOldGenerationSizeMb', 'codeRangeSizeMb', 'stackSizeMb'];

const kOldGeneration = 1;
const kLeastOldGeneration = 2;

function limitsFrom(values) {
  const limits = {};
  for (let i = 0; i < limitNames.length; i++) limits[limitNames[i]] = values[i];
  return limits;
}

function readLimits(options) {
  const values = new Float64Array(limitNames.length);
  values[3] = 4;
  if (options === null || typeof options !== 'object') return values;
  for (let i = 0; i < limitNames.length; i++) {
    const value = options[limitNames[i]];
    if (typeof value === 'number') values[i] = value > 0 ? value : values[i];
    // As in Node, 0 means the smallest possible size.
    if (typeof value === 'number' && i === kOldGeneration) values[i] = MathMax(value, kLeastOldGeneration);
  }
  return values;
}

// Internal option: the worker runs a module of lib and writes to the standard streams directly.
const kRuntimeProgram = Symbol('kRuntimeProgram');

// Returns the program to run, as { kind: 'file' | 'script' | 'url' | 'runtime', text }.
function readProgram(filename, options) {
  if (options[kRuntimeProgram]) return { kind: 'runtime', text: filename };
  if (options.eval) {
    if (typeof filename !== 'string') {
      throw new ERR_INVALID_ARG_VALUE('options.eval', options.eval, "must be false when 'filename' is not a string");
    }
    return { kind: 'script', text: filename };
  }
  if (isURL(filename)) {
    if (filename.protocol === 'data:') return { kind: 'url', text: `${filename}` };
    return { kind: 'file', text: fileURLToPath(filename) };
  }
  if (typeof filename !== 'string') throw new ERR_INVALID_ARG_TYPE('filename', ['string', 'URL'], filename);
  if (path.isAbsolute(filename) || RegExpPrototypeExec(/^\.\.?[\\/]/, filename) !== null) {
    return { kind: 'file', text: path.resolve(filename) };
  }
  throw new ERR_WORKER_PATH(filename);
}

// Returns the variables as pairs; undefined if the worker shares the environment of the process.
function readEnv(env) {
  if (env === SHARE_ENV) return undefined;
  if (env === undefined || env === null) env = process.env;
  if (typeof env !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('options.env', ['object', 'undefined', 'null', 'worker_threads.SHARE_ENV'], env);
  }
  const pairs = [];
  const names = ObjectKeys(env);
  for (let i = 0; i < names.length; i++) ArrayPrototypePush(pairs, [names[i], `${env[names[i]]}`]);
  return pairs;
}

// Returns the NODE_OPTIONS of a worker that does not inherit its parent's options. The parent's own value is not
// validated again.
function readNodeOptions({ env, execArgv }) {
  const hasEnv = typeof env === 'object' && env !== null;
  if (!hasEnv && !execArgv) return undefined;
  const { NODE_OPTIONS: own = '' } = process.env;
  const text = hasEnv ? `${env.NODE_OPTIONS ?? ''}` : own;
  if (text !== own) {
    const refused = binding.checkNodeOptions(text);
    if (refused.length > 0) throw new ERR_WORKER_INVALID_EXEC_ARGV(refused, 'invalid NODE_OPTIONS env variable');
  }
  return text;
}

class Worker extends EventEmitter {
  #handle;
  #port; // The channel between the two sides of the runtime.
  #publicPort;
  #throwsInTick = false; // True if the last received error has no listener.
  #threadId;
  #name;
  #limits;
  #stdin = null;
  #stdout;
  #stderr;
  #hasRef = true; // Undefined once the thread has ended.
  #isOnline = false;
  #lastQuestion = 0;
  #questions = new SafeMap(); // Pending requests.

  constructor(filename, options = kEmptyObject) {
    super();
    options ??= kEmptyObject;
    if (options.execArgv) validateArray(options.execArgv, 'options.execArgv');
    let argv;
    if (options.argv) {
      validateArray(options.argv, 'options.argv');
      argv = ArrayPrototypeMap(options.argv, (value) => String(value));
    }
    const program = readProgram(filename, options);
    const env = readEnv(options.env);
    let name = 'WorkerThread';
    if (options.name) {
      validateString(options.name, 'options.name');
      name = StringPrototypeTrim(options.name);
    }
    let execArgv;
    if (options.execArgv) {
      execArgv = ArrayPrototypeMap(options.execArgv, (value) => String(value));
      const refused = binding.checkExecArgv(execArgv);
      if (refused.length > 0) throw new ERR_WORKER_INVALID_EXEC_ARGV(refused);
    }
    const nodeOptions = readNodeOptions(options);
    this.#name = name;
    const limits = readLimits(options.resourceLimits);
    prepare();
    const onExit = bindListener('WORKER', (code, failure) => this.#onExit(code, failure),
      () => listenerOf(this, 'exit'), false,
      hooks.active ? { hasRef: () => this.#hasRef } : undefined);
    const { 0: handle, 1: port, 2: threadId } =
      binding.make(execArgv, limits, !!(options.trackUnmanagedFds ?? true), onExit,
        nodeOptions);
    this.#handle = handle;
    this.#port = port;
    this.#threadId = threadId;
    this.#limits = limits;
    try {
      this.#connect(program, { argv, env, name, options });
    } catch (error) {
      port.close();
      binding.discard(handle);
      throw error;
    }
    if (!binding.start(handle)) {
      this.#handle = null;
      port.close();
      this.#publicPort.close();
      throw new ERR_WORKER_INIT_FAILED('ERR_WORKER_INIT_FAILED');
    }
    if (program.kind === 'runtime') return; // Not a worker of the program.
    process.nextTick(emitWorker, this);
    if (workers.hasSubscribers) workers.publish({ worker: this });
  }

  // Creates the public message channel, and posts the settings with which the thread starts.
  #connect(program, { argv, env, name, options }) {
    const port = this.#port;
    const { port1, port2 } = new MessageChannel();
    this.#publicPort = port1;
    const transfer = [port2];
    const { transferList } = options;
    for (let i = 0; i < (transferList?.length ?? 0); i++) ArrayPrototypePush(transfer, transferList[i]);
    try {
      port.postMessage({
        type: 'load',
        program,
        argv,
        env,
        name,
        workerData: options.workerData,
        environmentData: environmentData.takeAll(),
        publicPort: port2,
        cwdChanges: sharedChanges(),
        hasStdin: !!options.stdin,
        title: process.title,
      }, transfer);
    } catch (error) {
      port1.close();
      throw error;
    }
    if (options.stdin) this.#stdin = new PortWriter(port, 'stdin');
    this.#stdout = new WorkerOutput(port, 'stdout', !options.stdout);
    this.#stderr = new WorkerOutput(port, 'stderr', !options.stderr);
    port.on('message', (message) => this.#onRuntimeMessage(message));
    // The worker itself keeps the loop alive.
    port.unref();
    const onMessage = (message) => this.emit('message', message);
    if (hooks.active) onMessage[kListener] = () => listenerOf(this, 'message');
    port1.on('message', onMessage);
    port1.on('messageerror', (error) => this.emit('messageerror', error));
    port1.unref();
    // A program that listens for messages waits for them, even if it has unref'd the worker.
    this.on('newListener', (event) => {
      if (event === 'message' && this.listenerCount('message') === 0) port1.ref();
    });
    this.on('removeListener', (event) => {
      if (event === 'message' && this.listenerCount('message') === 0) port1.unref();
    });
  }

  #onRuntimeMessage(message) {
    switch (message.type) {
      case 'online':
        this.#isOnline = true;
        this.emit('online');
        break;
      case 'stdio':
        (message.stream === 'stdout' ? this.#stdout : this.#stderr).receive(message);
        break;
      case 'stdioMore':
        this.#stdin?.answer();
        break;
      case 'answer':
        this.#onAnswer(message);
        break;
      case 'error': {
        const { deserializeError } = require('internal/worker/errors');
        // Deliver the messages that the worker posted before the error: they are on the other port.
        messaging.drain(this.#publicPort);
        // Without a listener, the port throws the error in the next tick.
        this.#throwsInTick = this.listenerCount('error') === 0;
        this.emit('error', message.error === undefined ?
          new ERR_WORKER_UNSERIALIZABLE_ERROR() : deserializeError(message.error));
        break;
      }
    }
  }

  #onExit(code, failure) {
    // Deliver the messages that the worker sent before it ended.
    this.#throwsInTick = false;
    messaging.drain(this.#publicPort);
    messaging.drain(this.#port);
    if (this.#throwsInTick) process.nextTick(() => this.#end(code, failure));
    else this.#end(code, failure);
  }

  #end(code, failure) {
    this.#publicPort.unref();
    this.#publicPort.close();
    this.#port.close();
    this.#handle = null;
    this.#threadId = -1;
    this.#stdout.finish();
    this.#stderr.finish();
    this.#stdin?.destroy();
    this.#questions.forEach(({ reject }) => reject(new ERR_WORKER_NOT_RUNNING()));
    this.#questions.clear();
    if (failure === kOutOfMemory) this.emit('error', new ERR_WORKER_OUT_OF_MEMORY('JS heap out of memory'));
    else if (failure === kNoLoop || failure === kNoThread) this.emit('error', new ERR_WORKER_INIT_FAILED('EMFILE'));
    try {
      this.emit('exit', code);
    } finally {
      this.#hasRef = undefined;
    }
  }

  postMessage(...args) {
    if (this.#handle === null) return;
    ReflectApply(this.#publicPort.postMessage, this.#publicPort, args);
  }

  terminate(callback) {
    if (typeof callback === 'function') {
      process.emitWarning('Passing a callback to worker.terminate() is deprecated. It returns a Promise instead.',
        'DeprecationWarning', 'DEP0132');
      if (this.#handle === null) return PromiseResolve();
      this.once('exit', (code) => callback(null, code));
    }
    if (this.#handle === null) return PromiseResolve();
    this.ref();
    binding.stop(this.#handle);
    return new Promise((resolve) => this.once('exit', resolve));
  }

  ref() {
    if (this.#handle === null) return;
    this.#hasRef = true;
    this.#handle.ref();
    this.#publicPort.ref();
  }

  unref() {
    if (this.#handle === null) return;
    this.#hasRef = false;
    this.#handle.unref();
    this.#publicPort.unref();
  }

  get threadId() {
    return this.#threadId;
  }

  get threadName() {
    return this.#handle === null ? null : this.#name;
  }

  get stdin() {
    return this.#stdin;
  }

  get stdout() {
    return this.#stdout.stream;
  }

  get stderr() {
    return this.#stderr.stream;
  }

  get resourceLimits() {
    return this.#handle === null ? {} : limitsFrom(this.#limits);
  }

  // The thread takes the snapshot itself, in a turn of its loop.
  getHeapSnapshot(options) {
    const wanted = require('internal/heap_snapshot').checkOptions(options);
    return this.#request('heapSnapshot', wanted, (pieces) => {
      const { HeapSnapshotStream } = require('internal/heap_snapshot');
      return new HeapSnapshotStream(pieces);
    });
  }

  getHeapStatistics() {
    return this.#request('heapStatistics', undefined, (statistics) => statistics);
  }

  // The CPU time of the thread, or the difference to an earlier result.
  cpuUsage(prev) {
    if (prev) {
      validateObject(prev, 'prev');
      validateNumber(prev.user, 'prev.user', 0, NumberMAX_SAFE_INTEGER);
      validateNumber(prev.system, 'prev.system', 0, NumberMAX_SAFE_INTEGER);
    }
    return this.#request('cpuUsage', undefined, ({ user, system }) => ({
      user: user - (prev ? prev.user : 0),
      system: system - (prev ? prev.system : 0),
    }));
  }

  // Also recorded by the thread itself. Returns JSON.
  startCpuProfile(options) {
    const request = (type, wanted, read) => this.#request(type, wanted, read);
    return require('internal/worker/profile').startCpuProfile(request, options);
  }

  startHeapProfile(options) {
    const request = (type, wanted, read) => this.#request(type, wanted, read);
    return require('internal/worker/profile').startHeapProfile(request, options);
  }

  // Sends a request to the runtime in the thread. Returns a promise of `read(answer)`.
  #request(type, options, read) {
    if (this.#handle === null || !this.#isOnline) return PromiseReject(new ERR_WORKER_NOT_RUNNING());
    return new Promise((resolve, reject) => {
      const id = ++this.#lastQuestion;
      this.#questions.set(id, { resolve, reject, read });
      this.#port.postMessage({ type, id, options });
    });
  }

  #onAnswer({ id, answer }) {
    const { resolve, reject, read } = this.#questions.get(id);
    this.#questions.delete(id);
    let result;
    try {
      result = read(answer);
    } catch (error) {
      reject(error);
      return;
    }
    resolve(result);
  }

  // Created on first use, because few programs need it.
  #performance;
  get performance() {
    return this.#performance ??= {
      eventLoopUtilization: (util1, util2) => this.#eventLoopUtilization(util1, util2),
    };
  }

  #eventLoopUtilization(util1, util2) {
    const { compareUtilization } = require('internal/perf/node_timing');
    const times = this.#handle === null || !this.#isOnline ? undefined : binding.loopTimes(this.#handle);
    if (times === undefined) return { idle: 0, active: 0, utilization: 0 };
    const { 0: idle, 1: now } = times;
    return compareUtilization(idle, now - idle, util1, util2);
  }
}

Worker.prototype[SymbolAsyncDispose] = async function() {
  await this.terminate();
};

function emitWorker(worker) {
  process.emit('worker', worker);
}

module.exports = { SHARE_ENV, Worker, kRuntimeProgram, limitsFrom };
