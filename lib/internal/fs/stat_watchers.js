'use strict';
// fs.watchFile(): polls the statistics of a file with a timer, which also follows the virtual clock.

const { BigInt64Array, Float64Array, ObjectSetPrototypeOf, SafeMap, Symbol } = primordials;

const binding = internalBinding('fs');
const EventEmitter = require('events');
const { bindCallback } = require('internal/async_hooks');
const { nextTick } = require('internal/process/task_queues');
const { getStats, getValidatedPath } = require('internal/fs/utils');
const { validateFunction, validateUint32 } = require('internal/validators');
const { clearTimeout, setTimeout } = require('timers');

const kOldStatus = Symbol('kOldStatus');
const kUseBigint = Symbol('kUseBigint');
const kRefCount = Symbol('KFSStatWatcherRefCount');
const kMaxRefCount = Symbol('KFSStatWatcherMaxRefCount');
const kFSStatWatcherStart = Symbol('kFSStatWatcherStart');
const kFSStatWatcherAddOrCleanRef = Symbol('kFSStatWatcherAddOrCleanRef');

// The length of the array that the binding's stat() returns.
const kNumbersOfStat = 18;

// As in Node: not a multiple of usual intervals, so that polls do not coincide with other timers.
const kDefaultInterval = 5007;

const fields = ['ctimeMs', 'mtimeMs', 'birthtimeMs', 'size', 'mode', 'uid', 'gid', 'ino', 'dev'];
const exactFields = ['ctimeNs', 'mtimeNs', 'birthtimeNs', 'size', 'mode', 'uid', 'gid', 'ino', 'dev'];

function isSame(left, right, names) {
  for (let i = 0; i < names.length; i++) {
    if (left[names[i]] !== right[names[i]]) return false;
  }
  return true;
}

// The statistics of a file that does not exist.
function noStats(bigint) {
  return getStats(bigint ? new BigInt64Array(kNumbersOfStat) : new Float64Array(kNumbersOfStat));
}

// Polls one path: one stat() at a time, and the next one a full interval after the last has ended.
class Poll {
  #path;
  #interval;
  #bigint;
  #onChange;
  #timer = null;
  #hasRef = true;
  #isClosed = false;
  #last;
  #status; // Of the last stat(): 0, or the negative errno.

  constructor(path, interval, bigint, onChange) {
    this.#path = path;
    this.#interval = interval;
    this.#bigint = bigint;
    this.#onChange = bindCallback('STATWATCHER', onChange, true);
    this.#last = noStats(bigint);
    this.#lookNow();
    this.#again();
  }

  // The first stat() is synchronous, so that any later modification of the file is detected as a change. As in Node, an
  // error is reported when a job of the pool has finished.
  #lookNow() {
    try {
      this.#last = getStats(binding.stat(this.#path, this.#bigint));
      this.#status = 0;
    } catch (error) {
      const { errno } = error;
      this.#status = errno;
      binding.stat(this.#path, this.#bigint, () => {
        if (!this.#isClosed) this.#onChange(errno, noStats(this.#bigint), this.#last);
      });
    }
  }

  #look() {
    this.#timer = null;
    binding.stat(this.#path, this.#bigint, (error, numbers) => {
      if (this.#isClosed) return;
      this.#again();
      this.#compare(error, error === null ? getStats(numbers) : undefined);
    });
  }

  #again() {
    this.#timer = setTimeout(() => this.#look(), this.#interval);
    if (!this.#hasRef) this.#timer.unref();
  }

  #compare(error, stats) {
    const before = this.#status;
    if (error !== null) {
      this.#status = error.errno;
      if (before !== this.#status) this.#onChange(this.#status, noStats(this.#bigint), this.#last);
      return;
    }
    const last = this.#last;
    const names = this.#bigint ? exactFields : fields;
    const isChanged = before < 0 || !isSame(last, stats, names);
    this.#last = stats;
    this.#status = 0;
    if (isChanged) this.#onChange(0, stats, last);
  }

  ref() {
    this.#hasRef = true;
    this.#timer?.ref();
  }

  hasRef() {
    return this.#hasRef;
  }

  // True if this poll's timer keeps the loop alive.
  hasRefedTimer() {
    return this.#hasRef && this.#timer !== null;
  }

  unref() {
    this.#hasRef = false;
    this.#timer?.unref();
  }

  close() {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}

function emitStop(self) {
  self.emit('stop');
}

function StatWatcher(bigint) {
  EventEmitter.call(this);
  this._handle = null;
  this[kOldStatus] = -1;
  this[kUseBigint] = bigint;
  this[kRefCount] = 1;
  this[kMaxRefCount] = 1;
}
ObjectSetPrototypeOf(StatWatcher.prototype, EventEmitter.prototype);
ObjectSetPrototypeOf(StatWatcher, EventEmitter);

StatWatcher.prototype[kFSStatWatcherStart] = function(filename, persistent, interval) {
  if (this._handle !== null) return;
  validateUint32(interval, 'interval');
  const path = getValidatedPath(filename, 'filename');
  this._handle = new Poll(path, interval, this[kUseBigint] === true, (status, now, before) => {
    this[kOldStatus] = status;
    this.emit('change', now, before);
  });
  if (!persistent) this.unref();
};

// Kept for compatibility, without effect: fs.watchFile() starts the watcher.
StatWatcher.prototype.start = function() {};

StatWatcher.prototype.stop = function() {
  if (this._handle === null) return;
  nextTick(emitStop, this);
  this._handle.close();
  this._handle = null;
};

StatWatcher.prototype[kFSStatWatcherAddOrCleanRef] = function(operation) {
  if (operation === 'add') {
    this[kRefCount]++;
    this[kMaxRefCount]++;
  } else if (operation === 'clean') {
    // The watcher does not know whether the removed listener had a ref.
    this[kMaxRefCount]--;
    this.unref();
  } else if (operation === 'cleanAll') {
    this[kMaxRefCount] = 0;
    this[kRefCount] = 0;
    this._handle?.unref();
  }
};

// Each listener holds a ref. The loop stays alive while one is left.
StatWatcher.prototype.ref = function() {
  if (this[kRefCount] === this[kMaxRefCount]) return this;
  if (this._handle && this[kRefCount]++ === 0) this._handle.ref();
  return this;
};

StatWatcher.prototype.unref = function() {
  if (this[kRefCount] === 0) return this;
  if (this._handle && --this[kRefCount] === 0) this._handle.unref();
  return this;
};

// Watchers by absolute path. Listeners of one file share a watcher, with the options of the first.
const watchers = new SafeMap();

function absolutePath(filename) {
  return require('path').resolve(getValidatedPath(filename));
}

function watchFile(filename, options, listener) {
  filename = absolutePath(filename);
  if (options === null || typeof options !== 'object') {
    listener = options;
    options = null;
  }
  options = { interval: kDefaultInterval, persistent: true, ...options };
  validateFunction(listener, 'listener');
  let watcher = watchers.get(filename);
  if (watcher === undefined) {
    watcher = new StatWatcher(options.bigint);
    watcher[kFSStatWatcherStart](filename, options.persistent, options.interval);
    watchers.set(filename, watcher);
  } else {
    watcher[kFSStatWatcherAddOrCleanRef]('add');
  }
  watcher.addListener('change', listener);
  return watcher;
}

function unwatchFile(filename, listener) {
  filename = absolutePath(filename);
  const watcher = watchers.get(filename);
  if (watcher === undefined) return;
  if (typeof listener === 'function') {
    const before = watcher.listenerCount('change');
    watcher.removeListener('change', listener);
    if (watcher.listenerCount('change') < before) watcher[kFSStatWatcherAddOrCleanRef]('clean');
  } else {
    watcher.removeAllListeners('change');
    watcher[kFSStatWatcherAddOrCleanRef]('cleanAll');
  }
  if (watcher.listenerCount('change') === 0) {
    watcher.stop();
    watchers.delete(filename);
  }
}

function forEachRefedWatcher(visit) {
  watchers.forEach((watcher) => {
    if (watcher._handle !== null && watcher._handle.hasRef()) visit(watcher);
  });
}

function countRefedTimers() {
  let count = 0;
  forEachRefedWatcher((watcher) => {
    if (watcher._handle.hasRefedTimer()) count++;
  });
  return count;
}

module.exports = { StatWatcher, countRefedTimers, forEachRefedWatcher, unwatchFile, watchFile };
