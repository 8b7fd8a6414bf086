'use strict';
// The functions of fs.promises. Where possible each is one operation of the binding, whose callback settles the
// promise.

const {
  MathMin,
  Promise,
  PromisePrototypeThen,
  SymbolAsyncIterator,
  SymbolIterator,
  TypedArrayPrototypeGetByteLength,
} = primordials;

const binding = internalBinding('fs');
const { kUsePromises } = binding;
const { Buffer } = require('buffer');
const { AbortError, aggregateTwoErrors, codes: { ERR_FS_FILE_TOO_LARGE, ERR_METHOD_NOT_IMPLEMENTED } } =
  require('internal/errors');
const { op0, op1, op2, rejectWithStack, settler } = require('internal/fs/operations');
const { FileHandle, kFd, run } = require('internal/fs/file_handle');
const directories = require('internal/fs/promises_names');
const {
  constants,
  copyObject,
  getOptions,
  getStats,
  getValidMode,
  getValidatedPath,
  isNoEntry,
  statFsFromNumbers,
  stringToFlags,
  toBuffer,
  toUnixTimestamp,
  validateStringAfterArrayBufferView,
} = require('internal/fs/utils');
const { kEmptyObject } = require('internal/util');
const { isArrayBufferView } = require('internal/util/types');
const {
  parseFileMode,
  validateAbortSignal,
  validateBoolean,
  validateInteger,
  validateObject,
} = require('internal/validators');

const kMaxUserId = 2 ** 32 - 1;
// The largest file that readFile() accepts, as in Node.
const kMostOfFile = 2 ** 31 - 1;
const kReadFileChunk = 512 * 1024;
const kWriteFileChunk = 512 * 1024;

function checkAborted(signal) {
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
}

async function access(path, mode = constants.F_OK) {
  return await op1(binding.access, getValidatedPath(path), getValidMode(mode));
}

async function copyFile(src, dest, mode) {
  return await op2(binding.copyFile, getValidatedPath(src, 'src'), getValidatedPath(dest, 'dest'), getValidMode(mode));
}

async function cp(src, dest, options) {
  return require('internal/fs/cp').cpPromise(src, dest, options);
}

async function open(path, flags, mode) {
  path = getValidatedPath(path);
  const flagsNumber = stringToFlags(flags);
  mode = parseFileMode(mode, 'mode', 0o666);
  return await op2(binding.open, path, flagsNumber, mode, makeHandle);
}

function makeHandle(fd) {
  return new FileHandle(fd);
}

function closeDescriptor(fd) {
  return op0(binding.close, fd);
}

// Opens the file for `use(fd)` and always closes it. If both fail, the error contains both errors.
async function withDescriptor(path, flags, mode, use) {
  const fd = await op2(binding.open, path, flags, mode);
  let value;
  try {
    value = await use(fd);
  } catch (error) {
    try {
      await closeDescriptor(fd);
    } catch (closeError) {
      throw aggregateTwoErrors(closeError, error);
    }
    throw error;
  }
  await closeDescriptor(fd);
  return value;
}

async function truncate(path, len = 0) {
  path = getValidatedPath(path);
  return withDescriptor(path, constants.O_RDWR, 0o666, (fd) => {
    validateInteger(len, 'len');
    return op1(binding.ftruncate, fd, len < 0 ? 0 : len);
  });
}

async function stat(path, options = kEmptyObject) {
  const { signal } = options ?? {};
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  try {
    return await op1(binding.stat, getValidatedPath(path), options?.bigint === true, getStats, 2);
  } catch (error) {
    if (options?.throwIfNoEntry === false && isNoEntry(error)) return undefined;
    throw error;
  }
}

async function lstat(path, options = kEmptyObject) {
  return await op1(binding.lstat, getValidatedPath(path), options?.bigint === true, getStats, 2);
}

async function statfs(path, options = kEmptyObject) {
  return await op1(binding.statfs, getValidatedPath(path), options?.bigint === true, statFsFromNumbers);
}

async function chmod(path, mode) {
  path = getValidatedPath(path);
  return await op1(binding.chmod, path, parseFileMode(mode, 'mode'));
}

async function lchmod(path, mode) { // macOS only.
  throw new ERR_METHOD_NOT_IMPLEMENTED('lchmod()');
}

function checkOwner(uid, gid) {
  validateInteger(uid, 'uid', -1, kMaxUserId);
  validateInteger(gid, 'gid', -1, kMaxUserId);
}

async function chown(path, uid, gid) {
  path = getValidatedPath(path);
  checkOwner(uid, gid);
  return await op2(binding.chown, path, uid, gid);
}

async function lchown(path, uid, gid) {
  path = getValidatedPath(path);
  checkOwner(uid, gid);
  return await op2(binding.lchown, path, uid, gid);
}

async function utimes(path, atime, mtime) {
  path = getValidatedPath(path);
  return await op2(binding.utimes, path, toUnixTimestamp(atime), toUnixTimestamp(mtime));
}

async function lutimes(path, atime, mtime) {
  path = getValidatedPath(path);
  return await op2(binding.lutimes, path, toUnixTimestamp(atime), toUnixTimestamp(mtime));
}

// ---- Whole files

function decode(buffer, encoding) {
  return encoding ? buffer.toString(encoding) : buffer;
}

// As in Node, the error for a file that is too large states its size.
function tooLarge(error, path) {
  if (error.code === 'EISDIR') return require('internal/fs/whole_file').withPath(error, path);
  if (error.code !== 'EFBIG') return error;
  try {
    return new ERR_FS_FILE_TOO_LARGE(binding.stat(path, false)[8]);
  } catch {
    return error; // The file has been removed meanwhile.
  }
}

async function readFile(path, options) {
  options = getOptions(options, { flag: 'r' });
  if (path instanceof FileHandle) return readHandle(path, options);
  const flags = stringToFlags(options.flag || 'r');
  const { signal, encoding } = options;
  path = getValidatedPath(path);
  checkAborted(signal);
  const { isStoppable, readInParts } = require('internal/fs/whole_file');
  if (isStoppable(path, signal)) return decode(await op2(readInParts, path, flags, signal), encoding);
  try {
    const isText = encoding === 'utf8' || encoding === 'utf-8';
    const content = await op2(binding.readFile, path, flags, isText, undefined, 0);
    checkAborted(signal);
    return isText ? content : decode(toBuffer(content), encoding);
  } catch (error) {
    throw tooLarge(error, path);
  }
}

async function readHandle(handle, options) {
  options = getOptions(options, kEmptyObject);
  const { signal, encoding } = options;
  checkAborted(signal);
  const stats = await handle.stat();
  checkAborted(signal);
  const size = stats.isFile() ? stats.size : 0;
  if (size > kMostOfFile) throw new ERR_FS_FILE_TOO_LARGE(size);
  const buffer = await run(handle, 'readFile', (done) => readAll(handle[kFd], size, signal, done));
  return decode(buffer, encoding);
}

// Reads from the current position to the end. The size is only a hint: files may grow or shrink, and those of /proc
// report 0.
function readAll(fd, size, signal, done) {
  const parts = [];
  let total = 0;
  const next = () => {
    const left = size - total;
    const length = left > 0 ? left : kReadFileChunk;
    const chunk = Buffer.allocUnsafeSlow(signal && length > kReadFileChunk ? kReadFileChunk : length);
    binding.read(fd, chunk, 0, TypedArrayPrototypeGetByteLength(chunk), -1, (error, count) => {
      if (error !== null) {
        done(error);
        return;
      }
      if (signal?.aborted) {
        done(new AbortError(undefined, { cause: signal.reason }));
        return;
      }
      if (count > 0) parts[parts.length] = count === chunk.length ? chunk : chunk.subarray(0, count);
      total += count;
      if (total > kMostOfFile) done(new ERR_FS_FILE_TOO_LARGE(total));
      else if (count === 0 || total === size) done(null, parts.length === 1 ? parts[0] : Buffer.concat(parts, total));
      else next();
    });
  };
  next();
}

function isCustomIterable(value) {
  return typeof value === 'object' && value !== null && !isArrayBufferView(value) &&
    (typeof value[SymbolAsyncIterator] === 'function' || typeof value[SymbolIterator] === 'function');
}

const kWriteFileOptions = { encoding: 'utf8', mode: 0o666, flag: 'w', flush: false };

async function writeFile(path, data, options) {
  options = getOptions(options, kWriteFileOptions);
  const flag = options.flag || 'w';
  const flush = options.flush ?? false;
  validateBoolean(flush, 'options.flush');
  const { encoding, signal } = options;
  const isIterable = isCustomIterable(data);
  if (!isIterable && !isArrayBufferView(data)) {
    validateStringAfterArrayBufferView(data, 'data');
    data = Buffer.from(data, encoding || 'utf8');
  }
  validateAbortSignal(signal, 'options.signal');
  if (path instanceof FileHandle) return writeData(path[kFd], data, isIterable, signal, encoding);
  checkAborted(signal);
  path = getValidatedPath(path);
  const flags = stringToFlags(flag);
  const mode = parseFileMode(options.mode, 'mode', 0o666);
  // As in Node, up to one chunk is opened, written and closed in one job.
  if (!isIterable && !flush && data.byteLength <= kWriteFileChunk) {
    await new Promise((resolve) => {
      binding.writeFile(path, data, flags, mode, settler((error) => {
        if (error !== null) rejectWithStack(resolve, error);
        else resolve();
      }), kUsePromises);
    });
    checkAborted(signal);
    return undefined;
  }
  // A stream may fail while the file is being opened, before the iteration listens for errors. The iteration reports
  // it.
  const isStream = isIterable && typeof data.on === 'function' && typeof data.removeListener === 'function';
  if (isStream) data.on('error', ignore);
  try {
    return await withDescriptor(path, flags, mode, async (fd) => {
      await writeData(fd, data, isIterable, signal, encoding);
      if (flush) await op0(binding.fsync, fd);
    });
  } finally {
    if (isStream) data.removeListener('error', ignore);
  }
}

function ignore() {}

// Writes in chunks, each of them one job.
async function writeAll(fd, data, signal) {
  let at = 0;
  while (at < data.byteLength) {
    checkAborted(signal);
    const length = MathMin(kWriteFileChunk, data.byteLength - at);
    at += await new Promise((resolve) => {
      binding.write(fd, data, at, length, -1, settler((error, count) => {
        if (error !== null) rejectWithStack(resolve, error);
        else resolve(count);
      }), kUsePromises);
    });
  }
}

async function writeData(fd, data, isIterable, signal, encoding) {
  checkAborted(signal);
  if (!isIterable) {
    await writeAll(fd, data, signal);
    return;
  }
  for await (const part of data) {
    checkAborted(signal);
    await writeAll(fd, isArrayBufferView(part) ? part : Buffer.from(part, encoding || 'utf8'));
    checkAborted(signal);
  }
}

// writeFile() of a FileHandle, whose close() waits for it.
async function writeHandle(handle, data, options) {
  let failure = null;
  await run(handle, 'writeFile', (done) => {
    PromisePrototypeThen(writeFile(handle, data, options), () => done(null), (error) => {
      failure = { error };
      done(null);
    });
  });
  if (failure !== null) throw failure.error;
}

function appendOptions(options) {
  options = copyObject(getOptions(options, { encoding: 'utf8', mode: 0o666, flag: 'a' }));
  options.flag ||= 'a';
  return options;
}

async function appendFile(path, data, options) {
  return writeFile(path, data, appendOptions(options));
}

async function appendToHandle(handle, data, options) {
  return writeHandle(handle, data, appendOptions(options));
}

async function rm(path, options) {
  return require('internal/fs/rm').rmPromise(path, options);
}

async function* watch(filename, options = kEmptyObject) {
  validateObject(options, 'options');
  if (options.recursive != null) validateBoolean(options.recursive, 'options.recursive');
  if (!options.recursive) {
    yield* require('internal/fs/watchers').watchAsIterator(filename, options);
    return;
  }
  const { FSWatcher, kFSWatchStart } = require('internal/fs/recursive_watch');
  const watcher = new FSWatcher(options);
  watcher[kFSWatchStart](filename);
  yield* watcher;
}

async function* glob(pattern, options) {
  const { Glob } = require('internal/fs/glob');
  yield* new Glob(pattern, options).glob();
}

function opendir(path, options, unused) {
  return require('internal/fs/dir').opendirPromise(path, options);
}

module.exports = {
  exports: {
    access,
    copyFile,
    cp,
    glob,
    open,
    opendir,
    rename: directories.rename,
    truncate,
    rm,
    rmdir: directories.rmdir,
    mkdir: directories.mkdir,
    readdir: directories.readdir,
    readlink: directories.readlink,
    symlink: directories.symlink,
    lstat,
    stat,
    statfs,
    link: directories.link,
    unlink: directories.unlink,
    chmod,
    lchmod,
    lchown,
    chown,
    utimes,
    lutimes,
    realpath: directories.realpath,
    mkdtemp: directories.mkdtemp,
    mkdtempDisposable: directories.mkdtempDisposable,
    writeFile,
    appendFile,
    readFile,
    watch,
    constants,
  },
  FileHandle,
  appendToHandle,
  readHandle,
  writeHandle,
};
