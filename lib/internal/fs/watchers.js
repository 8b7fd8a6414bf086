'use strict';
// fs.watch() and fs.promises.watch() of one file or directory. For trees see internal/fs/recursive_watch, for polling
// internal/fs/stat_watchers.

const { ArrayPrototypePush, ArrayPrototypeShift, ObjectSetPrototypeOf, Promise, Symbol } = primordials;

const binding = internalBinding('fs_watch');
const EventEmitter = require('events');
const {
  AbortError,
  UVException,
  codes: { ERR_FS_WATCH_QUEUE_OVERFLOW, ERR_INVALID_ARG_VALUE },
} = require('internal/errors');
const { bindListener, listenerOf } = require('internal/async_hooks');
const { Buffer } = require('buffer');
const { decodeName, getOptions, getValidatedPath, wantsBytes } = require('internal/fs/utils');
const { kEmptyObject } = require('internal/util');
const { nextTick } = require('internal/process/task_queues');
const {
  validateAbortSignal,
  validateBoolean,
  validateInteger,
  validateObject,
  validateOneOf,
} = require('internal/validators');

const kFSWatchStart = Symbol('kFSWatchStart');
const { UV_ENOSPC } = internalBinding('uv');

function watchError(errno, path) {
  // For inotify, ENOSPC does not mean a full disk.
  const message = errno === UV_ENOSPC ? 'System limit for number of file watchers reached' : '';
  const error = new UVException({ errno, syscall: 'watch', path, message });
  error.filename = path;
  return error;
}

// Returns the name in the encoding; null if the event has none.
function nameOf(name, encoding) {
  return name === null ? null : decodeName(name, encoding);
}

// Native code references the callback, and so the watcher, until the handle is closed. `emitter` is the object that
// emits 'change', or null.
function startHandle(path, encoding, emitter, onChange) {
  const bound = bindListener('FSEVENTWRAP', onChange, () => listenerOf(emitter, 'change'), true);
  return binding.start(path, bound, wantsBytes(encoding));
}

function lazyIgnore(ignore) {
  return ignore === undefined || ignore === null ? null : require('internal/fs/watch_ignore').makeIgnore(ignore);
}

function emitCloseNT(self) {
  self.emit('close');
}

function FSWatcher() {
  EventEmitter.call(this);
  this._handle = null;
  this._ignoreMatcher = null;
}
ObjectSetPrototypeOf(FSWatcher.prototype, EventEmitter.prototype);
ObjectSetPrototypeOf(FSWatcher, EventEmitter);

FSWatcher.prototype[kFSWatchStart] = function(filename, persistent, recursive, encoding, ignore) {
  if (this._handle !== null) return;
  filename = getValidatedPath(filename, 'filename');
  this._ignoreMatcher = lazyIgnore(ignore);
  const handle = startHandle(filename, encoding, this, (errno, isRename, name) => {
    if (this._handle === null) return;
    if (errno < 0) {
      this._handle.close();
      this._handle = null;
      this.emit('error', watchError(errno, nameOf(name, encoding)));
      return;
    }
    const changed = nameOf(name, encoding);
    if (changed !== null && this._ignoreMatcher?.(changed)) return;
    this.emit('change', isRename ? 'rename' : 'change', changed);
  });
  if (typeof handle === 'number') throw watchError(handle, filename);
  this._handle = handle;
  handle.owner = this;
  if (!persistent) handle.unref();
};

// Kept for compatibility, without effect: fs.watch() starts the watcher.
FSWatcher.prototype.start = function() {};

FSWatcher.prototype.close = function() {
  if (this._handle === null) return;
  this._handle.close();
  this._handle = null;
  nextTick(emitCloseNT, this);
};

FSWatcher.prototype.ref = function() {
  if (this._handle) this._handle.ref();
  return this;
};

FSWatcher.prototype.unref = function() {
  if (this._handle) this._handle.unref();
  return this;
};

// fs.promises.watch() of one file or directory. Changes are queued while the program handles an earlier one.
async function* watchAsIterator(filename, options = kEmptyObject) {
  const path = getValidatedPath(filename);
  validateObject(options, 'options');
  const {
    persistent = true,
    recursive = false,
    encoding = 'utf8',
    maxQueue = 2048,
    overflow = 'ignore',
    signal,
    ignore,
  } = options;
  validateBoolean(persistent, 'options.persistent');
  validateBoolean(recursive, 'options.recursive');
  validateInteger(maxQueue, 'options.maxQueue');
  validateOneOf(overflow, 'options.overflow', ['ignore', 'error']);
  validateAbortSignal(signal, 'options.signal');
  const isIgnored = lazyIgnore(ignore);
  if (encoding && encoding !== 'buffer' && !Buffer.isEncoding(encoding)) {
    throw new ERR_INVALID_ARG_VALUE('encoding', encoding, 'is invalid encoding');
  }
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });

  const queue = [];
  let failure = null;
  let wake = null;
  const ring = () => {
    const waiting = wake;
    wake = null;
    if (waiting !== null) waiting();
  };
  const handle = startHandle(path, encoding, null, (errno, isRename, name) => {
    if (errno < 0) {
      failure ??= watchError(errno, nameOf(name, encoding));
    } else {
      const eventType = isRename ? 'rename' : 'change';
      const changed = nameOf(name, encoding);
      if (changed !== null && isIgnored?.(changed)) return;
      if (queue.length < maxQueue) {
        ArrayPrototypePush(queue, { __proto__: null, eventType, filename: changed });
      } else if (overflow === 'error') {
        queue.length = 0;
        failure ??= new ERR_FS_WATCH_QUEUE_OVERFLOW(maxQueue);
      } else {
        process.emitWarning('fs.watch maxQueue exceeded');
      }
    }
    ring();
  });
  if (typeof handle === 'number') throw watchError(handle, path);
  if (!persistent) handle.unref();
  const onAbort = () => {
    failure ??= new AbortError(undefined, { cause: signal.reason });
    ring();
  };
  try {
    signal?.addEventListener('abort', onAbort, { __proto__: null, once: true });
    for (;;) {
      while (queue.length > 0) yield ArrayPrototypeShift(queue);
      if (failure !== null) throw failure;
      await new Promise((resolve) => { wake = resolve; });
      // After an abort or error even queued changes are dropped.
      if (failure !== null) throw failure;
    }
  } finally {
    handle.close();
    signal?.removeEventListener('abort', onAbort);
  }
}

function watch(filename, options, listener) {
  if (typeof options === 'function') listener = options;
  options = getOptions(options);
  const { persistent = true, recursive = false, encoding, signal } = options;
  filename = getValidatedPath(filename);
  let watcher;
  if (recursive) {
    const { FSWatcher: TreeWatcher } = require('internal/fs/recursive_watch');
    watcher = new TreeWatcher(options);
    watcher[kFSWatchStart](filename);
  } else {
    watcher = new FSWatcher();
    watcher[kFSWatchStart](filename, persistent, recursive, encoding, options.ignore);
  }
  if (listener) watcher.addListener('change', listener);
  if (signal) closeOnAbort(watcher, signal);
  return watcher;
}

function closeOnAbort(watcher, signal) {
  if (signal.aborted) {
    nextTick(() => watcher.close());
    return;
  }
  const onAbort = () => watcher.close();
  signal.addEventListener('abort', onAbort, { __proto__: null, once: true });
  watcher.once('close', () => signal.removeEventListener('abort', onAbort));
}

module.exports = { FSWatcher, kFSWatchStart, watch, watchAsIterator };
