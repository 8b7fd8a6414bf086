'use strict';

// Shared by path.posix and path.win32: extensions, reduction of '.' and '..', and format().

const {
  ObjectFreeze,
  StringPrototypeCharCodeAt,
  StringPrototypeSlice,
} = primordials;

const { validateObject } = require('internal/validators');

const kDot = 46;
const kSlash = 47;
const kColon = 58;
const kBackslash = 92;

// lastIndexOf() for one character. V8's own is a call out of compiled code, which is slower than a short loop.
function lastIndexOfCode(text, code, from) {
  let i = from;
  while (i >= 0 && StringPrototypeCharCodeAt(text, i) !== code) --i;
  return i;
}

// Returns the index of the extension of `base`, a single path component; -1 if it has none. A name whose only dot is
// its first character has no extension, nor has '..'.
function extensionStart(base) {
  const dot = lastIndexOfCode(base, kDot, base.length - 1);
  if (dot <= 0) return -1;
  if (dot === 1 && base.length === 2 && StringPrototypeCharCodeAt(base, 0) === kDot) return -1;
  return dot;
}

// Reduces the components of path[start..] to a list joined by `sep`, without a separator at either end. '..' is dropped
// above the root, and kept at the start of a relative path.
function reduce(path, start, keepLeadingDots, sep, isSeparator) {
  const length = path.length;
  let out = '';
  let names = 0; // Components at the end of `out` that a '..' may remove.
  let from = start;
  for (let i = start; i <= length; ++i) {
    if (i < length && !isSeparator(StringPrototypeCharCodeAt(path, i))) continue;
    const size = i - from;
    if (size === 0 || (size === 1 && StringPrototypeCharCodeAt(path, from) === kDot)) {
      // Skip an empty component or '.'.
    } else if (size === 2 && StringPrototypeCharCodeAt(path, from) === kDot &&
               StringPrototypeCharCodeAt(path, from + 1) === kDot) {
      if (names > 0) {
        const cut = lastIndexOfCode(out, StringPrototypeCharCodeAt(sep, 0), out.length - 1);
        out = cut === -1 ? '' : StringPrototypeSlice(out, 0, cut);
        --names;
      } else if (keepLeadingDots) {
        out = out === '' ? '..' : `${out}${sep}..`;
      }
    } else {
      const name = StringPrototypeSlice(path, from, i);
      out = out === '' ? name : `${out}${sep}${name}`;
      ++names;
    }
    from = i + 1;
  }
  return out;
}

function formatExtension(ext) {
  return ext ? `${ext[0] === '.' ? '' : '.'}${ext}` : '';
}

function formatWith(sep, pathObject) {
  validateObject(pathObject, 'pathObject');
  const dir = pathObject.dir || pathObject.root;
  const base = pathObject.base || `${pathObject.name || ''}${formatExtension(pathObject.ext)}`;
  if (!dir) return base;
  return dir === pathObject.root ? `${dir}${base}` : `${dir}${sep}${base}`;
}

function isPosixSeparator(code) {
  return code === kSlash;
}

function isWindowsSeparator(code) {
  return code === kSlash || code === kBackslash;
}

let glob;
function matchesGlob(path, pattern, windows) {
  glob ??= require('internal/path/glob');
  return glob.matchesGlob(path, pattern, windows);
}

module.exports = ObjectFreeze({
  extensionStart,
  formatWith,
  isPosixSeparator,
  isWindowsSeparator,
  kBackslash,
  kColon,
  kDot,
  kSlash,
  lastIndexOfCode,
  matchesGlob,
  reduce,
});
