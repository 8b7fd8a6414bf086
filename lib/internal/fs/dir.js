'use strict';
// fs.Dir: a directory that is read some entries at a time. With `recursive` the directories below follow, those that were
// met first before the others.

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
const { bindCallback } = require('internal/async_hooks');
const {
  UVException,
  codes: { ERR_DIR_CLOSED, ERR_DIR_CONCURRENT_OPERATION, ERR_MISSING_ARGS },
} = require('internal/errors');
const { Dirent, decodeName, getOptions, getValidatedPath, wantsBytes } = require('internal/fs/utils');
const { nextTick } = require('internal/process/task_queues');
const { validateFunction, validateUint32 } = require('internal/validators');
const path = require('path');

const kDirHandle = Symbol('kDirHandle');
const kDirBufferedEntries = Symbol('kDirBufferedEntries');
const kDirPath = Symbol('kDirPath');
const kDirClosed = Symbol('kDirClosed');
const kDirOperationQueue = Symbol('kDirOperationQueue');
const kDirOptions = Symbol('kDirOptions');
const kDirsToCome = Symbol('kDirsToCome');
const kDirNow = Symbol('kDirNow');
const kDirEnded = Symbol('kDirEnded');
const kDirFirst = Symbol('kDirFirst');

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
    // What waits for the operation under way; null while there is none.
    this[kDirOperationQueue] = null;
    this[kDirOptions] = checkedOptions(options);
    watchForCollection(this);
    // Whether the directory that is read has no more entries than those that wait.
    ObjectDefineProperty(this, kDirEnded, { __proto__: null, value: false, writable: true });
    // What came with the opening: { found, isAtEnd }, for the first operation.
    ObjectDefineProperty(this, kDirFirst, { __proto__: null, value: null, writable: true });
    if (this[kDirOptions].recursive) {
      ObjectDefineProperty(this, kDirsToCome, { __proto__: null, value: [] });
      ObjectDefineProperty(this, kDirNow, { __proto__: null, value: name, writable: true });
    }
  }

  get path() {
    return this[kDirPath];
  }

  read(callback) {
    if (this[kDirClosed]) throw new ERR_DIR_CLOSED();
    if (callback === undefined) {
      return new Promise((resolve, reject) => {
        readEntry(this, (error, entry) => (error ? reject(error) : resolve(entry)));
      });
    }
    validateFunction(callback, 'callback');
    readEntry(this, bindCallback('FSREQCALLBACK', callback));
    return undefined;
  }

  readSync() {
    checkSync(this);
    for (;;) {
      const entry = takeEntry(this);
      if (entry !== null) return entry;
      const found = readSome(this);
      if (typeof found === 'number') throw dirError(found, 'scandir', currentPath(this));
      if (found !== null) {
        addEntries(this, found);
      } else if (!openNextSync(this)) {
        return null;
      }
    }
  }

  close(callback) {
    if (callback === undefined) {
      if (this[kDirClosed]) return PromiseReject(new ERR_DIR_CLOSED());
      return new Promise((resolve, reject) => {
        this.close((error) => (error ? reject(error) : resolve()));
      });
    }
    validateFunction(callback, 'callback');
    if (this[kDirClosed]) {
      nextTick(callback, new ERR_DIR_CLOSED());
      return undefined;
    }
    if (this[kDirOperationQueue] !== null) {
      ArrayPrototypePush(this[kDirOperationQueue], () => this.close(callback));
      return undefined;
    }
    this[kDirClosed] = true;
    forget(this);
    binding.close(this[kDirHandle]);
    nextTick(callback, null);
    return undefined;
  }

  closeSync() {
    checkSync(this);
    this[kDirClosed] = true;
    forget(this);
    binding.close(this[kDirHandle]);
  }

  async* entries() {
    try {
      for (;;) {
        const entry = await this.read();
        if (entry === null) break;
        yield entry;
      }
    } finally {
      if (!this[kDirClosed]) await this.close();
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

// The directory that is being read: the first one, or one below it.
function currentPath(dir) {
  return dir[kDirNow] ?? dir[kDirPath];
}

function takeEntry(dir) {
  const buffered = dir[kDirBufferedEntries];
  return buffered.length === 0 ? null : ArrayPrototypeShift(buffered);
}

function addEntries(dir, found) {
  const name = currentPath(dir);
  const { encoding } = dir[kDirOptions];
  const buffered = dir[kDirBufferedEntries];
  for (let i = 0; i < found.length; i += 2) {
    const entry = new Dirent(decodeName(found[i], encoding), found[i + 1], name);
    ArrayPrototypePush(buffered, entry);
    if (dir[kDirsToCome] !== undefined && entry.isDirectory()) {
      ArrayPrototypePush(dir[kDirsToCome], path.join(`${name}`, `${entry.name}`));
    }
  }
}

// Entries, null at the end, or a negative errno.
function readSome(dir) {
  const first = dir[kDirFirst];
  dir[kDirFirst] = null;
  if (first !== null && first.found !== null) return first.found;
  const { encoding, bufferSize } = dir[kDirOptions];
  return binding.readSync(dir[kDirHandle], bufferSize, wantsBytes(encoding));
}

// What is gone before we get to it is passed over; any other failure is the program's to know.
function openNextSync(dir) {
  while (dir[kDirsToCome]?.length > 0) {
    const next = ArrayPrototypeShift(dir[kDirsToCome]);
    const handle = binding.openSync(next);
    if (typeof handle !== 'number') {
      enter(dir, handle, next);
      return true;
    }
    if (handle !== kNotThere) throw dirError(handle, 'opendir', next);
  }
  return false;
}

const kNotThere = -2;

function enter(dir, handle, name) {
  binding.close(dir[kDirHandle]);
  dir[kDirHandle] = handle;
  dir[kDirNow] = name;
  dir[kDirEnded] = false;
}

// Calls back with an entry, or null at the end. Operations run one after the other.
function readEntry(dir, callback) {
  if (dir[kDirOperationQueue] !== null) {
    ArrayPrototypePush(dir[kDirOperationQueue], () => readEntry(dir, callback));
    return;
  }
  const entry = takeEntry(dir);
  if (entry !== null) {
    nextTick(callback, null, entry);
    return;
  }
  // It was closed while this waited.
  if (dir[kDirClosed]) {
    nextTick(callback, new ERR_DIR_CLOSED());
    return;
  }
  dir[kDirOperationQueue] = [];
  readMore(dir, (error) => {
    const waiting = dir[kDirOperationQueue];
    dir[kDirOperationQueue] = null;
    const first = error === null ? takeEntry(dir) : null;
    for (let i = 0; i < waiting.length; i++) waiting[i]();
    if (error !== null) callback(error);
    else callback(null, first);
  });
}

function readMore(dir, done) {
  const first = dir[kDirFirst];
  if (first !== null) {
    dir[kDirFirst] = null;
    nextTick(takeFound, dir, first.found, first.isAtEnd, done);
    return;
  }
  if (dir[kDirEnded]) {
    openNext(dir, done);
    return;
  }
  const { encoding, bufferSize } = dir[kDirOptions];
  binding.read(dir[kDirHandle], bufferSize, wantsBytes(encoding), (errno, found, isAtEnd) => {
    if (errno < 0) {
      done(dirError(errno, 'scandir', currentPath(dir)));
      return;
    }
    takeFound(dir, found, isAtEnd, done);
  });
}

function takeFound(dir, found, isAtEnd, done) {
  dir[kDirEnded] = isAtEnd;
  if (found !== null) {
    addEntries(dir, found);
    done(null);
  } else if (isAtEnd) {
    openNext(dir, done);
  } else {
    readMore(dir, done);
  }
}

function openNext(dir, done) {
  if (dir[kDirsToCome] === undefined || dir[kDirsToCome].length === 0) {
    nextTick(done, null);
    return;
  }
  const next = ArrayPrototypeShift(dir[kDirsToCome]);
  const { encoding, bufferSize } = dir[kDirOptions];
  binding.open(next, bufferSize, wantsBytes(encoding), (errno, found, isAtEnd, handle) => {
    if (errno === 0) {
      enter(dir, handle, next);
      takeFound(dir, found, isAtEnd, done);
    } else if (errno === kNotThere) {
      openNext(dir, done);
    } else {
      done(dirError(errno, 'opendir', next));
    }
  });
}

// A Dir that the program lost is closed by the collector of its handle, and the program is told of it.
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

// Calls back with a Dir that has its first entries.
function start(name, options, callback) {
  binding.open(name, options.bufferSize, wantsBytes(options.encoding), (errno, found, isAtEnd, handle) => {
    if (errno < 0) {
      callback(dirError(errno, 'opendir', name));
      return;
    }
    const dir = new Dir(handle, name, options);
    dir[kDirFirst] = { found, isAtEnd };
    callback(null, dir);
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
