'use strict';

// ChildProcess: a child process with its streams and events.

const {
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  FunctionPrototypeCall,
  ObjectSetPrototypeOf,
  Symbol,
} = primordials;

const {
  UV_EACCES,
  UV_EAGAIN,
  UV_EINVAL,
  UV_EMFILE,
  UV_ENFILE,
  UV_ENOENT,
  UV_ENOSYS,
  UV_ESRCH,
} = internalBinding('uv');
const { channel, tracingChannel } = require('diagnostics_channel');
const EventEmitter = require('events');
const { errnoException } = require('internal/errors');
const { validateArray, validateObject, validateOneOf, validateString } = require('internal/validators');
const { SymbolDispose, convertToValidSignal } = require('internal/util');
const { names: signalNames } = require('internal/util/signals');
const { Process } = require('internal/child_process/process_handle');
const { getValidStdio } = require('internal/child_process/stdio');

const kIsUsedAsStdio = Symbol('kIsUsedAsStdio');

const children = channel('child_process');
const spawns = tracingChannel('child_process.spawn');

function ChildProcess() {
  FunctionPrototypeCall(EventEmitter, this);
  // 'close' is emitted after the child has exited and all its streams have closed.
  this._closesNeeded = 1;
  this._closesGot = 0;
  this.connected = false;
  this.signalCode = null;
  this.exitCode = null;
  this.killed = false;
  this.spawnfile = null;
  this._handle = new Process();
  this._handle.owner = this;
  this._handle.onexit = (status, signal) => onExit(this, status, signal);
  if (children.hasSubscribers) children.publish({ process: this });
}
ObjectSetPrototypeOf(ChildProcess.prototype, EventEmitter.prototype);
ObjectSetPrototypeOf(ChildProcess, EventEmitter);

// A negative status means that the child was never started.
function onExit(child, status, signal) {
  if (signal > 0) {
    child.signalCode = signalNames[signal] ?? `${signal}`;
  } else {
    child.exitCode = status;
  }
  if (child.stdin) child.stdin.destroy();
  child._handle.close();
  child._handle = null;
  if (status < 0) {
    const syscall = child.spawnfile ? `spawn ${child.spawnfile}` : 'spawn';
    const error = errnoException(status, syscall);
    if (child.spawnfile) error.path = child.spawnfile;
    error.spawnargs = ArrayPrototypeSlice(child.spawnargs, 1);
    child.emit('error', error);
  } else {
    child.emit('exit', child.exitCode, child.signalCode);
  }
  process.nextTick(flushStdio, child);
  maybeClose(child);
}

// Drains streams that the program does not read, because 'close' waits for their end.
function flushStdio(child) {
  const { stdio } = child;
  if (!stdio) return;
  for (let i = 0; i < stdio.length; i++) {
    const stream = stdio[i];
    if (stream && stream.readable && !stream[kIsUsedAsStdio]) stream.resume();
  }
}

function maybeClose(child) {
  child._closesGot++;
  if (child._closesGot === child._closesNeeded) child.emit('close', child.exitCode, child.signalCode);
}

function emitSpawn(child) {
  child.emit('spawn');
}

function emitFailure(child, error) {
  if (child._handle) child._handle.onexit(error, 0);
}

// True for errors that are reported by an 'error' event, as in Node. All others are thrown.
function isReportedLater(error) {
  return error === UV_EACCES || error === UV_EAGAIN || error === UV_EMFILE || error === UV_ENFILE ||
    error === UV_ENOENT;
}

function publishSpawn(child, error) {
  if (!spawns.hasSubscribers) return;
  if (error === 0) spawns.end.publish({ process: child });
  else spawns.error.publish({ process: child, error: errnoException(error, 'spawn') });
}

function makeSocket(child, index) {
  const { Socket } = require('net');
  const { StreamHandle, kPipe } = require('internal/net/stream_handle');
  const handle = new StreamHandle(kPipe);
  const end = child._handle.takeEnd(index);
  const status = end < 0 ? end : handle.open(end);
  const socket = new Socket({ handle, readable: index > 0 });
  if (status < 0) {
    child._handle.dropEnd(end);
    // A child that was never started reports its own error.
    process.nextTick(destroySocket, socket, child._handle.pid === undefined ? undefined :
      errnoException(status, 'open'));
  }
  return socket;
}

// Called in a later tick, after listeners could be added.
function destroySocket(socket, error) {
  socket.destroy(error);
}

function makeStreams(child, stdio) {
  for (let i = 0; i < stdio.length; i++) {
    const one = stdio[i];
    if (one.type === 'wrap') letGo(one);
    if (one.type === 'ipc') child._closesNeeded++;
    if (one.type !== 'pipe') continue;
    one.socket = makeSocket(child, i);
    if (i === 0) continue;
    child._closesNeeded++;
    one.socket.on('close', () => maybeClose(child));
  }
}

// Stops reading a stream that was passed to the child, which reads it from now on.
function letGo({ handle, stream }) {
  handle.readStop?.();
  if (typeof stream.pause !== 'function') return;
  stream.pause();
  stream[kIsUsedAsStdio] = true;
  // This process may read the stream again when the child has exited.
  stream.readableFlowing = false;
  if (stream._readableState) stream._readableState.reading = false;
}

ChildProcess.prototype.spawn = function spawn(options) {
  validateObject(options, 'options');
  const { stdio, ipcFd } = getValidStdio(options.stdio || 'pipe', false);
  options.stdio = stdio;
  validateOneOf(options.serialization, 'options.serialization', [undefined, 'json', 'advanced']);
  const serialization = options.serialization || 'json';
  if (ipcFd !== undefined) {
    if (options.envPairs === undefined) {
      options.envPairs = [];
    } else {
      validateArray(options.envPairs, 'options.envPairs');
    }
    ArrayPrototypePush(options.envPairs, `NODE_CHANNEL_FD=${ipcFd}`,
      `NODE_CHANNEL_SERIALIZATION_MODE=${serialization}`);
  }
  validateString(options.file, 'options.file');
  this.spawnfile = options.file;
  if (options.args === undefined) {
    this.spawnargs = [];
  } else {
    validateArray(options.args, 'options.args');
    this.spawnargs = options.args;
  }

  if (spawns.hasSubscribers) spawns.start.publish({ process: this, options });
  const error = this._handle.spawn(options);
  if (error !== 0 && !isReportedLater(error)) {
    this._handle.close();
    this._handle = null;
    publishSpawn(this, error);
    throw errnoException(error, 'spawn');
  }
  publishSpawn(this, error);
  process.nextTick(error === 0 ? emitSpawn : emitFailure, this, error);
  // Without free descriptors no streams can be created.
  if (error === UV_EMFILE || error === UV_ENFILE) return error;
  this.pid = this._handle.pid;
  makeStreams(this, stdio);
  this.stdin = stdio[0].socket ?? null;
  this.stdout = stdio[1].socket ?? null;
  this.stderr = stdio[2].socket ?? null;
  this.stdio = [];
  for (let i = 0; i < stdio.length; i++) ArrayPrototypePush(this.stdio, stdio[i].socket ?? null);
  if (ipcFd !== undefined) {
    const { openChannel } = require('internal/child_process/channel');
    openChannel(this, this._handle.takeEnd(ipcFd), serialization, maybeClose);
  }
  return error;
};

ChildProcess.prototype.kill = function kill(sig) {
  const signal = sig === 0 ? sig : convertToValidSignal(sig === undefined ? 'SIGTERM' : sig);
  if (!this._handle) return false;
  const error = this._handle.kill(signal);
  if (error === 0) {
    this.killed = true;
    return true;
  }
  if (error === UV_EINVAL || error === UV_ENOSYS) throw errnoException(error, 'kill');
  // It is not an error if the child has already exited.
  if (error !== UV_ESRCH) this.emit('error', errnoException(error, 'kill'));
  return false;
};

ChildProcess.prototype[SymbolDispose] = function() {
  if (!this.killed) this.kill();
};

ChildProcess.prototype.ref = function ref() {
  if (this._handle) this._handle.ref();
};

ChildProcess.prototype.unref = function unref() {
  if (this._handle) this._handle.unref();
};

module.exports = { ChildProcess };
