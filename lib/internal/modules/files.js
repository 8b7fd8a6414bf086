'use strict';

// Reads files and resolves symbolic links, for both loaders.

const {
  SafeMap,
  StringPrototypeCharCodeAt,
  StringPrototypeLastIndexOf,
  StringPrototypeSlice,
} = primordials;

const { isLink, readFile, realpath } = internalBinding('module_fs');
const { UVException } = require('internal/errors');

function readText(filename) {
  const text = readFile(filename);
  if (typeof text === 'number') throw new UVException({ errno: text, syscall: 'open', path: filename });
  return StringPrototypeCharCodeAt(text, 0) === 0xfeff ? StringPrototypeSlice(text, 1) : text;
}

function realOrThrow(path) {
  const real = realpath(path);
  if (typeof real === 'number') throw new UVException({ errno: real, syscall: 'lstat', path });
  return real;
}

// Cache of resolved directories: a file in a known directory costs one system call at any depth.
const directories = new SafeMap();

// Resolves the links in an absolute, normalized path.
function toRealPath(path) {
  const slash = StringPrototypeLastIndexOf(path, '/');
  if (slash <= 0 || slash === path.length - 1 || isLink(path)) return realOrThrow(path);
  const directory = StringPrototypeSlice(path, 0, slash);
  let real = directories.get(directory);
  if (real === undefined) {
    real = realOrThrow(directory);
    directories.set(directory, real);
  }
  if (real === directory) return path;
  return real === '/' ? StringPrototypeSlice(path, slash) : real + StringPrototypeSlice(path, slash);
}

function reset() {
  directories.clear();
}

module.exports = { readText, reset, toRealPath };
