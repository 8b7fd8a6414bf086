'use strict';

// Directories and names: create, list, link, rename and remove.

const {
  ArrayPrototypePush,
  StringPrototypeEndsWith,
  StringPrototypeLastIndexOf,
  StringPrototypeSlice,
  TypedArrayPrototypeSet,
} = primordials;

const binding = internalBinding('fs');
const { Buffer } = require('buffer');
const { FastBuffer } = require('internal/buffer');
const { join } = require('path');
const { parseFileMode, validateBoolean, validateFunction } = require('internal/validators');
const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { bindCallback } = require('internal/async_hooks');
const {
  Dirent,
  constants: { UV_DIRENT_DIR },
  decodeName,
  decodeNames,
  direntsOf,
  getOptions,
  getValidMode,
  getValidatedPath,
  makeCallback,
  validateSymlinkType,
  validateRmdirOptions,
  wantsBytes,
} = require('internal/fs/utils');

// ---- Directories

function parseMkdirOptions(options) {
  let mode = 0o777;
  let recursive = false;
  if (typeof options === 'number' || typeof options === 'string') {
    mode = parseFileMode(options, 'mode');
  } else if (options) {
    if (options.recursive !== undefined) {
      recursive = options.recursive;
      validateBoolean(recursive, 'options.recursive');
    }
    if (options.mode !== undefined) mode = parseFileMode(options.mode, 'options.mode');
  }
  return { mode, recursive };
}

function mkdir(path, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  const { mode, recursive } = parseMkdirOptions(options);
  if (recursive) binding.mkdirAll(path, mode, callback);
  else binding.mkdir(path, mode, callback);
}

function mkdirSync(path, options) {
  const { mode, recursive } = parseMkdirOptions(options);
  path = getValidatedPath(path);
  return recursive ? binding.mkdirAll(path, mode) : binding.mkdir(path, mode);
}

let warnedOfTemplate = false;
const six = new FastBuffer(6);
for (let i = 0; i < 6; i++) six[i] = 0x58;

function templateOf(prefix) {
  if (typeof prefix !== 'string') {
    const template = new FastBuffer(prefix.length + 6);
    TypedArrayPrototypeSet(template, prefix);
    TypedArrayPrototypeSet(template, six, prefix.length);
    return template;
  }
  if (!warnedOfTemplate && StringPrototypeEndsWith(prefix, 'X')) {
    warnedOfTemplate = true;
    process.emitWarning('mkdtemp() templates ending with X are not portable. ' +
      'For details see: https://nodejs.org/api/fs.html');
  }
  return `${prefix}XXXXXX`;
}

function mkdtemp(prefix, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  validateFunction(callback, 'cb');
  const { encoding } = getOptions(options);
  prefix = getValidatedPath(prefix, 'prefix');
  binding.mkdtemp(templateOf(prefix), wantsBytes(encoding), nameCallback(callback, encoding));
}

function mkdtempSync(prefix, options) {
  const { encoding } = getOptions(options);
  prefix = getValidatedPath(prefix, 'prefix');
  return decodeName(binding.mkdtemp(templateOf(prefix), wantsBytes(encoding)), encoding);
}

// The callback of an operation whose result is one name.
function nameCallback(callback, encoding) {
  callback = bindCallback('FSREQCALLBACK', callback);
  if (!wantsBytes(encoding)) return callback;
  return (error, name) => {
    if (error !== null) callback(error);
    else callback(null, decodeName(name, encoding));
  };
}

// The option `recursive` of rmdir() was removed in favour of rm().
function refuseRecursive(options) {
  if (options?.recursive !== undefined) {
    throw new ERR_INVALID_ARG_VALUE('options.recursive', options.recursive, 'is no longer supported');
  }
}

function rmdir(path, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  refuseRecursive(options);
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  validateRmdirOptions(options);
  binding.rmdir(path, callback);
}

function rmdirSync(path, options) {
  refuseRecursive(options);
  path = getValidatedPath(path);
  validateRmdirOptions(options);
  binding.rmdir(path);
}

// ---- Listing

// Converts the result of the binding's readdir() to the requested encoding and types.
function listing(result, options, path) {
  const { encoding, withFileTypes } = options;
  const decodes = wantsBytes(encoding);
  if (!withFileTypes) return decodes ? decodeNames(result, encoding) : result;
  const names = decodes ? decodeNames(result[0], encoding) : result[0];
  return direntsOf(names, result[1], path);
}

// Lists a tree breadth first: all entries of a directory, then those of its subdirectories, in order. As in Node, links
// to directories are followed.
class Tree {
  constructor(root, options) {
    this.root = typeof root === 'string' ? root : Buffer.from(root).toString();
    this.withFileTypes = !!options.withFileTypes;
    this.encoding = options.encoding;
    this.found = [];
    this.queue = [''];
    this.next = 0;
  }

  directory() {
    return this.prefix === '' ? this.root : join(this.root, this.prefix);
  }

  // Advances to the next directory, whose path directory() returns. Returns false if there is none.
  advance() {
    if (this.next === this.queue.length) return false;
    this.prefix = this.queue[this.next++];
    return true;
  }

  add(names, types) {
    const { prefix } = this;
    const directory = this.directory();
    if (this.withFileTypes) {
      const entries = direntsOf(names, types, directory);
      for (let i = 0; i < entries.length; i++) ArrayPrototypePush(this.found, entries[i]);
    }
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      const path = prefix === '' ? name : join(prefix, name);
      if (!this.withFileTypes) ArrayPrototypePush(this.found, path);
      const type = types[i];
      if (type === UV_DIRENT_DIR || (type !== 1 && isDirectory(join(this.root, path)))) {
        ArrayPrototypePush(this.queue, path);
      }
    }
  }

  // Adds the entries of the whole tree. The names are relative to the root.
  addAll(names, types) {
    if (!this.withFileTypes) {
      this.found = names;
      return;
    }
    for (let i = 0; i < names.length; i++) {
      const path = names[i];
      const slash = StringPrototypeLastIndexOf(path, '/');
      const directory = slash < 0 ? this.root : join(this.root, StringPrototypeSlice(path, 0, slash));
      ArrayPrototypePush(this.found, new Dirent(StringPrototypeSlice(path, slash + 1), types[i], directory));
    }
  }

  // Returns all entries in the requested encoding.
  result() {
    const { encoding, found } = this;
    if (!wantsBytes(encoding)) return found;
    for (let i = 0; i < found.length; i++) {
      const bytes = Buffer.from(this.withFileTypes ? found[i].name : found[i]);
      const name = encoding === 'buffer' ? bytes : bytes.toString(encoding);
      if (this.withFileTypes) found[i].name = name;
      else found[i] = name;
    }
    return found;
  }
}

function isDirectory(path) {
  const numbers = binding.stat(path, false, false);
  return numbers !== undefined && (numbers[1] & 0o170000) === 0o040000;
}

function readTreeSync(root, options) {
  const tree = new Tree(root, options);
  while (tree.advance()) {
    const { 0: names, 1: types } = binding.readdir(tree.directory(), false, true);
    tree.add(names, types);
  }
  return tree.result();
}

// As in Node, one job of the pool lists the tree.
function readTree(root, options, callback) {
  const tree = new Tree(root, options);
  binding.readdirAll(tree.root, true, (error, result) => {
    if (error !== null) return callback(error);
    tree.addAll(result[0], result[1]);
    callback(null, tree.result());
  });
}

function readdir(path, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  validateFunction(callback, 'cb');
  options = getOptions(options);
  path = getValidatedPath(path);
  if (options.recursive != null) validateBoolean(options.recursive, 'options.recursive');
  const bound = bindCallback('FSREQCALLBACK', callback);
  if (options.recursive) {
    readTree(path, options, bound);
    return;
  }
  const { encoding } = options;
  if (!options.withFileTypes && !wantsBytes(encoding)) {
    binding.readdir(path, false, false, bound);
    return;
  }
  binding.readdir(path, wantsBytes(encoding), !!options.withFileTypes, (error, result) => {
    if (error !== null) bound(error);
    else bound(null, listing(result, options, path));
  });
}

function readdirSync(path, options) {
  options = getOptions(options);
  path = getValidatedPath(path);
  if (options.recursive != null) validateBoolean(options.recursive, 'options.recursive');
  if (options.recursive) return readTreeSync(path, options);
  const result = binding.readdir(path, wantsBytes(options.encoding), !!options.withFileTypes);
  return listing(result, options, path);
}

// ---- Names

function unlink(path, callback) {
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  binding.unlink(path, callback);
}

function unlinkSync(path) {
  binding.unlink(getValidatedPath(path));
}

function rename(oldPath, newPath, callback) {
  callback = makeCallback(callback);
  oldPath = getValidatedPath(oldPath, 'oldPath');
  newPath = getValidatedPath(newPath, 'newPath');
  binding.rename(oldPath, newPath, callback);
}

function renameSync(oldPath, newPath) {
  oldPath = getValidatedPath(oldPath, 'oldPath');
  newPath = getValidatedPath(newPath, 'newPath');
  binding.rename(oldPath, newPath);
}

function link(existingPath, newPath, callback) {
  callback = makeCallback(callback);
  existingPath = getValidatedPath(existingPath, 'existingPath');
  newPath = getValidatedPath(newPath, 'newPath');
  binding.link(existingPath, newPath, callback);
}

function linkSync(existingPath, newPath) {
  existingPath = getValidatedPath(existingPath, 'existingPath');
  newPath = getValidatedPath(newPath, 'newPath');
  binding.link(existingPath, newPath);
}

function symlink(target, path, type, callback) {
  if (callback === undefined) callback = makeCallback(type);
  else validateSymlinkType(type);
  target = getValidatedPath(target, 'target');
  path = getValidatedPath(path);
  callback = makeCallback(callback);
  binding.symlink(target, path, callback);
}

function symlinkSync(target, path, type) {
  validateSymlinkType(type);
  target = getValidatedPath(target, 'target');
  path = getValidatedPath(path);
  binding.symlink(target, path);
}

function readlink(path, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  validateFunction(callback, 'cb');
  const { encoding } = getOptions(options);
  path = getValidatedPath(path, 'oldPath');
  binding.readlink(path, wantsBytes(encoding), nameCallback(callback, encoding));
}

function readlinkSync(path, options) {
  const { encoding } = getOptions(options);
  path = getValidatedPath(path, 'oldPath');
  return decodeName(binding.readlink(path, wantsBytes(encoding)), encoding);
}

function copyFile(src, dest, mode, callback) {
  if (typeof mode === 'function') {
    callback = mode;
    mode = 0;
  }
  src = getValidatedPath(src, 'src');
  dest = getValidatedPath(dest, 'dest');
  callback = makeCallback(callback);
  binding.copyFile(src, dest, getValidMode(mode), callback);
}

function copyFileSync(src, dest, mode) {
  src = getValidatedPath(src, 'src');
  dest = getValidatedPath(dest, 'dest');
  binding.copyFile(src, dest, getValidMode(mode));
}

module.exports = {
  copyFile,
  copyFileSync,
  link,
  linkSync,
  mkdir,
  mkdirSync,
  mkdtemp,
  mkdtempSync,
  readdir,
  readdirSync,
  readlink,
  readlinkSync,
  rename,
  renameSync,
  rmdir,
  rmdirSync,
  symlink,
  symlinkSync,
  unlink,
  unlinkSync,
};
