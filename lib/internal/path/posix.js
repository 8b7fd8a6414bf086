'use strict';

// path.posix: paths of POSIX systems.
const {
  FunctionPrototypeBind,
  StringPrototypeCharCodeAt,
  StringPrototypeEndsWith,
  StringPrototypeSlice,
} = primordials;

const { validateString } = require('internal/validators');
const {
  extensionStart,
  formatWith,
  isPosixSeparator,
  kDot,
  kSlash,
  lastIndexOfCode,
  matchesGlob: matchGlob,
  reduce,
} = require('internal/path/common');

// Fast path: true if normalization would not change the path, because it has no empty component other than at either
// end, no '.' and no '..'.
function isReduced(path) {
  const length = path.length;
  let previous = kSlash; // The character before a component.
  for (let i = 0; i < length; ++i) {
    const code = StringPrototypeCharCodeAt(path, i);
    if (previous === kSlash) {
      if (code === kSlash && i > 0) return false;
      if (code === kDot) {
        if (i + 1 === length) return false;
        const next = StringPrototypeCharCodeAt(path, i + 1);
        if (next === kSlash) return false;
        if (next === kDot && (i + 2 === length || StringPrototypeCharCodeAt(path, i + 2) === kSlash)) return false;
      }
    }
    previous = code;
  }
  return true;
}

function normalizeNonEmpty(path) {
  if (isReduced(path)) return path;
  const absolute = StringPrototypeCharCodeAt(path, 0) === kSlash;
  const trailing = StringPrototypeCharCodeAt(path, path.length - 1) === kSlash;
  const body = reduce(path, 0, !absolute, '/', isPosixSeparator);
  if (body === '') {
    if (absolute) return '/';
    return trailing ? './' : '.';
  }
  if (absolute) return trailing ? `/${body}/` : `/${body}`;
  return trailing ? `${body}/` : body;
}

function resolve(...paths) {
  let joined = '';
  let absolute = false;
  for (let i = paths.length - 1; i >= 0 && !absolute; --i) {
    const path = paths[i];
    if (typeof path !== 'string') validateString(path, `paths[${i}]`);
    if (path.length === 0) continue;
    joined = joined === '' ? path : `${path}/${joined}`;
    absolute = StringPrototypeCharCodeAt(path, 0) === kSlash;
  }
  if (!absolute) {
    const cwd = process.cwd();
    joined = joined === '' ? cwd : `${cwd}/${joined}`;
    absolute = StringPrototypeCharCodeAt(cwd, 0) === kSlash;
  }
  if (absolute && isReduced(joined)) {
    const last = joined.length - 1;
    if (last === 0 || StringPrototypeCharCodeAt(joined, last) !== kSlash) return joined;
    return StringPrototypeSlice(joined, 0, last);
  }
  const body = reduce(joined, 0, !absolute, '/', isPosixSeparator);
  if (absolute) return `/${body}`;
  return body === '' ? '.' : body;
}

function normalize(path) {
  validateString(path, 'path');
  return path.length === 0 ? '.' : normalizeNonEmpty(path);
}

function isAbsolute(path) {
  validateString(path, 'path');
  return path.length > 0 && StringPrototypeCharCodeAt(path, 0) === kSlash;
}

function join(...paths) {
  let joined = '';
  for (let i = 0; i < paths.length; ++i) {
    const path = paths[i];
    validateString(path, 'path');
    if (path.length > 0) joined = joined === '' ? path : `${joined}/${path}`;
  }
  return joined === '' ? '.' : normalizeNonEmpty(joined);
}

function relative(from, to) {
  validateString(from, 'from');
  validateString(to, 'to');
  if (from === to) return '';
  from = resolve(from);
  to = resolve(to);
  if (from === to) return '';

  const fromLength = from.length;
  const toLength = to.length;
  // `shared` is the length of the common directory, without its slash (0 for the root).
  let shared = 0;
  let i = 0;
  while (i < fromLength && i < toLength) {
    const code = StringPrototypeCharCodeAt(from, i);
    if (code !== StringPrototypeCharCodeAt(to, i)) break;
    if (code === kSlash) shared = i;
    ++i;
  }
  if (i === fromLength && StringPrototypeCharCodeAt(to, i) === kSlash) shared = i;
  else if (i === toLength && StringPrototypeCharCodeAt(from, i) === kSlash) shared = i;

  let up = '';
  for (let at = shared; at < fromLength; ++at) {
    // Only the root ends in a slash that does not start a component.
    if (StringPrototypeCharCodeAt(from, at) === kSlash && at + 1 < fromLength) up = up === '' ? '..' : `${up}/..`;
  }
  const down = StringPrototypeSlice(to, shared + 1);
  if (up === '') return down;
  return down === '' ? up : `${up}/${down}`;
}

function toNamespacedPath(path) {
  return path; // Only Windows has namespaces.
}

// Returns the end of the last component, before trailing slashes; at least `least`.
function trimmedEnd(path, least) {
  let end = path.length;
  while (end > least && StringPrototypeCharCodeAt(path, end - 1) === kSlash) --end;
  return end;
}

function dirname(path) {
  validateString(path, 'path');
  if (path.length === 0) return '.';
  const rooted = StringPrototypeCharCodeAt(path, 0) === kSlash;
  const end = trimmedEnd(path, 1);
  const slash = end <= 1 ? -1 : lastIndexOfCode(path, kSlash, end - 1);
  if (slash <= 0) return rooted ? '/' : '.';
  // POSIX lets the system interpret two leading slashes, so they are kept.
  if (rooted && slash === 1) return '//';
  return StringPrototypeSlice(path, 0, slash);
}

// Returns the last component without trailing slashes.
function lastComponent(path) {
  const end = trimmedEnd(path, 0);
  if (end === 0) return '';
  const slash = lastIndexOfCode(path, kSlash, end - 1);
  return StringPrototypeSlice(path, slash + 1, end);
}

function basename(path, suffix) {
  if (suffix !== undefined) validateString(suffix, 'suffix');
  validateString(path, 'path');
  const base = lastComponent(path);
  if (suffix === undefined || suffix.length === 0) return base;
  if (suffix === path) return '';
  // As in Node, a suffix that is longer than the base but ends with it keeps the trailing slashes.
  if (base.length < suffix.length && suffix.length <= path.length && StringPrototypeEndsWith(suffix, base)) {
    return StringPrototypeSlice(path, trimmedEnd(path, 0) - base.length);
  }
  if (base.length > suffix.length && StringPrototypeEndsWith(base, suffix)) {
    return StringPrototypeSlice(base, 0, base.length - suffix.length);
  }
  return base;
}

function extname(path) {
  validateString(path, 'path');
  const end = trimmedEnd(path, 0);
  let dot = -1;
  let start = end;
  while (start > 0) {
    const code = StringPrototypeCharCodeAt(path, start - 1);
    if (code === kSlash) break;
    --start;
    if (code === kDot && dot === -1) dot = start;
  }
  // Neither a name that starts with its only dot nor '..' has an extension.
  if (dot <= start) return '';
  if (dot === start + 1 && end === start + 2 && StringPrototypeCharCodeAt(path, start) === kDot) return '';
  return StringPrototypeSlice(path, dot, end);
}

function parse(path) {
  validateString(path, 'path');
  const parsed = { root: '', dir: '', base: '', ext: '', name: '' };
  if (path.length === 0) return parsed;
  const absolute = StringPrototypeCharCodeAt(path, 0) === kSlash;
  const end = trimmedEnd(path, 0);
  const slash = end === 0 ? -1 : lastIndexOfCode(path, kSlash, end - 1);
  if (absolute) parsed.root = parsed.dir = '/';
  if (slash > 0) parsed.dir = StringPrototypeSlice(path, 0, slash);
  const base = StringPrototypeSlice(path, slash + 1, end);
  const dot = extensionStart(base);
  parsed.base = base;
  parsed.name = base;
  if (dot !== -1) {
    parsed.name = StringPrototypeSlice(base, 0, dot);
    parsed.ext = StringPrototypeSlice(base, dot);
  }
  return parsed;
}

function matchesGlob(path, pattern) {
  return matchGlob(path, pattern, false);
}

module.exports = {
  resolve,
  normalize,
  isAbsolute,
  join,
  relative,
  toNamespacedPath,
  dirname,
  basename,
  extname,
  format: FunctionPrototypeBind(formatWith, null, '/'),
  parse,
  matchesGlob,
  sep: '/',
  delimiter: ':',
  win32: null,
  posix: null,
};
