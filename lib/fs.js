'use strict';

// node:fs. The functions are in internal/fs, by subject; rarely used ones are loaded on first use.

const {
  ArrayPrototypePush,
  ObjectDefineProperties,
  ObjectGetOwnPropertyDescriptor,
  PromisePrototypeThen,
} = primordials;

const about = require('internal/fs/about');
const data = require('internal/fs/data');
const names = require('internal/fs/names');
const wholeFile = require('internal/fs/whole_file');
const { realpath, realpathSync } = require('internal/fs/realpath');
const { constants, Dirent, Stats, makeCallback, toUnixTimestamp } = require('internal/fs/utils');
const { SymbolDispose, deprecate } = require('internal/util');

// ---- Functions that are loaded on first use

function cp(src, dest, options, callback) {
  require('internal/fs/cp').cp(src, dest, options, callback);
}

function cpSync(src, dest, options) {
  require('internal/fs/cp').cpSync(src, dest, options);
}

function rm(path, options, callback) {
  require('internal/fs/rm').rm(path, options, callback);
}

function rmSync(path, options) {
  require('internal/fs/rm').rmSync(path, options);
}

function opendir(path, options, callback) {
  return require('internal/fs/dir').opendir(path, options, callback);
}

function opendirSync(path, options) {
  return require('internal/fs/dir').opendirSync(path, options);
}

function watch(filename, options, listener) {
  return require('internal/fs/watchers').watch(filename, options, listener);
}

function watchFile(filename, options, listener) {
  return require('internal/fs/stat_watchers').watchFile(filename, options, listener);
}

function unwatchFile(filename, listener) {
  require('internal/fs/stat_watchers').unwatchFile(filename, listener);
}

function createReadStream(path, options) {
  return new module.exports.ReadStream(path, options);
}

function createWriteStream(path, options) {
  return new module.exports.WriteStream(path, options);
}

function glob(pattern, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  callback = makeCallback(callback);
  const { Glob } = require('internal/fs/glob');
  const walk = new Glob(pattern, options).glob();
  PromisePrototypeThen((async () => {
    const found = [];
    for await (const path of walk) ArrayPrototypePush(found, path);
    return found;
  })(), (found) => callback(null, found), callback);
}

function globSync(pattern, options) {
  const { Glob } = require('internal/fs/glob');
  return new Glob(pattern, options).globSync();
}

function mkdtempDisposableSync(prefix, options) {
  const path = names.mkdtempSync(prefix, options);
  // Resolved now, because the program may change its working directory before removing the directory.
  const fullPath = require('path').resolve(typeof path === 'string' ? path : path.toString());
  const remove = () => rmSync(fullPath, { force: true, recursive: true });
  return { path, remove, [SymbolDispose]() { remove(); } };
}

function openAsBlobSync(path, options = undefined) {
  return require('internal/fs/blob').openAsBlobSync(path, options);
}

function openAsBlob(path, options = undefined) {
  return require('internal/fs/blob').openAsBlob(path, options);
}

// A property whose class is loaded on first use, and which a program may replace.
function lazyClass(name, id) {
  let value;
  return {
    __proto__: null,
    get: { [name]() { return value ??= require(id)[name]; } }[name],
    set: { [name](other) { value = other; } }[name],
    enumerable: true,
    configurable: true,
  };
}

function fixed(value) {
  return { __proto__: null, value, enumerable: true };
}

module.exports = {
  appendFile: wholeFile.appendFile,
  appendFileSync: wholeFile.appendFileSync,
  access: about.access,
  accessSync: about.accessSync,
  chown: about.chown,
  chownSync: about.chownSync,
  chmod: about.chmod,
  chmodSync: about.chmodSync,
  close: data.close,
  closeSync: data.closeSync,
  copyFile: names.copyFile,
  copyFileSync: names.copyFileSync,
  cp,
  cpSync,
  createReadStream,
  createWriteStream,
  exists: about.exists,
  existsSync: about.existsSync,
  fchown: about.fchown,
  fchownSync: about.fchownSync,
  fchmod: about.fchmod,
  fchmodSync: about.fchmodSync,
  fdatasync: data.fdatasync,
  fdatasyncSync: data.fdatasyncSync,
  fstat: about.fstat,
  fstatSync: about.fstatSync,
  fsync: data.fsync,
  fsyncSync: data.fsyncSync,
  ftruncate: data.ftruncate,
  ftruncateSync: data.ftruncateSync,
  futimes: about.futimes,
  futimesSync: about.futimesSync,
  glob,
  globSync,
  lchown: about.lchown,
  lchownSync: about.lchownSync,
  lchmod: undefined, // Linux cannot change the mode of a symbolic link.
  lchmodSync: undefined,
  link: names.link,
  linkSync: names.linkSync,
  lstat: about.lstat,
  lstatSync: about.lstatSync,
  lutimes: about.lutimes,
  lutimesSync: about.lutimesSync,
  mkdir: names.mkdir,
  mkdirSync: names.mkdirSync,
  mkdtemp: names.mkdtemp,
  mkdtempSync: names.mkdtempSync,
  mkdtempDisposableSync,
  open: data.open,
  openSync: data.openSync,
  openAsBlob,
  openAsBlobSync,
  readdir: names.readdir,
  readdirSync: names.readdirSync,
  read: data.read,
  readSync: data.readSync,
  readv: data.readv,
  readvSync: data.readvSync,
  readFile: wholeFile.readFile,
  readFileSync: wholeFile.readFileSync,
  readlink: names.readlink,
  readlinkSync: names.readlinkSync,
  realpath,
  realpathSync,
  rename: names.rename,
  renameSync: names.renameSync,
  rm,
  rmSync,
  rmdir: names.rmdir,
  rmdirSync: names.rmdirSync,
  stat: about.stat,
  statfs: about.statfs,
  statSync: about.statSync,
  statfsSync: about.statfsSync,
  symlink: names.symlink,
  symlinkSync: names.symlinkSync,
  truncate: data.truncate,
  truncateSync: data.truncateSync,
  unwatchFile,
  unlink: names.unlink,
  unlinkSync: names.unlinkSync,
  utimes: about.utimes,
  utimesSync: about.utimesSync,
  watch,
  watchFile,
  writeFile: wholeFile.writeFile,
  writeFileSync: wholeFile.writeFileSync,
  write: data.write,
  writeSync: data.writeSync,
  writev: data.writev,
  writevSync: data.writevSync,
  Dirent,
  Stats: deprecate(Stats, 'fs.Stats constructor is deprecated.', 'DEP0180'),
};

ObjectDefineProperties(module.exports, {
  __proto__: null,
  ReadStream: lazyClass('ReadStream', 'internal/fs/read_stream'),
  WriteStream: lazyClass('WriteStream', 'internal/fs/write_stream'),
  FileReadStream: lazyClass('ReadStream', 'internal/fs/read_stream'),
  FileWriteStream: lazyClass('WriteStream', 'internal/fs/write_stream'),
  Utf8Stream: ObjectGetOwnPropertyDescriptor({
    get Utf8Stream() { return require('internal/fs/utf8_stream').Utf8Stream; },
  }, 'Utf8Stream'),
  _toUnixTimestamp: { __proto__: null, value: toUnixTimestamp, enumerable: true, writable: true, configurable: true },
  Dir: lazyClass('Dir', 'internal/fs/dir'),
});
module.exports.opendir = opendir;
module.exports.opendirSync = opendirSync;

ObjectDefineProperties(module.exports, {
  __proto__: null,
  constants: fixed(constants),
  promises: {
    __proto__: null,
    get() {
      return require('internal/fs/promises').exports;
    },
    enumerable: true,
    configurable: true,
  },
});
