'use strict';
// FileHandle, the result of fs.promises.open(). Every operation holds a ref, so that close() waits for those in flight:
// they must not use a descriptor number that has been reused for another file.

const {
  Error,
  FunctionPrototypeCall,
  MathMax,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  Promise,
  PromisePrototypeThen,
  PromiseResolve,
  SafeFinalizationRegistry,
  Symbol,
} = primordials;

const binding = internalBinding('fs');
const { kUsePromises } = binding;
const { UV_EINVAL } = internalBinding('uv');
const EventEmitter = require('events');
const { Buffer } = require('buffer');
const {
  UVException,
  codes: { ERR_INTERNAL_ASSERTION, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE },
} = require('internal/errors');
const { newAsyncId } = require('internal/async_hooks');
const {
  getStats,
  toUnixTimestamp,
  validateBufferArray,
  validateOffsetLengthRead,
  validateOffsetLengthWrite,
  validatePosition,
  validateStringAfterArrayBufferView,
} = require('internal/fs/utils');
const { rejectWithStack, settle, settler } = require('internal/fs/operations');
const { kTransfer, makeDataCloneError, makeHostObject } = require('internal/structured_clone');
const { isArrayBufferView } = require('internal/util/types');
const { SymbolAsyncDispose, kEmptyObject } = require('internal/util');
const {
  kValidateObjectAllowNullable,
  parseFileMode,
  validateBoolean,
  validateBuffer,
  validateEncoding,
  validateInteger,
  validateObject,
} = require('internal/validators');

const kHandle = Symbol('kHandle');
const kFd = Symbol('kFd');
const kRefs = Symbol('kRefs');
const kClosePromise = Symbol('kClosePromise');
const kCloseResolve = Symbol('kCloseResolve');
const kCloseReject = Symbol('kCloseReject');
const kRef = Symbol('kRef');
const kUnref = Symbol('kUnref');
const kCloseReason = Symbol('kCloseReason');
const kLocked = Symbol('kLocked');

const kMaxUserId = 2 ** 32 - 1;
const kDefaultReadSize = 16384;

// An EventEmitter that can be transferred to another thread.
function MovableEmitter() {
  const self = makeHostObject(new.target.prototype);
  FunctionPrototypeCall(EventEmitter, self);
  return self;
}
MovableEmitter.prototype = EventEmitter.prototype;
ObjectSetPrototypeOf(MovableEmitter, EventEmitter);

class FileHandle extends MovableEmitter {
  constructor(fd) {
    super();
    this[kHandle] = undefined;
    this[kFd] = fd;
    this[kRefs] = 1;
    this[kClosePromise] = null;
    if (fd >= 0) watchForCollection(this, fd);
  }

  getAsyncId() {
    return this[kHandle] ??= newAsyncId();
  }

  get fd() {
    return this[kFd];
  }

  appendFile(data, options) {
    return require('internal/fs/promises').appendToHandle(this, data, options);
  }

  chmod(mode) {
    return run(this, 'fchmod', (done) => binding.fchmod(this[kFd], parseFileMode(mode, 'mode'), done, kUsePromises));
  }

  chown(uid, gid) {
    return run(this, 'fchown', (done) => {
      validateInteger(uid, 'uid', -1, kMaxUserId);
      validateInteger(gid, 'gid', -1, kMaxUserId);
      binding.fchown(this[kFd], uid, gid, done, kUsePromises);
    });
  }

  datasync() {
    return run(this, 'fdatasync', (done) => binding.fdatasync(this[kFd], done, kUsePromises));
  }

  sync() {
    return run(this, 'fsync', (done) => binding.fsync(this[kFd], done, kUsePromises));
  }

  read(buffer, offset, length, position) {
    return run(this, 'read', (done) => readInto(this[kFd], buffer, offset, length, position, done));
  }

  readv(buffers, position) {
    return run(this, 'readv', (done) => {
      validateBufferArray(buffers);
      // The kernel would accept this as a read of zero bytes.
      if (buffers.length === 0) throw new UVException({ errno: UV_EINVAL, code: undefined, syscall: 'read' });
      binding.readv(this[kFd], buffers, typeof position === 'number' ? position : -1, (error, bytesRead) => {
        done(error, { __proto__: null, bytesRead, buffers });
      }, kUsePromises);
    });
  }

  readFile(options) {
    return require('internal/fs/promises').readHandle(this, options);
  }

  readLines(options = undefined) {
    return require('readline').createInterface({ input: this.createReadStream(options), crlfDelay: Infinity });
  }

  stat(options) {
    return run(this, 'fstat', (done) => {
      binding.fstat(this[kFd], options?.bigint === true, (error, numbers) => {
        if (error !== null) done(error);
        else done(null, getStats(numbers));
      }, kUsePromises);
    });
  }

  truncate(len = 0) {
    return run(this, 'ftruncate', (done) => {
      validateInteger(len, 'len');
      binding.ftruncate(this[kFd], MathMax(0, len), done, kUsePromises);
    });
  }

  utimes(atime, mtime) {
    return run(this, 'futimes', (done) => {
      binding.futimes(this[kFd], toUnixTimestamp(atime, 'atime'), toUnixTimestamp(mtime, 'mtime'), done, kUsePromises);
    });
  }

  write(buffer, offset, length, position) {
    return run(this, 'write', (done) => writeFrom(this[kFd], buffer, offset, length, position, done));
  }

  writev(buffers, position) {
    return run(this, 'writev', (done) => {
      validateBufferArray(buffers);
      if (buffers.length === 0) {
        done(null, { __proto__: null, bytesWritten: 0, buffers });
        return;
      }
      binding.writev(this[kFd], buffers, typeof position === 'number' ? position : -1, (error, bytesWritten) => {
        done(error, { __proto__: null, bytesWritten, buffers });
      }, kUsePromises);
    });
  }

  writeFile(data, options) {
    return require('internal/fs/promises').writeHandle(this, data, options);
  }

  close = () => {
    if (this[kFd] === -1) return PromiseResolve();
    if (this[kClosePromise]) return this[kClosePromise];
    this[kRefs]--;
    if (this[kRefs] === 0) {
      this[kClosePromise] = closeNow(this);
    } else {
      // The last operation in flight closes the file.
      this[kClosePromise] = new Promise((resolve, reject) => {
        ObjectDefineProperty(this, kCloseResolve, { __proto__: null, value: resolve, configurable: true });
        ObjectDefineProperty(this, kCloseReject, { __proto__: null, value: reject, configurable: true });
      });
    }
    this.emit('close');
    return this[kClosePromise];
  };

  async [SymbolAsyncDispose]() {
    await this.close();
  }

  readableWebStream(options = kEmptyObject) {
    if (this[kFd] === -1) throw new ERR_INVALID_STATE('The FileHandle is closed');
    if (this[kClosePromise]) throw new ERR_INVALID_STATE('The FileHandle is closing');
    if (this[kLocked]) throw new ERR_INVALID_STATE('The FileHandle is locked');
    ObjectDefineProperty(this, kLocked, { __proto__: null, value: true });
    validateObject(options, 'options');
    const { type = 'bytes', autoClose = false } = options;
    validateBoolean(autoClose, 'options.autoClose');
    if (type !== 'bytes') {
      process.emitWarning(
        'A non-"bytes" options.type has no effect. A byte-oriented steam is always created.', 'ExperimentalWarning');
    }
    return webStream(this, autoClose);
  }

  createReadStream(options = undefined) {
    const { ReadStream } = require('internal/fs/read_stream');
    return new ReadStream(undefined, { ...options, fd: this });
  }

  createWriteStream(options = undefined) {
    const { WriteStream } = require('internal/fs/write_stream');
    return new WriteStream(undefined, { ...options, fd: this });
  }

  // Transfers the descriptor to another thread. This handle is closed from then on.
  [kTransfer]() {
    const fd = this[kFd];
    if (fd === -1 || this[kClosePromise] || this[kRefs] > 1) {
      throw makeDataCloneError('Cannot transfer FileHandle while in use');
    }
    this[kFd] = -1;
    ObjectDefineProperty(this, kCloseReason, { __proto__: null, value: 'The FileHandle has been transferred' });
    collected.unregister(this);
    return { id: 'internal/fs/file_handle', data: undefined, fd };
  }

  [kRef]() {
    this[kRefs]++;
  }

  [kUnref]() {
    this[kRefs]--;
    if (this[kRefs] !== 0) return;
    const promise = closeNow(this);
    const resolve = this[kCloseResolve];
    const reject = this[kCloseReject];
    PromisePrototypeThen(promise, resolve, reject);
  }
}

function closeNow(handle) {
  const fd = handle[kFd];
  handle[kFd] = -1;
  collected.unregister(handle);
  return new Promise((resolve) => {
    binding.close(fd, settler((error) => {
      handle[kClosePromise] = undefined;
      if (error !== null) rejectWithStack(resolve, error);
      else resolve();
    }), kUsePromises);
  });
}

function closedError(handle, syscall) {
  const error = new Error(handle[kCloseReason] ?? 'file closed');
  error.code = 'EBADF';
  error.syscall = syscall;
  return error;
}

// Runs one operation: `start` passes its argument to the binding as callback. Errors that it throws reject the promise,
// too.
function run(handle, syscall, start) {
  return new Promise((resolve) => {
    if (handle[kRefs] === undefined) throw new ERR_INTERNAL_ASSERTION('handle must be an instance of FileHandle');
    if (handle[kFd] === -1) throw closedError(handle, syscall);
    handle[kRefs]++;
    try {
      start(settler((error, value) => {
        handle[kUnref]();
        if (error !== null) rejectWithStack(resolve, error);
        else settle(resolve, value, syscall === 'fstat' ? 4 : 3);
      }));
    } catch (error) {
      handle[kUnref]();
      throw error;
    }
  });
}

// read(buffer, offset, length, position), read(buffer, options) and read(options).
function readInto(fd, buffer, offset, length, position, done) {
  if (!isArrayBufferView(buffer)) {
    if (buffer !== undefined) validateObject(buffer, 'options', kValidateObjectAllowNullable);
    const options = buffer ?? kEmptyObject;
    buffer = options.buffer === undefined ? Buffer.alloc(kDefaultReadSize) : options.buffer;
    validateBuffer(buffer);
    ({ offset = 0, length = buffer.byteLength - offset, position = null } = options);
  } else if (offset !== null && typeof offset === 'object') {
    ({ offset = 0, length = buffer.byteLength - offset, position = null } = offset);
  }
  if (offset == null) offset = 0;
  else validateInteger(offset, 'offset', 0);
  length ??= buffer.byteLength - offset;
  if (position == null) position = -1;
  else validatePosition(position, 'position', length);
  if (length === 0) {
    done(null, { __proto__: null, bytesRead: 0, buffer });
    return;
  }
  if (buffer.byteLength === 0) throw new ERR_INVALID_ARG_VALUE('buffer', buffer, 'is empty and cannot be written');
  validateOffsetLengthRead(offset, length, buffer.byteLength);
  binding.read(fd, buffer, offset, length, position, (error, bytesRead) => {
    done(error, { __proto__: null, bytesRead, buffer });
  }, kUsePromises);
}

// write(buffer, offset, length, position), write(buffer, options) and write(string, position, encoding).
function writeFrom(fd, buffer, offset, length, position, done) {
  if (buffer?.byteLength === 0) {
    done(null, { __proto__: null, bytesWritten: 0, buffer });
    return;
  }
  let bytes = buffer;
  if (isArrayBufferView(buffer)) {
    if (typeof offset === 'object') {
      ({ offset = 0, length = buffer.byteLength - offset, position = null } = offset ?? kEmptyObject);
    }
    if (offset == null) offset = 0;
    else validateInteger(offset, 'offset', 0);
    if (typeof length !== 'number') length = buffer.byteLength - offset;
    validateOffsetLengthWrite(offset, length, buffer.byteLength);
  } else {
    validateStringAfterArrayBufferView(buffer, 'buffer');
    validateEncoding(buffer, length);
    bytes = Buffer.from(buffer, Buffer.isEncoding(length) ? length : 'utf8');
    position = offset;
    offset = 0;
    length = bytes.length;
  }
  if (typeof position !== 'number') position = -1;
  binding.write(fd, bytes, offset, length, position, (error, bytesWritten) => {
    done(error, { __proto__: null, bytesWritten, buffer });
  }, kUsePromises);
}

// A web stream that reads on demand. It holds a ref until the end of the file or until close() ends the stream.
function webStream(handle, autoClose) {
  const { ReadableStream } = require('stream/web');
  let controller;
  let isDone = false;
  const end = () => {
    if (isDone) return false;
    isDone = true;
    handle.removeListener('close', close);
    handle[kUnref]();
    return true;
  };
  // Returns the buffer of a pending BYOB read.
  const release = () => controller.byobRequest?.respond(0);
  const close = () => {
    if (!end()) return;
    controller.close();
    release();
  };
  handle[kRef]();
  handle.on('close', close);
  return new ReadableStream({
    __proto__: null,
    type: 'bytes',
    autoAllocateChunkSize: kDefaultReadSize,
    start(given) {
      controller = given;
    },
    async pull() {
      try {
        const request = controller.byobRequest;
        const { view } = request;
        const { bytesRead } = await handle.read(view, 0, view.byteLength);
        if (isDone) return;
        if (bytesRead > 0) {
          request.respond(bytesRead);
          return;
        }
        end();
        controller.close();
        if (autoClose) await handle.close();
        release();
      } catch (error) {
        if (end()) controller.error(error);
      }
    },
    async cancel() {
      if (end() && autoClose) await handle.close();
    },
  });
}

// Closes the descriptor of a FileHandle that is collected without having been closed.
let collected;
let hasWarned = false;
function watchForCollection(handle, fd) {
  collected ??= new SafeFinalizationRegistry((lost) => {
    try {
      binding.close(lost);
    } catch {
      // The program has closed the descriptor itself.
      return;
    }
    process.emitWarning(`Closing file descriptor ${lost} on garbage collection`);
    if (hasWarned) return;
    hasWarned = true;
    process.emitWarning(
      'Closing a FileHandle object on garbage collection is deprecated. Please close FileHandle objects explicitly ' +
      'using FileHandle.prototype.close(). In the future, an error will be thrown if a file descriptor is closed ' +
      'during garbage collection.', 'DeprecationWarning', 'DEP0137');
  });
  collected.register(handle, fd, handle);
}

function readClone(data, fd) {
  return new FileHandle(fd);
}

module.exports = { FileHandle, kClosePromise, kFd, kRef, kUnref, readClone, run };
