'use strict';

// node:child_process: spawns, executes and forks other programs.

const {
  ArrayIsArray,
  ArrayPrototypeIncludes,
  ArrayPrototypeJoin,
  ArrayPrototypeLastIndexOf,
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  ArrayPrototypeSplice,
  ArrayBufferIsView,
  Boolean,
  ObjectAssign,
  ObjectDefineProperty,
  SafeArrayIterator,
  StringPrototypeSlice,
} = primordials;

const {
  AbortError,
  codes: {
    ERR_CHILD_PROCESS_IPC_REQUIRED,
    ERR_CHILD_PROCESS_STDIO_MAXBUFFER,
    ERR_INVALID_ARG_TYPE,
  },
  genericNodeError,
} = require('internal/errors');
const {
  SymbolDispose,
  createDeferredPromise,
  getSystemErrorName,
  promisify: { custom: promisifyCustom },
} = require('internal/util');
const { validateAbortSignal, validateArray, validateObject } = require('internal/validators');
const {
  checkAllNoZero,
  checkNoZero,
  normalizeExecArgs,
  normalizeExecFileArgs,
  normalizeSpawnArguments,
  pathOf,
  sanitizeKillSignal,
  validateMaxBuffer,
  validateTimeout,
} = require('internal/child_process/arguments');
const workings = require('internal/child_process');
const { ChildProcess, getValidStdio, stdioStringToArray } = workings;

const kMaxBuffer = 1024 * 1024;

function abortChild(child, killSignal, reason) {
  try {
    if (child.kill(killSignal)) child.emit('error', new AbortError(undefined, { cause: reason }));
  } catch (error) {
    child.emit('error', error);
  }
}

function killAfter(child, timeout, killSignal) {
  const { clearTimeout, setTimeout } = require('timers');
  let timer = setTimeout(() => {
    timer = null;
    try {
      child.kill(killSignal);
    } catch (error) {
      child.emit('error', error);
    }
  }, timeout);
  child.once('exit', () => {
    if (timer !== null) clearTimeout(timer);
  });
}

function killOnAbort(child, signal, killSignal) {
  const onAbort = () => abortChild(child, killSignal, signal.reason);
  if (signal.aborted) {
    process.nextTick(onAbort);
    return;
  }
  const { addAbortListener } = require('internal/events/targets');
  const disposable = addAbortListener(signal, onAbort);
  child.once('exit', () => disposable[SymbolDispose]());
}

function spawn(file, args, options) {
  options = normalizeSpawnArguments(file, args, options);
  validateTimeout(options.timeout);
  validateAbortSignal(options.signal, 'options.signal');
  const killSignal = sanitizeKillSignal(options.killSignal);
  const child = new ChildProcess();
  child.spawn(options);
  if (options.timeout > 0) killAfter(child, options.timeout, killSignal);
  if (options.signal) killOnAbort(child, options.signal, killSignal);
  return child;
}

// Returns process.execArgv without the source code of -e, which child processes must not run again.
function execArgvWithoutEval() {
  const { source } = require('internal/process/pre_execution').state;
  const { execArgv } = process;
  const index = source === '' ? -1 : ArrayPrototypeLastIndexOf(execArgv, source);
  if (index <= 0) return execArgv;
  const rest = ArrayPrototypeSlice(execArgv);
  ArrayPrototypeSplice(rest, index - 1, 2);
  return rest;
}

function fork(modulePath, args = [], options) {
  modulePath = pathOf(modulePath, 'modulePath');
  if (args === undefined || args === null) {
    args = [];
  } else if (typeof args === 'object' && !ArrayIsArray(args)) {
    options = args;
    args = [];
  } else {
    validateArray(args, 'args');
  }
  if (options !== undefined && options !== null) validateObject(options, 'options');
  options = { __proto__: null, ...options, shell: false };
  options.execPath ||= process.execPath;
  checkNoZero(options.execPath, 'options.execPath');
  const execArgv = options.execArgv || execArgvWithoutEval();
  checkAllNoZero(execArgv, 'options.execArgv');
  args = [...execArgv, modulePath, ...args];
  if (typeof options.stdio === 'string') {
    options.stdio = stdioStringToArray(options.stdio, 'ipc');
  } else if (!ArrayIsArray(options.stdio)) {
    options.stdio = stdioStringToArray(options.silent ? 'pipe' : 'inherit', 'ipc');
  } else if (!ArrayPrototypeIncludes(options.stdio, 'ipc')) {
    throw new ERR_CHILD_PROCESS_IPC_REQUIRED('options.stdio');
  }
  return spawn(options.execPath, args, options);
}

function exec(command, options, callback) {
  const normalized = normalizeExecArgs(command, options, callback);
  return module.exports.execFile(normalized.file, normalized.options, normalized.callback);
}

// Collects the output of one stream of a child, up to a limit.
class Collected {
  #chunks = [];
  #size = 0;
  #stream;
  #most;
  #isText;

  constructor(stream, encoding, most, onTooMuch) {
    this.#stream = stream;
    this.#most = most;
    this.#isText = encoding !== null;
    if (!stream) return;
    if (encoding !== null) stream.setEncoding(encoding);
    stream.on('data', (chunk) => {
      if (!this.#add(chunk)) onTooMuch();
    });
  }

  #add(chunk) {
    if (this.#most === Infinity) {
      ArrayPrototypePush(this.#chunks, chunk);
      return true;
    }
    const encoding = this.#stream.readableEncoding;
    const { Buffer } = require('buffer');
    const size = encoding ? Buffer.byteLength(chunk, encoding) : chunk.length;
    const room = this.#most - this.#size;
    this.#size += size;
    if (size <= room) {
      ArrayPrototypePush(this.#chunks, chunk);
      return true;
    }
    ArrayPrototypePush(this.#chunks, encoding ? StringPrototypeSlice(chunk, 0, room) : chunk.subarray(0, room));
    return false;
  }

  get value() {
    if (this.#isText || this.#stream?.readableEncoding) return ArrayPrototypeJoin(this.#chunks, '');
    return require('buffer').Buffer.concat(this.#chunks);
  }
}

const execFileDefaults = {
  __proto__: null,
  encoding: 'utf8',
  timeout: 0,
  maxBuffer: kMaxBuffer,
  killSignal: 'SIGTERM',
  cwd: null,
  env: null,
  shell: false,
};

function spawnForExec(file, args, options) {
  return spawn(file, args, {
    __proto__: null,
    cwd: options.cwd,
    env: options.env,
    gid: options.gid,
    shell: options.shell,
    signal: options.signal,
    uid: options.uid,
    windowsHide: Boolean(options.windowsHide),
    windowsVerbatimArguments: Boolean(options.windowsVerbatimArguments),
  });
}

function execFile(file, args, options, callback) {
  ({ file, args, options, callback } = normalizeExecFileArgs(file, args, options, callback));
  options = { __proto__: null, ...execFileDefaults, ...options };
  validateTimeout(options.timeout);
  validateMaxBuffer(options.maxBuffer);
  options.killSignal = sanitizeKillSignal(options.killSignal);
  const child = spawnForExec(file, args, options);

  const { Buffer } = require('buffer');
  const encoding = options.encoding !== 'buffer' && Buffer.isEncoding(options.encoding) ? options.encoding : null;
  let isOver = false;
  let wasKilled = false;
  let failure = null;
  let timer = null;

  function finish(code = 0, signal = null) {
    if (isOver) return;
    isOver = true;
    if (timer !== null) require('timers').clearTimeout(timer);
    if (!callback) return;
    const out = stdout.value;
    const err = stderr.value;
    if (failure === null && code === 0 && signal === null) {
      callback(null, out, err);
      return;
    }
    const command = args?.length ? `${file} ${ArrayPrototypeJoin(args, ' ')}` : file;
    failure ??= genericNodeError(`Command failed: ${command}\n${err}`, {
      code: code < 0 ? getSystemErrorName(code) : code,
      killed: child.killed || wasKilled,
      signal,
    });
    failure.cmd = command;
    callback(failure, out, err);
  }

  function letGo() {
    if (child.stdout) child.stdout.destroy();
    if (child.stderr) child.stderr.destroy();
  }

  function kill() {
    letGo();
    wasKilled = true;
    try {
      child.kill(options.killSignal);
    } catch (error) {
      failure = error;
      finish();
    }
  }

  function onTooMuch(name) {
    failure = new ERR_CHILD_PROCESS_STDIO_MAXBUFFER(name);
    kill();
  }

  if (options.timeout > 0) {
    timer = require('timers').setTimeout(() => {
      timer = null;
      kill();
    }, options.timeout);
  }
  const stdout = new Collected(child.stdout, encoding, options.maxBuffer, () => onTooMuch('stdout'));
  const stderr = new Collected(child.stderr, encoding, options.maxBuffer, () => onTooMuch('stderr'));
  child.on('close', finish);
  child.on('error', (error) => {
    failure = error;
    letGo();
    finish();
  });
  return child;
}

// The promise of exec() and execFile() has the property `child`; its error has the output of the child.
function promisified(original) {
  return (...args) => {
    const { promise, resolve, reject } = createDeferredPromise();
    promise.child = original(...new SafeArrayIterator(args), (error, stdout, stderr) => {
      if (error === null) {
        resolve({ stdout, stderr });
        return;
      }
      error.stdout = stdout;
      error.stderr = stderr;
      reject(error);
    });
    return promise;
  };
}
for (const original of new SafeArrayIterator([exec, execFile])) {
  const value = promisified(original);
  ObjectDefineProperty(value, 'name', { __proto__: null, configurable: true, value: original.name });
  ObjectDefineProperty(original, promisifyCustom, { __proto__: null, enumerable: false, value });
}

// Converts the `input` option to the bytes that are written to the child's stdin.
function inputOf(value, name, encoding) {
  if (ArrayBufferIsView(value)) return value;
  if (typeof value === 'string') return require('buffer').Buffer.from(value, encoding);
  throw new ERR_INVALID_ARG_TYPE(name, ['Buffer', 'TypedArray', 'DataView', 'string'], value);
}

function spawnSync(file, args, options) {
  options = { __proto__: null, maxBuffer: kMaxBuffer, ...normalizeSpawnArguments(file, args, options) };
  validateTimeout(options.timeout);
  validateMaxBuffer(options.maxBuffer);
  options.killSignal = sanitizeKillSignal(options.killSignal);
  options.stdio = getValidStdio(options.stdio || 'pipe', true).stdio;
  if (options.input !== undefined && options.input !== null) {
    const encoding = options.encoding === 'buffer' ? undefined : options.encoding;
    options.stdio[0] = { ...options.stdio[0], input: inputOf(options.input, 'options.stdio[0]', encoding) };
  }
  return workings.spawnSync(options);
}

// The error that the synchronous exec functions throw for a result; undefined for success.
function errorOf(result, args, command) {
  if (result.error) {
    ObjectAssign(result.error, result);
    return result.error;
  }
  if (result.status === 0) return undefined;
  let message = `Command failed: ${command || ArrayPrototypeJoin(args, ' ')}`;
  if (result.stderr && result.stderr.length > 0) message += `\n${result.stderr.toString()}`;
  return genericNodeError(message, result);
}

// Copies the child's stderr to this process, unless the caller set `stdio`.
function passOn(result, inheritsStderr) {
  if (inheritsStderr && result.stderr) process.stderr.write(result.stderr);
}

function execFileSync(file, args, options) {
  ({ file, args, options } = normalizeExecFileArgs(file, args, options));
  const inheritsStderr = !options.stdio;
  const result = spawnSync(file, args, options);
  passOn(result, inheritsStderr);
  const argv = [options.argv0 || file];
  for (let i = 0; i < args.length; i++) ArrayPrototypePush(argv, args[i]);
  const error = errorOf(result, argv);
  if (error) throw error;
  return result.stdout;
}

function execSync(command, options) {
  const normalized = normalizeExecArgs(command, options, null);
  const inheritsStderr = !normalized.options.stdio;
  const result = spawnSync(normalized.file, normalized.options);
  passOn(result, inheritsStderr);
  const error = errorOf(result, undefined, command);
  if (error) throw error;
  return result.stdout;
}

// Connects a forked program to its parent at start-up.
function _forkChild(fd, serializationMode) {
  require('internal/child_process/parent').connect(fd, serializationMode);
}

module.exports = {
  _forkChild,
  ChildProcess,
  exec,
  execFile,
  execFileSync,
  execSync,
  fork,
  spawn,
  spawnSync,
};
