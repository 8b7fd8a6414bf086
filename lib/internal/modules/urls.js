'use strict';

// Converts between paths and file: URLs of modules. Nearly all contain only characters that are the same in both, so
// that the expensive parsing and formatting of a URL can be skipped.

const {
  ArrayPrototypeJoin,
  ArrayPrototypePop,
  ArrayPrototypePush,
  RegExpPrototypeExec,
  StringPrototypeCharCodeAt,
  StringPrototypeIndexOf,
  StringPrototypeLastIndexOf,
  StringPrototypeSlice,
  StringPrototypeSplit,
  StringPrototypeStartsWith,
} = primordials;

const filePrefix = 'file://';
const SLASH = 0x2f;
const DOT = 0x2e;

let urlModule;
function lazyURL() {
  urlModule ??= require('internal/url');
  return urlModule;
}

// True if the text contains only characters that are the same in a path and in a URL, in both directions. Not a regular
// expression, because V8 would have to compile it at the start of every program.
function isPlain(text) {
  for (let i = 0; i < text.length; i++) {
    const c = StringPrototypeCharCodeAt(text, i);
    // The ranges are a-z, &'()*+,-./0-9:; and @A-Z.
    if ((c >= 0x61 && c <= 0x7a) || (c >= 0x26 && c <= 0x3b) || (c >= 0x40 && c <= 0x5a)) continue;
    if (c !== 0x21 && c !== 0x24 && c !== 0x3d && c !== 0x5f && c !== 0x7e) return false; // !$=_~
  }
  return true;
}

// Returns the URL of an absolute, normalized path.
function pathToHref(path) {
  if (StringPrototypeCharCodeAt(path, 0) === SLASH && isPlain(path)) return `file://${path}`;
  return lazyURL().pathToFileURL(path).href;
}

// Returns the path of a file: URL, without its query and fragment.
function hrefToPath(href) {
  if (StringPrototypeStartsWith(href, 'file:///')) {
    const path = StringPrototypeSlice(href, filePrefix.length);
    if (isPlain(path)) return path;
  }
  return lazyURL().fileURLToPath(href);
}

function isFileHref(href) {
  return StringPrototypeStartsWith(href, 'file:');
}

// Returns the URL without query and fragment.
function stripQuery(href) {
  let end = StringPrototypeIndexOf(href, '?');
  const hash = StringPrototypeIndexOf(href, '#');
  if (hash !== -1 && (end === -1 || hash < end)) end = hash;
  return end === -1 ? href : StringPrototypeSlice(href, 0, end);
}

function isRelative(specifier) {
  if (StringPrototypeCharCodeAt(specifier, 0) !== DOT) return false;
  const second = StringPrototypeCharCodeAt(specifier, 1);
  return second === SLASH || specifier.length === 1 ||
    (second === DOT && (specifier.length === 2 || StringPrototypeCharCodeAt(specifier, 2) === SLASH));
}

// Joins a directory (with a slash at both ends) and a relative specifier as in URLs: '.' and '..' are removed, and a
// specifier that ends with one of them is a directory.
function joinSegments(directory, specifier) {
  const segments = StringPrototypeSplit(StringPrototypeSlice(directory, 1, -1), '/');
  if (segments.length === 1 && segments[0] === '') ArrayPrototypePop(segments);
  const parts = StringPrototypeSplit(specifier, '/');
  const last = parts.length - 1;
  for (let i = 0; i <= last; i++) {
    const part = parts[i];
    if (part === '..') ArrayPrototypePop(segments);
    else if (part !== '.') ArrayPrototypePush(segments, part);
    if (i === last && (part === '.' || part === '..')) ArrayPrototypePush(segments, '');
  }
  return `/${ArrayPrototypeJoin(segments, '/')}`;
}

// Returns the URL of a relative or absolute path for the module at `base`.
function resolveRelative(specifier, base) {
  if (StringPrototypeStartsWith(base, 'file:///') && isPlain(specifier)) {
    const from = stripQuery(base);
    const isAbsolute = StringPrototypeCharCodeAt(specifier, 0) === SLASH;
    // Two leading slashes would begin a host.
    if (!isAbsolute || StringPrototypeCharCodeAt(specifier, 1) !== SLASH) {
      const slash = StringPrototypeLastIndexOf(from, '/');
      const directory = isAbsolute ? '/' : StringPrototypeSlice(from, filePrefix.length, slash + 1);
      return `file://${joinSegments(directory, isAbsolute ? StringPrototypeSlice(specifier, 1) : specifier)}`;
    }
  }
  const { URL } = lazyURL();
  return new URL(specifier, base).href;
}

// Parses a string as an absolute URL; returns undefined unless it starts with a scheme.
function parseAbsolute(specifier) {
  if (RegExpPrototypeExec(/^[A-Za-z][A-Za-z0-9+\-.]*:/, specifier) === null) return undefined;
  const { URL } = lazyURL();
  try {
    return new URL(specifier);
  } catch {
    return undefined;
  }
}

module.exports = {
  hrefToPath,
  isFileHref,
  isRelative,
  lazyURL,
  parseAbsolute,
  pathToHref,
  resolveRelative,
  stripQuery,
};
