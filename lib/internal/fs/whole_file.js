'use strict';

// readFile(), writeFile() and appendFile(). Each is one operation of the binding, which also opens and closes the file.

const { MathMin, StringPrototypeReplace } = primordials;

const binding = internalBinding('fs');
const { Buffer } = require('buffer');
const { FastBuffer } = require('internal/buffer');
const { AbortError, codes: { ERR_FS_FILE_TOO_LARGE } } = require('internal/errors');
const { parseFileMode, validateBoolean, validateFunction } = require('internal/validators');
const { bindCallback } = require('internal/async_hooks');
const { nextTick } = require('internal/process/task_queues');
const { isArrayBufferView } = require('internal/util/types');
const {
  copyObject,
  getOptions,
  getValidatedPath,
  isFd,
  stringToFlags,
  validateStringAfterArrayBufferView,
} = require('internal/fs/utils');

const readDefaults = { flag: 'r' };
const writeDefaults = { encoding: 'utf8', mode: 0o666, flag: 'w', flush: false };
const appendDefaults = { encoding: 'utf8', mode: 0o666, flag: 'a', flush: false };

const O_RDONLY = 0;

// Converts content to the requested encoding. The binding returns a string for UTF-8.
function decode(content, encoding) {
  if (typeof content === 'string') return content;
  const buffer = new FastBuffer(content);
  return encoding ? buffer.toString(encoding) : buffer;
}

function isUtf8(encoding) {
  return encoding === 'utf8' || encoding === 'utf-8';
}

// As in Node, the error for a file that is too large states its size.
function explain(error, path) {
  if (error.code !== 'EFBIG') return error;
  let size = 0;
  try {
    size = typeof path === 'number' ? binding.fstat(path, false)[8] : binding.stat(path, false)[8];
  } catch {
    // The file has been removed meanwhile.
  }
  return new ERR_FS_FILE_TOO_LARGE(size);
}

// As in Node, the EISDIR of an asynchronous read names the directory.
function withPath(error, path) {
  if (error.code !== 'EISDIR' || error.syscall !== 'read' || typeof path === 'number') return error;
  const { stack } = error;
  error.message += ` '${path}'`;
  error.stack = StringPrototypeReplace(stack, ', read', () => `, read '${path}'`);
  error.path = `${path}`;
  return error;
}

function explainLater(error, path) {
  return withPath(explain(error, path), path);
}

function abortError(signal) {
  return new AbortError(undefined, { cause: signal.reason });
}

// The size of the chunks in which Node reads large files.
const kPart = 512 * 1024;
const kMostOfFile = 2 ** 31 - 1;

// Returns true if the file is read in parts, so that an AbortSignal can stop it in between.
function isStoppable(path, signal) {
  if (!signal || isFd(path)) return false;
  try {
    const size = binding.stat(path, false)[8];
    return size > kPart && size <= kMostOfFile;
  } catch {
    return false;
  }
}

// Like the binding's readFile(), but checks the signal before each part. Calls back with (error, bytes).
function readInParts(path, flags, signal, callback) {
  binding.open(path, flags, 0o666, (error, fd) => {
    if (error !== null) return callback(error);
    let at = 0;
    let buffer;
    const close = (failure) => {
      binding.close(fd, (later) => {
        if (failure !== null || later !== null) callback(failure ?? later);
        else callback(null, buffer.subarray(0, at));
      });
    };
    const next = () => {
      if (signal.aborted) return close(abortError(signal));
      binding.read(fd, buffer, at, MathMin(kPart, buffer.length - at), -1, (failure, count) => {
        if (failure !== null) return close(failure);
        at += count;
        if (count === 0 || at === buffer.length) close(null);
        else next();
      });
    };
    try {
      // Synchronous: Node calls fstat() in the job that opens the file.
      buffer = Buffer.allocUnsafeSlow(binding.fstat(fd, false)[8]);
    } catch (failure) {
      return close(failure);
    }
    next();
  });
}

// True if no options are set except possibly the encoding UTF-8.
function isUsual(options) {
  return options == null || typeof options === 'function' || (typeof options === 'string' && isUtf8(options));
}

function readFile(path, options, callback) {
  callback ||= options;
  validateFunction(callback, 'cb');
  if (typeof path === 'string' && isUsual(options)) {
    path = getValidatedPath(path);
    const bound = bindCallback('FSREQCALLBACK', callback);
    binding.readFile(path, O_RDONLY, typeof options === 'string', (error, content) => {
      if (error !== null) bound(explainLater(error, path));
      else bound(null, typeof content === 'string' ? content : new FastBuffer(content));
    });
    return;
  }
  if (typeof options === 'function' || options == null) {
    options = readDefaults;
  } else {
    options = getOptions(options, readDefaults);
  }
  const { encoding, signal } = options;
  const bound = bindCallback('FSREQCALLBACK', callback);
  if (signal?.aborted) {
    process.nextTick(bound, abortError(signal));
    return;
  }
  let flags = O_RDONLY;
  if (!isFd(path)) {
    flags = stringToFlags(options.flag, 'options.flag');
    path = getValidatedPath(path);
  }
  const onRead = (error, content) => {
    if (signal?.aborted) return bound(abortError(signal));
    if (error !== null) return bound(explainLater(error, path));
    let data;
    try {
      data = decode(content, encoding);
    } catch (failure) {
      return bound(failure);
    }
    bound(null, data);
  };
  if (isStoppable(path, signal)) {
    readInParts(path, flags, signal, (error, buffer) => {
      if (error !== null) return bound(error);
      let data;
      try {
        data = encoding ? buffer.toString(encoding) : buffer;
      } catch (failure) {
        return bound(failure);
      }
      bound(null, data);
    });
    return;
  }
  // As in Node, reading from a descriptor starts in the next tick.
  if (isFd(path)) nextTick(binding.readFile, path, flags, isUtf8(encoding), onRead);
  else binding.readFile(path, flags, isUtf8(encoding), onRead);
}

function readFileSync(path, options) {
  if (typeof path === 'string' && isUsual(options)) {
    path = getValidatedPath(path);
    try {
      return decode(binding.readFile(path, O_RDONLY, typeof options === 'string'), undefined);
    } catch (error) {
      throw explain(error, path);
    }
  }
  options = getOptions(options, readDefaults);
  const { encoding } = options;
  let flags = O_RDONLY;
  if (!isFd(path)) {
    path = getValidatedPath(path);
    flags = stringToFlags(options.flag);
  }
  let content;
  try {
    content = binding.readFile(path, flags, isUtf8(encoding));
  } catch (error) {
    throw explain(error, path);
  }
  return decode(content, encoding);
}

function bytesToWrite(data, encoding) {
  if (isArrayBufferView(data)) return data;
  validateStringAfterArrayBufferView(data, 'data');
  return Buffer.from(data, encoding || 'utf8');
}

// Writes the file and calls fsync() before closing it.
function writeAndFlush(path, data, flags, mode, callback) {
  binding.open(path, flags, mode, (error, fd) => {
    if (error !== null) return callback(error);
    writeToDescriptor(fd, data, true, (failure) => {
      binding.close(fd, (later) => callback(failure ?? later));
    });
  });
}

function writeToDescriptor(fd, data, flush, callback) {
  binding.writeAll(fd, data, 0, data.byteLength, null, (error) => {
    if (error !== null || !flush) return callback(error);
    require('fs').fsync(fd, callback);
  });
}

function writeFile(path, data, options, callback) {
  callback ||= options;
  validateFunction(callback, 'cb');
  options = getOptions(options, writeDefaults);
  const flag = options.flag || 'w';
  const { signal } = options;
  const flush = options.flush ?? false;
  validateBoolean(flush, 'options.flush');
  data = bytesToWrite(data, options.encoding);
  const bound = bindCallback('FSREQCALLBACK', callback);
  const done = signal === undefined ? bound : (error) => bound(signal.aborted ? abortError(signal) : error);
  if (isFd(path)) {
    if (signal?.aborted) process.nextTick(done, null);
    else writeToDescriptor(path, data, flush, done);
    return;
  }
  if (signal?.aborted) {
    process.nextTick(done, null);
    return;
  }
  path = getValidatedPath(path);
  const mode = parseFileMode(options.mode, 'mode', 0o666);
  const flags = stringToFlags(flag);
  if (flush) writeAndFlush(path, data, flags, mode, done);
  else binding.writeFile(path, data, flags, mode, done);
}

function writeFileSync(path, data, options) {
  options = getOptions(options, writeDefaults);
  const flush = options.flush ?? false;
  validateBoolean(flush, 'options.flush');
  data = bytesToWrite(data, options.encoding);
  const flag = options.flag || 'w';
  if (isFd(path)) {
    binding.writeAll(path, data, 0, data.byteLength, null);
    if (flush) require('fs').fsyncSync(path);
    return;
  }
  path = getValidatedPath(path);
  const mode = parseFileMode(options.mode, 'mode', 0o666);
  const flags = stringToFlags(flag);
  if (!flush) {
    binding.writeFile(path, data, flags, mode);
    return;
  }
  const fd = binding.open(path, flags, mode);
  try {
    binding.writeAll(fd, data, 0, data.byteLength, null);
    require('fs').fsyncSync(fd);
  } finally {
    binding.close(fd);
  }
}

function appendOptions(path, options) {
  options = copyObject(getOptions(options, appendDefaults));
  if (!options.flag || isFd(path)) options.flag = 'a';
  return options;
}

function appendFile(path, data, options, callback) {
  callback ||= options;
  validateFunction(callback, 'cb');
  writeFile(path, data, appendOptions(path, options), callback);
}

function appendFileSync(path, data, options) {
  writeFileSync(path, data, appendOptions(path, options));
}

module.exports = {
  appendFile,
  appendFileSync,
  isStoppable,
  readFile,
  readFileSync,
  readInParts,
  withPath,
  writeFile,
  writeFileSync,
};
