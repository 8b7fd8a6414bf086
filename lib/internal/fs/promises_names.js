'use strict';
// The functions of fs.promises for names and directories.

const { ArrayPrototypePush, Boolean } = primordials;

const binding = internalBinding('fs');
const { Buffer } = require('buffer');
const { op0, op1, op2 } = require('internal/fs/operations');
const {
  decodeName,
  decodeNames,
  direntsOf,
  getOptions,
  getStats,
  getValidatedPath,
  validateSymlinkType,
  wantsBytes,
} = require('internal/fs/utils');
const { parseFileMode, validateBoolean } = require('internal/validators');
const { join, resolve } = require('path');
const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { SymbolAsyncDispose } = require('internal/util');

async function rename(oldPath, newPath) {
  return await op1(binding.rename, getValidatedPath(oldPath, 'oldPath'), getValidatedPath(newPath, 'newPath'));
}

async function link(existingPath, newPath) {
  return await op1(binding.link, getValidatedPath(existingPath, 'existingPath'), getValidatedPath(newPath, 'newPath'));
}

async function unlink(path) {
  return await op0(binding.unlink, getValidatedPath(path));
}

async function symlink(target, path, type) {
  validateSymlinkType(type);
  return await op1(binding.symlink, getValidatedPath(target, 'target'), getValidatedPath(path));
}

async function readlink(path, options) {
  const { encoding } = getOptions(options);
  const name = await op1(binding.readlink, getValidatedPath(path, 'oldPath'), wantsBytes(encoding));
  return decodeName(name, encoding);
}

async function realpath(path, options) {
  const { encoding } = getOptions(options);
  const name = await op1(binding.realpath, getValidatedPath(path), wantsBytes(encoding));
  return decodeName(name, encoding);
}

async function mkdtemp(prefix, options) {
  const { encoding } = getOptions(options);
  prefix = getValidatedPath(prefix, 'prefix');
  const pattern = typeof prefix === 'string' ? `${prefix}XXXXXX` : Buffer.concat([prefix, Buffer.from('XXXXXX')]);
  const name = await op1(binding.mkdtemp, pattern, wantsBytes(encoding));
  return decodeName(name, encoding);
}

async function mkdtempDisposable(prefix, options) {
  const cwd = process.cwd();
  const path = await mkdtemp(prefix, options);
  // Absolute, because the program may change its working directory before the removal.
  const fullPath = resolve(cwd, typeof path === 'string' ? path : path.toString());
  const remove = () => require('internal/fs/rm').rmPromise(fullPath, { force: true, recursive: true });
  return {
    __proto__: null,
    path,
    remove: async () => { await remove(); },
    async [SymbolAsyncDispose]() { await remove(); },
  };
}

async function rmdir(path, options) {
  path = getValidatedPath(path);
  if (options?.recursive !== undefined) {
    throw new ERR_INVALID_ARG_VALUE('options.recursive', options.recursive, 'is no longer supported');
  }
  return await op0(binding.rmdir, path);
}

async function mkdir(path, options) {
  if (typeof options === 'number' || typeof options === 'string') options = { mode: options };
  const { recursive = false, mode = 0o777 } = options || {};
  path = getValidatedPath(path);
  validateBoolean(recursive, 'options.recursive');
  const bits = parseFileMode(mode, 'mode', 0o777);
  return await op1(recursive ? binding.mkdirAll : binding.mkdir, path, bits);
}

async function readdir(path, options) {
  options = getOptions(options);
  path = getValidatedPath(path);
  const { encoding, withFileTypes, recursive } = options;
  if (recursive) return readTree(path, encoding, Boolean(withFileTypes));
  const bytes = wantsBytes(encoding);
  const found = await op2(binding.readdir, path, bytes, Boolean(withFileTypes), undefined, withFileTypes ? 3 : 1);
  if (!withFileTypes) return decodeNames(found, encoding);
  return direntsOf(decodeNames(found[0], encoding), found[1], path);
}

const kDirectory = 2;
const kLink = 3;

// Synchronous, as in Node.
function leadsToDirectory(path) {
  try {
    return getStats(binding.stat(path, false)).isDirectory();
  } catch {
    return false;
  }
}

// Lists a tree breadth first. As in Node, links to directories are followed.
async function readTree(root, encoding, withFileTypes) {
  const queue = [''];
  const result = [];
  for (let next = 0; next < queue.length; next++) {
    const below = queue[next];
    const directory = below === '' ? root : join(`${root}`, below);
    const { 0: names, 1: types } = await op2(binding.readdir, directory, false, true);
    for (let i = 0; i < names.length; i++) {
      const name = below === '' ? names[i] : `${below}/${names[i]}`;
      if (types[i] === kDirectory || (types[i] === kLink && leadsToDirectory(join(`${root}`, name)))) {
        ArrayPrototypePush(queue, name);
      }
      if (!withFileTypes) ArrayPrototypePush(result, encoded(name, encoding));
    }
    if (withFileTypes) {
      for (let i = 0; i < names.length; i++) names[i] = encoded(names[i], encoding);
      const entries = direntsOf(names, types, directory);
      for (let i = 0; i < entries.length; i++) ArrayPrototypePush(result, entries[i]);
    }
  }
  return result;
}

function encoded(name, encoding) {
  if (!wantsBytes(encoding)) return name;
  const buffer = Buffer.from(name);
  return encoding === 'buffer' ? buffer : buffer.toString(encoding);
}

module.exports = {
  link,
  mkdir,
  mkdtemp,
  mkdtempDisposable,
  readdir,
  readlink,
  realpath,
  rename,
  rmdir,
  symlink,
  unlink,
};
