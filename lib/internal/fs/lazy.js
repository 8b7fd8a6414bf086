'use strict';
// The part of fs that few programs need, for lib/fs.js to add to its own: each file behind it is run when one of its
// functions is first used.

const { ObjectDefineProperty, ObjectKeys } = primordials;

const { getOptions, getValidatedPath } = require('internal/fs/utils');

function watch(filename, options, listener) {
  if (typeof options === 'function') listener = options;
  options = getOptions(options);
  const { persistent = true, recursive = false, encoding, signal } = options;
  filename = getValidatedPath(filename);
  let watcher;
  if (recursive) {
    const { FSWatcher, kFSWatchStart } = require('internal/fs/recursive_watch');
    watcher = new FSWatcher(options);
    watcher[kFSWatchStart](filename);
  } else {
    const { FSWatcher, kFSWatchStart } = require('internal/fs/watchers');
    watcher = new FSWatcher();
    watcher[kFSWatchStart](filename, persistent, recursive, encoding);
  }
  if (listener) watcher.addListener('change', listener);
  if (signal) closeOnAbort(watcher, signal);
  return watcher;
}

function closeOnAbort(watcher, signal) {
  if (signal.aborted) {
    require('internal/process/task_queues').nextTick(() => watcher.close());
    return;
  }
  const onAbort = () => watcher.close();
  signal.addEventListener('abort', onAbort, { __proto__: null, once: true });
  watcher.once('close', () => signal.removeEventListener('abort', onAbort));
}

function watchFile(filename, options, listener) {
  return require('internal/fs/stat_watchers').watchFile(filename, options, listener);
}

function unwatchFile(filename, listener) {
  require('internal/fs/stat_watchers').unwatchFile(filename, listener);
}

function rm(path, options, callback) {
  require('internal/fs/rm').rm(path, options, callback);
}

function rmSync(path, options) {
  require('internal/fs/rm').rmSync(path, options);
}

function cp(src, dest, options, callback) {
  require('internal/fs/cp').cp(src, dest, options, callback);
}

function cpSync(src, dest, options) {
  require('internal/fs/cp').cpSync(src, dest, options);
}

// What programs may replace, and what createReadStream() then uses.
const replaced = { __proto__: null };
const makers = {
  __proto__: null,
  ReadStream: () => require('internal/fs/read_stream').ReadStream,
  WriteStream: () => require('internal/fs/write_stream').WriteStream,
  Dir: () => require('internal/fs/dir').Dir,
  opendir: () => require('internal/fs/dir').opendir,
  opendirSync: () => require('internal/fs/dir').opendirSync,
};
makers.FileReadStream = makers.ReadStream;
makers.FileWriteStream = makers.WriteStream;

function get(name) {
  return replaced[name] ??= makers[name]();
}

function createReadStream(path, options) {
  const Class = get('ReadStream');
  return new Class(path, options);
}

function createWriteStream(path, options) {
  const Class = get('WriteStream');
  return new Class(path, options);
}

const accessors = { __proto__: null };
const names = ObjectKeys(makers);
for (let i = 0; i < names.length; i++) {
  const name = names[i];
  ObjectDefineProperty(accessors, name, {
    __proto__: null,
    enumerable: true,
    value: {
      __proto__: null,
      configurable: true,
      enumerable: true,
      get() {
        return get(name);
      },
      set(value) {
        replaced[name] = value;
      },
    },
  });
}

module.exports = {
  accessors,
  functions: {
    cp,
    cpSync,
    createReadStream,
    createWriteStream,
    rm,
    rmSync,
    unwatchFile,
    watch,
    watchFile,
  },
};
