'use strict';
// Finds test files.

const {
  ArrayPrototypeForEach,
  ArrayPrototypePush,
  ArrayPrototypeSort,
  ArrayFrom,
  RegExpPrototypeExec,
  SafeSet,
  StringPrototypeSlice,
} = primordials;

const { readdirSync, statSync } = require('fs');
const { basename, dirname, isAbsolute, join, normalize, relative, resolve } = require('path');

const kScript = /\.[cm]?js$/;
const kTest = /^test(?:-.+)?\.[cm]?js$|.+[.\-_]test\.[cm]?js$/;
const kGlob = /[*?[\]{}!]/;

function kindOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 'none' : stats.isDirectory() ? 'folder' : 'file';
}

// In a folder named test every script is a test; elsewhere its name decides.
function search(folder, found, isTestFolder, cwd) {
  const entries = readdirSync(resolve(cwd, folder), { withFileTypes: true });
  for (let i = 0; i < entries.length; i++) {
    const { name } = entries[i];
    const path = join(folder, name);
    const isFolder = entries[i].isDirectory();
    if (isFolder) {
      if (name !== 'node_modules') search(path, found, isTestFolder || name === 'test', cwd);
    } else if (entries[i].isFile() && RegExpPrototypeExec(isTestFolder ? kScript : kTest, name) !== null) {
      found.add(path);
    }
  }
}

// The folder that an absolute pattern begins with.
function rootOf(pattern) {
  const at = RegExpPrototypeExec(kGlob, pattern).index;
  return dirname(`${StringPrototypeSlice(pattern, 0, at)}x`);
}

function searchGlob(pattern, found, cwd) {
  const { matchesGlob } = require('internal/path/glob');
  const before = found.size;
  const walk = (folder, prefix) => {
    const entries = readdirSync(folder, { withFileTypes: true });
    for (let i = 0; i < entries.length; i++) {
      const { name } = entries[i];
      const path = prefix === '' ? name : `${prefix}/${name}`;
      if (entries[i].isDirectory()) {
        if (name !== 'node_modules' && name !== '.git') walk(join(folder, name), path);
      } else if (matchesGlob(path, pattern, false)) {
        found.add(path);
      }
    }
  };
  if (isAbsolute(pattern)) walk(rootOf(pattern), rootOf(pattern));
  else walk(cwd, '');
  return found.size > before;
}

// Paths as given, or relative to the current folder, sorted. `missing` are names and patterns without a file.
function findTestFiles(names, cwd = process.cwd()) {
  const found = new SafeSet();
  const missing = [];
  if (names.length === 0) search('', found, basename(cwd) === 'test', cwd);
  ArrayPrototypeForEach(names, (name) => {
    const path = isAbsolute(name) ? normalize(name) : relative(cwd, resolve(cwd, name));
    const kind = kindOf(resolve(cwd, path));
    if (kind === 'file') found.add(path);
    else if (kind === 'folder') search(path, found, basename(resolve(cwd, path)) === 'test', cwd);
    else if (RegExpPrototypeExec(kGlob, name) === null || !searchGlob(name, found, cwd)) ArrayPrototypePush(missing,
      name);
  });
  return { files: ArrayPrototypeSort(ArrayFrom(found)), missing };
}

module.exports = { findTestFiles };
