'use strict';
// Shared by ReadStream and WriteStream: options for the file, opening and closing.

const { FunctionPrototypeBind, NumberIsSafeInteger, PromisePrototypeThen, ReflectApply, Symbol } = primordials;

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_METHOD_NOT_IMPLEMENTED, ERR_OUT_OF_RANGE },
} = require('internal/errors');
const { toPathIfFileURL } = require('internal/url');
const { validateFunction, validateInteger } = require('internal/validators');
const { getValidatedFd, validatePath } = require('internal/fs/utils');

const kFs = Symbol('kFs');
const kHandle = Symbol('kHandle');
const kIoDone = Symbol('kIoDone');
const kIsPerformingIO = Symbol('kIsPerformingIO');

let fs;
function lazyFs() {
  return fs ??= require('fs');
}

// The functions of fs that a stream calls, implemented with a FileHandle.
function fileHandleOperations(handle) {
  return {
    open() {
      throw new ERR_METHOD_NOT_IMPLEMENTED('open()');
    },
    close(fd, callback) {
      const { kUnref } = require('internal/fs/file_handle');
      handle[kUnref]();
      PromisePrototypeThen(handle.close(), () => callback(), callback);
    },
    fsync(fd, callback) {
      PromisePrototypeThen(handle.sync(), () => callback(), callback);
    },
    read(fd, buffer, offset, length, position, callback) {
      PromisePrototypeThen(handle.read(buffer, offset, length, position),
        (result) => callback(null, result.bytesRead, result.buffer), (error) => callback(error, 0, buffer));
    },
    write(fd, buffer, offset, length, position, callback) {
      PromisePrototypeThen(handle.write(buffer, offset, length, position),
        (result) => callback(null, result.bytesWritten, result.buffer), (error) => callback(error, 0, buffer));
    },
    writev(fd, buffers, position, callback) {
      PromisePrototypeThen(handle.writev(buffers, position),
        (result) => callback(null, result.bytesWritten, result.buffers), (error) => callback(error, 0, buffers));
    },
  };
}

// Returns the descriptor of the option `fd`. A FileHandle stays open while the stream uses it.
function takeDescriptor(stream, options) {
  const { fd } = options;
  if (typeof fd === 'number') {
    stream[kFs] = options.fs || lazyFs();
    return getValidatedFd(fd);
  }
  const { FileHandle, kRef } = require('internal/fs/file_handle');
  if (typeof fd === 'object' && fd instanceof FileHandle) {
    if (options.fs) throw new ERR_METHOD_NOT_IMPLEMENTED('FileHandle with fs');
    stream[kHandle] = fd;
    stream[kFs] = fileHandleOperations(fd);
    const number = getValidatedFd(fd.fd);
    fd[kRef]();
    fd.on('close', FunctionPrototypeBind(stream.close, stream));
    return number;
  }
  throw new ERR_INVALID_ARG_TYPE('options.fd', ['number', 'FileHandle'], fd);
}

function takePath(stream, path, options, flags) {
  stream.fd = null;
  stream[kFs] = options.fs || lazyFs();
  validateFunction(stream[kFs].open, 'options.fs.open');
  stream.path = toPathIfFileURL(path);
  stream.flags = options.flags === undefined ? flags : options.flags;
  stream.mode = options.mode === undefined ? 0o666 : options.mode;
  validatePath(stream.path);
}

function checkPosition(position, name) {
  if (NumberIsSafeInteger(position) && position >= 0) return;
  validateInteger(position, name, 0);
}

function checkRange(start, end) {
  if (start !== undefined && start > end) {
    throw new ERR_OUT_OF_RANGE('start', `<= "end" (here: ${end})`, start);
  }
}

// Some programs, such as graceful-fs, define open() on a stream. It emits 'open' or 'error' when it is done.
function constructWithForeignOpen(stream, callback) {
  const emit = stream.emit;
  stream.emit = function(...args) {
    if (args[0] === 'open') {
      this.emit = emit;
      callback();
      return ReflectApply(emit, this, args);
    }
    if (args[0] === 'error') {
      this.emit = emit;
      callback(args[1]);
      return true;
    }
    return ReflectApply(emit, this, args);
  };
  stream.open();
}

function construct(stream, callback) {
  if (typeof stream.fd === 'number') {
    callback();
    return;
  }
  if (typeof stream.open === 'function') {
    constructWithForeignOpen(stream, callback);
    return;
  }
  stream[kFs].open(stream.path, stream.flags, stream.mode, (error, fd) => {
    if (error) {
      callback(error);
      return;
    }
    // A signal that was aborted before the stream was created has closed the stream, so the descriptor must be closed
    // here.
    if (stream.closed) {
      stream[kFs].close(fd, () => {});
      return;
    }
    stream.fd = fd;
    callback();
    stream.emit('open', fd);
    stream.emit('ready');
  });
}

function closeDescriptor(stream, error, callback) {
  stream[kFs].close(stream.fd, (closeError) => callback(error || closeError));
  stream.fd = null;
}

function close(stream, error, callback) {
  // As in Node, descriptor 0 (stdin) is never closed.
  if (!stream.fd) {
    callback(error);
  } else if (stream.flush) {
    stream[kFs].fsync(stream.fd, (flushError) => closeDescriptor(stream, error || flushError, callback));
  } else {
    closeDescriptor(stream, error, callback);
  }
}

// Closes after the operation in flight, which must not run on a reused descriptor number.
function destroy(stream, error, callback) {
  if (stream[kIsPerformingIO]) {
    stream.once(kIoDone, (ioError) => close(stream, error || ioError, callback));
  } else {
    close(stream, error, callback);
  }
}

module.exports = {
  checkPosition,
  checkRange,
  construct,
  destroy,
  kFs,
  kHandle,
  kIoDone,
  kIsPerformingIO,
  lazyFs,
  takeDescriptor,
  takePath,
};
