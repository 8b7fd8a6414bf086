'use strict';

// Between the paths and the file: URLs of modules. Nearly all of them hold nothing that URLs write differently, and for
// those there is no need to parse and print a URL: that is most of the time that a resolution would take.

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

// True for letters, digits and the characters that are the same in a path and in a URL, on either side of every
// conversion. Without a regular expression: every program starts with its own path, and V8 would compile one first.
function isPlain(text) {
  for (let i = 0; i < text.length; i++) {
    const c = StringPrototypeCharCodeAt(text, i);
    // a-z, &'()*+,-./0-9:;, @A-Z
    if ((c >= 0x61 && c <= 0x7a) || (c >= 0x26 && c <= 0x3b) || (c >= 0x40 && c <= 0x5a)) continue;
    if (c !== 0x21 && c !== 0x24 && c !== 0x3d && c !== 0x5f && c !== 0x7e) return false; // !$=_~
  }
  return true;
}

// The address of an absolute, normalized path.
function pathToHref(path) {
  if (StringPrototypeCharCodeAt(path, 0) === SLASH && isPlain(path)) return `file://${path}`;
  return lazyURL().pathToFileURL(path).href;
}

// The path of a file: URL, without its query and fragment.
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

// The address without query and fragment.
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

// Joins a directory (which begins and ends with a slash) and a relative specifier, as URLs do it: dots are taken out,
// and a specifier that ends in a dot names a directory.
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

// The address of a relative or absolute path, seen from the module at `base`.
function resolveRelative(specifier, base) {
  if (StringPrototypeStartsWith(base, 'file:///') && isPlain(specifier)) {
    const from = stripQuery(base);
    const isAbsolute = StringPrototypeCharCodeAt(specifier, 0) === SLASH;
    // Two slashes in front would name a host.
    if (!isAbsolute || StringPrototypeCharCodeAt(specifier, 1) !== SLASH) {
      const slash = StringPrototypeLastIndexOf(from, '/');
      const directory = isAbsolute ? '/' : StringPrototypeSlice(from, filePrefix.length, slash + 1);
      return `file://${joinSegments(directory, isAbsolute ? StringPrototypeSlice(specifier, 1) : specifier)}`;
    }
  }
  const { URL } = lazyURL();
  return new URL(specifier, base).href;
}

// Parses a string as an absolute URL, or returns undefined. Only strings with a letter first and a colon can be one.
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
