'use strict';
// fs.watch() of a tree. inotify cannot watch trees, so there is one watcher per directory. Names are reported relative
// to the root. A new directory is listed when it appears, because no event reports entries made before its watcher
// started.

const { ArrayPrototypePush, ArrayPrototypeShift, ObjectSetPrototypeOf, Promise, SafeMap, StringPrototypeStartsWith,
  SymbolAsyncIterator } = primordials;

const EventEmitter = require('events');
const { AbortError } = require('internal/errors');
const { FSWatcher: SingleWatcher, kFSWatchStart } = require('internal/fs/watchers');
const { getValidatedPath } = require('internal/fs/utils');
const { kEmptyObject } = require('internal/util');
const { nextTick } = require('internal/process/task_queues');
const { validateAbortSignal, validateBoolean, validateObject } = require('internal/validators');
const { Buffer } = require('buffer');
const path = require('path');

let fs;
function lazyFs() {
  return fs ??= require('fs');
}

function emitCloseNT(self) {
  self.emit('close');
}

class FSWatcher extends EventEmitter {
  #options;
  #root = '';
  #rootIsFile = false;
  #isClosed = false;
  #hasRef = true;
  #ignore = null;
  #directories = new SafeMap(); // Absolute path of each watched directory -> its watcher.
  #known = new SafeMap(); // Absolute path of each entry that was seen -> whether it is a directory.

  constructor(options = kEmptyObject) {
    super();
    validateObject(options, 'options');
    if (options.persistent != null) validateBoolean(options.persistent, 'options.persistent');
    if (options.recursive != null) validateBoolean(options.recursive, 'options.recursive');
    if (options.encoding != null && options.encoding !== 'buffer' && !Buffer.isEncoding(options.encoding)) {
      const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
      throw new ERR_INVALID_ARG_VALUE('options.encoding', options.encoding);
    }
    validateAbortSignal(options.signal, 'options.signal');
    if (options.ignore != null) this.#ignore = require('internal/fs/watch_ignore').makeIgnore(options.ignore);
    this.#options = { persistent: options.persistent ?? true, encoding: options.encoding, signal: options.signal };
  }

  [kFSWatchStart](filename) {
    filename = path.resolve(getValidatedPath(filename));
    this.#root = filename;
    this.#hasRef = this.#options.persistent;
    try {
      this.#rootIsFile = !lazyFs().statSync(filename).isDirectory();
      if (this.#rootIsFile) {
        this.#watch(path.dirname(filename), filename);
      } else {
        this.#enter(filename, false);
      }
    } catch (error) {
      this.#closeAll();
      error.filename = filename;
      throw error;
    }
  }

  // Watches a directory and all below it. If the directory is new, its entries are reported as new.
  #enter(directory, isNew) {
    if (this.#isClosed || this.#directories.has(directory)) return;
    this.#watch(directory, undefined);
    let entries;
    try {
      entries = lazyFs().readdirSync(directory, { withFileTypes: true });
    } catch (error) {
      // Removed again: the watcher of its parent reports that.
      if (isNew || directory !== this.#root) return;
      throw error;
    }
    for (let i = 0; i < entries.length; i++) {
      const child = path.join(directory, entries[i].name);
      // Ignored entries get no watcher.
      if (this.#ignore?.(path.relative(this.#root, child))) continue;
      const isDirectory = entries[i].isDirectory();
      const wasKnown = this.#known.has(child);
      this.#known.set(child, isDirectory);
      if (isNew && !wasKnown) this.#emit('rename', child);
      if (this.#isClosed) return;
      if (isDirectory) this.#enter(child, isNew);
    }
  }

  #watch(directory, only) {
    const watcher = new SingleWatcher();
    watcher.on('change', (eventType, name) => {
      if (this.#isClosed || name === null) return;
      if (only !== undefined) {
        if (name === path.basename(only)) this.#emit(eventType, only);
        return;
      }
      this.#onChange(eventType, directory, name);
    });
    watcher.on('error', (error) => this.emit('error', error));
    try {
      watcher[kFSWatchStart](directory, this.#hasRef, false, 'utf8');
    } catch (error) {
      // The directory was removed during the walk.
      if (directory !== this.#root && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return;
      throw error;
    }
    this.#directories.set(directory, watcher);
  }

  #onChange(eventType, directory, name) {
    // An event of the directory itself. The watcher of its parent reports it, too, except for the root.
    if (name === path.basename(directory) && !this.#isThere(path.join(directory, name))) {
      if (directory === this.#root && !this.#isThere(directory)) this.#leave(directory);
      if (!this.#known.has(path.join(directory, name))) return;
    }
    const child = path.join(directory, name);
    if (this.#ignore?.(path.relative(this.#root, child))) return;
    if (eventType !== 'rename') {
      this.#emit(eventType, child);
      return;
    }
    const stats = lazyFs().lstatSync(child, { throwIfNoEntry: false });
    if (stats === undefined) {
      if (this.#known.get(child) === true) this.#leave(child);
      this.#known.delete(child);
      this.#emit('rename', child);
      return;
    }
    const isKnownDirectory = this.#directories.has(child);
    const wasReported = this.#known.has(child) && isKnownDirectory;
    this.#known.set(child, stats.isDirectory());
    if (!wasReported) this.#emit('rename', child);
    if (!this.#isClosed && stats.isDirectory()) {
      try {
        this.#enter(child, true);
      } catch (error) {
        this.emit('error', error);
      }
    }
  }

  #isThere(file) {
    return lazyFs().lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  }

  // Stops watching a removed directory and all below it.
  #leave(directory) {
    const below = `${directory}${path.sep}`;
    for (const { 0: watched, 1: watcher } of this.#directories) {
      if (watched !== directory && !StringPrototypeStartsWith(watched, below)) continue;
      watcher.removeAllListeners();
      watcher.close();
      this.#directories.delete(watched);
    }
    for (const { 0: known } of this.#known) {
      if (StringPrototypeStartsWith(known, below)) this.#known.delete(known);
    }
  }

  #emit(eventType, file) {
    const name = this.#rootIsFile ? path.basename(file) : path.relative(this.#root, file);
    const { encoding } = this.#options;
    if (encoding === undefined || encoding === null || encoding === 'utf8') {
      this.emit('change', eventType, name);
    } else {
      const bytes = Buffer.from(name);
      this.emit('change', eventType, encoding === 'buffer' ? bytes : bytes.toString(encoding));
    }
  }

  #closeAll() {
    this.#isClosed = true;
    for (const { 1: watcher } of this.#directories) {
      watcher.removeAllListeners();
      watcher.close();
    }
    this.#directories.clear();
    this.#known.clear();
  }

  close() {
    if (this.#isClosed) return;
    this.#closeAll();
    nextTick(emitCloseNT, this);
  }

  ref() {
    this.#hasRef = true;
    for (const { 1: watcher } of this.#directories) watcher.ref();
    return this;
  }

  unref() {
    this.#hasRef = false;
    for (const { 1: watcher } of this.#directories) watcher.unref();
    return this;
  }

  // For fs.promises.watch().
  async *[SymbolAsyncIterator]() {
    const { signal } = this.#options;
    if (signal?.aborted) {
      this.close();
      throw new AbortError(undefined, { cause: signal.reason });
    }
    const queue = [];
    let failure = null;
    let isDone = false;
    let wake = null;
    const ring = () => {
      const waiting = wake;
      wake = null;
      if (waiting !== null) waiting();
    };
    const onChange = (eventType, filename) => {
      ArrayPrototypePush(queue, { eventType, filename });
      ring();
    };
    const onError = (error) => {
      failure ??= error;
      ring();
    };
    const onClose = () => {
      isDone = true;
      ring();
    };
    const onAbort = () => onError(new AbortError(undefined, { cause: signal.reason }));
    this.on('change', onChange);
    this.on('error', onError);
    this.on('close', onClose);
    signal?.addEventListener('abort', onAbort, { __proto__: null, once: true });
    try {
      for (;;) {
        while (queue.length > 0 && failure === null) yield ArrayPrototypeShift(queue);
        if (failure !== null) throw failure;
        if (isDone) return;
        await new Promise((resolve) => { wake = resolve; });
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.close();
    }
  }
}
ObjectSetPrototypeOf(FSWatcher, EventEmitter);

module.exports = { FSWatcher, kFSWatchStart };
