'use strict';
// Which files hold tests.

const {
  ArrayPrototypeForEach,
  ArrayPrototypePush,
  ArrayPrototypeSort,
  ArrayFrom,
  RegExpPrototypeExec,
  SafeSet,
} = primordials;

const { readdirSync, statSync } = require('fs');
const { basename, join, resolve } = require('path');

const kScript = /\.[cm]?js$/;
const kTest = /^test(?:-.+)?\.[cm]?js$|.+[.\-_]test\.[cm]?js$/;
const kGlob = /[*?[\]{}!]/;

function kindOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 'none' : stats.isDirectory() ? 'folder' : 'file';
}

// In a folder named test every script is a test; elsewhere the name says so.
function search(folder, found, isTestFolder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (let i = 0; i < entries.length; i++) {
    const { name } = entries[i];
    const path = join(folder, name);
    const isFolder = entries[i].isDirectory();
    if (isFolder) {
      if (name !== 'node_modules') search(path, found, isTestFolder || name === 'test');
    } else if (entries[i].isFile() && RegExpPrototypeExec(isTestFolder ? kScript : kTest, name) !== null) {
      found.add(path);
    }
  }
}

function searchGlob(pattern, found) {
  const { matches } = require('internal/path/glob');
  const before = found.size;
  const walk = (folder, prefix) => {
    const entries = readdirSync(folder, { withFileTypes: true });
    for (let i = 0; i < entries.length; i++) {
      const { name } = entries[i];
      const path = prefix === '' ? name : `${prefix}/${name}`;
      if (entries[i].isDirectory()) {
        if (name !== 'node_modules' && name !== '.git') walk(join(folder, name), path);
      } else if (matches(path, pattern, false)) {
        found.add(join(folder, name));
      }
    }
  };
  walk(process.cwd(), '');
  return found.size > before;
}

// Absolute paths, sorted. `missing` are the names behind which there is nothing.
function findTestFiles(names) {
  const found = new SafeSet();
  const missing = [];
  if (names.length === 0) search(process.cwd(), found, basename(process.cwd()) === 'test');
  ArrayPrototypeForEach(names, (name) => {
    const path = resolve(name);
    const kind = kindOf(path);
    if (kind === 'file') found.add(path);
    else if (kind === 'folder') search(path, found, basename(path) === 'test');
    else if (RegExpPrototypeExec(kGlob, name) === null || !searchGlob(name, found)) ArrayPrototypePush(missing, path);
  });
  return { files: ArrayPrototypeSort(ArrayFrom(found)), missing };
}

module.exports = { findTestFiles };
