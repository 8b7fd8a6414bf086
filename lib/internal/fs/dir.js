'use strict';
// fs.Dir: a directory that is read a few entries at a time. As in Node, opening, each read and closing are jobs of the
// pool, but with `recursive` the directories below are read synchronously.

const {
  ArrayPrototypePush,
  ArrayPrototypeShift,
  ObjectDefineProperty,
  Promise,
  PromiseReject,
  Symbol,
  SymbolAsyncIterator,
} = primordials;

const binding = internalBinding('fs_dir');
const { UV_ENOENT } = internalBinding('uv');
const { bindCallback } = require('internal/async_hooks');
const {
  UVException,
  codes: { ERR_DIR_CLOSED, ERR_DIR_CONCURRENT_OPERATION, ERR_INVALID_THIS, ERR_MISSING_ARGS },
} = require('internal/errors');
const { Dirent, decodeName, getOptions, getValidatedPath, wantsBytes } = require('internal/fs/utils');
const { nextTick } = require('internal/process/task_queues');
const { validateFunction, validateUint32 } = require('internal/validators');
const { SymbolAsyncDispose, SymbolDispose } = require('internal/util');
const path = require('path');

const kDirHandle = Symbol('kDirHandle');
const kDirBufferedEntries = Symbol('kDirBufferedEntries');
const kDirPath = Symbol('kDirPath');
const kDirClosed = Symbol('kDirClosed');
const kDirOperationQueue = Symbol('kDirOperationQueue');
const kDirOptions = Symbol('kDirOptions');
const kDirsBelow = Symbol('kDirsBelow');

const kDefaultOptions = { encoding: 'utf8' };

function dirError(errno, syscall, name) {
  return new UVException({ errno, code: undefined, syscall, path: name });
}

class Dir {
  constructor(handle, name, options) {
    if (handle == null) throw new ERR_MISSING_ARGS('handle');
    this[kDirHandle] = handle;
    this[kDirBufferedEntries] = [];
    this[kDirPath] = name;
    this[kDirClosed] = false;
    // Operations queued behind the one in flight; null if none is in flight.
    this[kDirOperationQueue] = null;
    this[kDirOptions] = checkedOptions(options);
    watchForCollection(this);
    // With `recursive`: open directories below, { handle, name }.
    ObjectDefineProperty(this, kDirsBelow, { __proto__: null, value: [] });
  }

  get path() {
    if (this?.[kDirHandle] === undefined) throw new ERR_INVALID_THIS('Dir');
    return this[kDirPath];
  }

  read(callback) {
    if (arguments.length === 0) return readPromise(this);
    if (this[kDirClosed]) throw new ERR_DIR_CLOSED();
    if (callback === undefined) return readPromise(this);
    validateFunction(callback, 'callback');
    readEntry(this, true, bindCallback('FSREQCALLBACK', callback));
    return undefined;
  }

  readSync() {
    checkSync(this);
    if (readBelow(this)) return takeEntry(this);
    const { encoding, bufferSize } = this[kDirOptions];
    const found = binding.readSync(this[kDirHandle], bufferSize, wantsBytes(encoding));
    if (typeof found === 'number') throw dirError(found, 'scandir', this[kDirPath]);
    if (found === null) return null;
    addEntries(this, this[kDirPath], found);
    return takeEntry(this);
  }

  close(callback) {
    if (callback === undefined) {
      if (this[kDirClosed]) return PromiseReject(new ERR_DIR_CLOSED());
      return closePromise(this);
    }
    validateFunction(callback, 'callback');
    if (this[kDirClosed]) {
      nextTick(callback, new ERR_DIR_CLOSED());
      return undefined;
    }
    closeLater(this, bindCallback('FSREQCALLBACK', callback));
    return undefined;
  }

  closeSync() {
    checkSync(this);
    startClosing(this);
    binding.close(this[kDirHandle]);
  }

  [SymbolDispose]() {
    if (!this[kDirClosed]) this.closeSync();
  }

  async [SymbolAsyncDispose]() {
    if (!this[kDirClosed]) await closePromise(this);
  }

  async *entries() {
    try {
      for (;;) {
        const entry = await readPromise(this);
        if (entry === null) break;
        yield entry;
      }
    } finally {
      await closePromise(this);
    }
  }
}

ObjectDefineProperty(Dir.prototype, SymbolAsyncIterator, {
  __proto__: null,
  value: Dir.prototype.entries,
  enumerable: false,
  writable: true,
  configurable: true,
});

function checkedOptions(options) {
  const checked = { bufferSize: 32, ...getOptions(options, kDefaultOptions) };
  validateUint32(checked.bufferSize, 'options.bufferSize', true);
  return checked;
}

function checkSync(dir) {
  if (dir[kDirClosed]) throw new ERR_DIR_CLOSED();
  if (dir[kDirOperationQueue] !== null) throw new ERR_DIR_CONCURRENT_OPERATION();
}

// Removes the next entry from the buffer. With `recursive`, a directory is opened when its entry is returned.
function takeEntry(dir) {
  const entry = ArrayPrototypeShift(dir[kDirBufferedEntries]);
  if (dir[kDirOptions].recursive && entry.isDirectory()) {
    const name = path.join(`${entry.parentPath}`, `${entry.name}`);
    const handle = binding.openSync(name);
    // Skips a directory that has been removed meanwhile.
    if (typeof handle !== 'number') ArrayPrototypePush(dir[kDirsBelow], { handle, name });
    else if (handle !== UV_ENOENT) throw dirError(handle, 'opendir', name);
  }
  return entry;
}

function addEntries(dir, name, found) {
  const { encoding } = dir[kDirOptions];
  const buffered = dir[kDirBufferedEntries];
  for (let i = 0; i < found.length; i += 2) {
    ArrayPrototypePush(buffered, new Dirent(decodeName(found[i], encoding), found[i + 1], name));
  }
}

// Reads from the directories below until an entry is buffered. Returns false if there is none.
function readBelow(dir) {
  const below = dir[kDirsBelow];
  const { encoding, bufferSize } = dir[kDirOptions];
  while (below.length > 0) {
    const next = ArrayPrototypeShift(below);
    const found = binding.readSync(next.handle, bufferSize, wantsBytes(encoding));
    if (typeof found === 'number') throw dirError(found, 'scandir', next.name);
    if (found !== null) {
      addEntries(dir, next.name, found);
      ArrayPrototypePush(below, next);
    } else {
      binding.close(next.handle);
    }
    if (dir[kDirBufferedEntries].length > 0) break;
  }
  return dir[kDirBufferedEntries].length > 0;
}

// Calls back with the next entry, or null at the end, after the operations queued before it. A buffered entry is
// delivered in the next tick if `isLater`, otherwise synchronously.
function readEntry(dir, isLater, callback) {
  if (dir[kDirOperationQueue] !== null) {
    ArrayPrototypePush(dir[kDirOperationQueue], () => readEntry(dir, isLater, callback));
    return;
  }
  // The directory was closed while this operation was queued.
  if (dir[kDirClosed]) {
    nextTick(callback, new ERR_DIR_CLOSED());
    return;
  }
  let entry = null;
  try {
    if (readBelow(dir)) entry = takeEntry(dir);
  } catch (error) {
    callback(error);
    return;
  }
  if (entry !== null) {
    if (isLater) nextTick(callback, null, entry);
    else callback(null, entry);
    return;
  }
  dir[kDirOperationQueue] = [];
  const { encoding, bufferSize } = dir[kDirOptions];
  binding.read(dir[kDirHandle], bufferSize, wantsBytes(encoding), (errno, found) => {
    // Queued operations continue in the next tick, after the callback.
    nextTick(runWaiting, dir);
    let first = null;
    try {
      if (errno < 0) throw dirError(errno, 'scandir', dir[kDirPath]);
      if (found !== null) {
        addEntries(dir, dir[kDirPath], found);
        first = takeEntry(dir);
      }
    } catch (error) {
      callback(error);
      return;
    }
    callback(null, first);
  });
}

function runWaiting(dir) {
  const waiting = dir[kDirOperationQueue];
  dir[kDirOperationQueue] = null;
  for (let i = 0; i < waiting.length; i++) waiting[i]();
}

function readPromise(dir) {
  return new Promise((resolve, reject) => {
    if (dir[kDirClosed]) throw new ERR_DIR_CLOSED();
    readEntry(dir, false, (error, entry) => (error ? reject(error) : resolve(entry)));
  });
}

function startClosing(dir) {
  dir[kDirClosed] = true;
  forget(dir);
  const below = dir[kDirsBelow];
  while (below.length > 0) binding.close(ArrayPrototypeShift(below).handle);
}

function closeLater(dir, callback) {
  if (dir[kDirOperationQueue] !== null) {
    ArrayPrototypePush(dir[kDirOperationQueue], () => dir.close(callback));
    return;
  }
  startClosing(dir);
  binding.close(dir[kDirHandle], () => callback(null));
}

function closePromise(dir) {
  return new Promise((resolve, reject) => {
    if (dir[kDirClosed]) nextTick(reject, new ERR_DIR_CLOSED());
    else closeLater(dir, (error) => (error ? reject(error) : resolve()));
  });
}

// Warns about a Dir that is collected without having been closed. Its native handle closes itself.
let collected;
function watchForCollection(dir) {
  collected ??= new primordials.SafeFinalizationRegistry(() => {
    process.emitWarning('Closing directory handle on garbage collection');
  });
  collected.register(dir, undefined, dir[kDirOptions]);
}

function forget(dir) {
  collected.unregister(dir[kDirOptions]);
}

function start(name, options, callback) {
  binding.open(name, (errno, handle) => {
    if (errno < 0) callback(dirError(errno, 'opendir', name));
    else callback(null, new Dir(handle, name, options));
  });
}

function opendir(name, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  validateFunction(callback, 'callback');
  name = getValidatedPath(name);
  options = checkedOptions(getOptions(options, kDefaultOptions));
  start(name, options, bindCallback('FSREQCALLBACK', callback));
}

function opendirSync(name, options) {
  name = getValidatedPath(name);
  options = checkedOptions(getOptions(options, kDefaultOptions));
  const handle = binding.openSync(name);
  if (typeof handle === 'number') throw dirError(handle, 'opendir', undefined);
  return new Dir(handle, name, options);
}

async function opendirPromise(name, options) {
  name = getValidatedPath(name);
  options = checkedOptions(getOptions(options, kDefaultOptions));
  return new Promise((resolve, reject) => {
    start(name, options, (error, dir) => (error ? reject(error) : resolve(dir)));
  });
}

module.exports = { Dir, opendir, opendirPromise, opendirSync };
