'use strict';

// path.win32: paths of Windows.
const {
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  FunctionPrototypeBind,
  SafeSet,
  StringPrototypeCharCodeAt,
  StringPrototypeEndsWith,
  StringPrototypeIndexOf,
  StringPrototypeReplaceAll,
  StringPrototypeSlice,
  StringPrototypeSplit,
  StringPrototypeToLowerCase,
  StringPrototypeToUpperCase,
} = primordials;

const { validateString } = require('internal/validators');
const {
  extensionStart,
  formatWith,
  isWindowsSeparator: isSeparator,
  kBackslash,
  kColon,
  kDot,
  matchesGlob: matchGlob,
  reduce,
} = require('internal/path/common');

// Device names, which Windows reserves in every directory, whatever follows the colon.
const reservedNames = new SafeSet([
  'CON', 'PRN', 'AUX', 'NUL',
  'COM1', 'COM2', 'COM3', 'COM4', 'COM5', 'COM6', 'COM7', 'COM8', 'COM9', 'COM\xb9', 'COM\xb2', 'COM\xb3',
  'LPT1', 'LPT2', 'LPT3', 'LPT4', 'LPT5', 'LPT6', 'LPT7', 'LPT8', 'LPT9', 'LPT\xb9', 'LPT\xb2', 'LPT\xb3',
]);

function isDriveLetter(code) {
  const lower = code | 32;
  return lower >= 97 && lower <= 122 && code >= 65;
}

function startsWithDrive(path) {
  return path.length >= 2 && StringPrototypeCharCodeAt(path, 1) === kColon &&
         isDriveLetter(StringPrototypeCharCodeAt(path, 0));
}

function skipSeparators(path, at) {
  while (at < path.length && isSeparator(StringPrototypeCharCodeAt(path, at))) ++at;
  return at;
}

function skipName(path, at) {
  while (at < path.length && !isSeparator(StringPrototypeCharCodeAt(path, at))) ++at;
  return at;
}

// Returns where server and share of `\\server\share` start and end, or undefined if the path has no share.
function findShare(path) {
  if (path.length < 2 || !isSeparator(StringPrototypeCharCodeAt(path, 1))) return undefined;
  const serverEnd = skipName(path, 2);
  if (serverEnd === 2) return undefined;
  const shareStart = skipSeparators(path, serverEnd);
  if (shareStart === serverEnd) return undefined;
  const shareEnd = skipName(path, shareStart);
  return { server: StringPrototypeSlice(path, 2, serverEnd), serverEnd, shareStart, shareEnd };
}

// Splits off the drive, share and root before the components. `end` is the index at which the components start.
function splitRoot(path) {
  const root = { device: '', end: 0, absolute: false, wholeShare: false };
  if (isSeparator(StringPrototypeCharCodeAt(path, 0))) {
    root.absolute = true;
    root.end = 1;
    const share = findShare(path);
    if (share === undefined || share.shareStart === path.length) return root;
    if (share.server === '.' || share.server === '?') {
      // `\\.\` and `\\?\` open the device namespace.
      root.device = `\\\\${share.server}`;
      root.end = 4;
    } else {
      root.device = `\\\\${share.server}\\${StringPrototypeSlice(path, share.shareStart, share.shareEnd)}`;
      root.end = share.shareEnd;
      root.wholeShare = share.shareEnd === path.length;
    }
  } else if (startsWithDrive(path)) {
    root.device = StringPrototypeSlice(path, 0, 2);
    root.end = 2;
    if (path.length > 2 && isSeparator(StringPrototypeCharCodeAt(path, 2))) {
      root.absolute = true;
      root.end = 3;
    }
  }
  return root;
}

function isReservedName(path, colon) {
  return reservedNames.has(StringPrototypeToUpperCase(StringPrototypeSlice(path, 0, colon)));
}

// Returns the current directory of a drive: each drive has its own.
function cwdOfDrive(device) {
  const path = process.env[`=${device}`] || process.cwd();
  const sameDrive = StringPrototypeToLowerCase(StringPrototypeSlice(path, 0, 2)) === StringPrototypeToLowerCase(device);
  if (path === undefined || (!sameDrive && StringPrototypeCharCodeAt(path, 2) === kBackslash)) return `${device}\\`;
  return path;
}

function resolve(...paths) {
  let device = '';
  let tail = '';
  let absolute = false;
  for (let i = paths.length - 1; i >= -1; --i) {
    let path;
    if (i >= 0) {
      path = paths[i];
      validateString(path, `paths[${i}]`);
      if (path.length === 0) continue;
    } else {
      path = device === '' ? process.cwd() : cwdOfDrive(device);
    }
    const root = splitRoot(path);
    if (root.device !== '') {
      if (device === '') device = root.device;
      else if (StringPrototypeToLowerCase(root.device) !== StringPrototypeToLowerCase(device)) continue;
    }
    if (!absolute) {
      tail = `${StringPrototypeSlice(path, root.end)}\\${tail}`;
      absolute = root.absolute;
    }
    if (absolute && device !== '') break;
  }
  tail = reduce(tail, 0, !absolute, '\\', isSeparator);
  return absolute ? `${device}\\${tail}` : `${device}${tail}` || '.';
}

function normalize(path) {
  validateString(path, 'path');
  const length = path.length;
  if (length === 0) return '.';
  if (length === 1) return isSeparator(StringPrototypeCharCodeAt(path, 0)) ? '\\' : path;
  const root = splitRoot(path);
  const absolute = root.absolute;
  let { device, end } = root;
  if (root.wholeShare) return `${device}\\`;
  if (device === '\\\\?' || device === '\\\\.') {
    // A reserved name in the device namespace, such as \\?\COM1:, is a device of its own.
    const name = StringPrototypeSlice(path, end, StringPrototypeIndexOf(path, ':') + 1);
    if (isReservedName(name, name.length - 1)) {
      device = `\\\\?\\${name}`;
      end += name.length;
    }
  }
  const colon = StringPrototypeIndexOf(path, ':');
  if (end === 0 && colon > 0 && isReservedName(path, colon)) {
    end = colon + 1;
    device = StringPrototypeSlice(path, 0, end);
  }
  let tail = end < length ? reduce(path, end, !absolute, '\\', isSeparator) : '';
  if (tail === '' && !absolute) tail = '.';
  if (tail !== '' && isSeparator(StringPrototypeCharCodeAt(path, length - 1))) tail += '\\';

  if (colon !== -1) {
    // A relative path must not become a drive or a device name when a component is removed.
    if (!absolute && device === '') {
      if (startsWithDrive(tail)) return `.\\${tail}`;
      for (let at = colon; at !== -1; at = StringPrototypeIndexOf(path, ':', at + 1)) {
        if (at === length - 1 || isSeparator(StringPrototypeCharCodeAt(path, at + 1))) return `.\\${tail}`;
      }
    }
  }
  // As in Node, a path without a colon is checked without its last character.
  if (isReservedName(path, colon)) return `.\\${device}${tail}`;
  return absolute ? `${device}\\${tail}` : `${device}${tail}`;
}

function isAbsolute(path) {
  validateString(path, 'path');
  if (path.length === 0) return false;
  if (isSeparator(StringPrototypeCharCodeAt(path, 0))) return true;
  return path.length > 2 && startsWithDrive(path) && isSeparator(StringPrototypeCharCodeAt(path, 2));
}

function join(...paths) {
  let joined;
  let first;
  for (let i = 0; i < paths.length; ++i) {
    const path = paths[i];
    validateString(path, 'path');
    if (path.length === 0) continue;
    if (joined === undefined) joined = first = path;
    else joined += `\\${path}`;
  }
  if (joined === undefined) return '.';
  // The result is a share only if the first part begins one: join('\\', 'a', 'b') is not a share.
  const lead = skipSeparators(first, 0);
  const namesShare = lead === 2 && first.length > 2;
  if (!namesShare) {
    const all = skipSeparators(joined, 0);
    if (all >= 2) joined = `\\${StringPrototypeSlice(joined, all)}`;
  }
  if (namesDevice(joined)) return StringPrototypeReplaceAll(joined, '/', '\\');
  return normalize(joined);
}

// True if a component between backslashes is a reserved device name followed by a colon. join() does not normalize
// such paths.
function namesDevice(path) {
  if (StringPrototypeIndexOf(path, ':') === -1) return false;
  const parts = StringPrototypeSplit(path, '\\');
  for (let i = 0; i < parts.length; ++i) {
    const colon = StringPrototypeIndexOf(parts[i], ':');
    if (colon !== -1 && isReservedName(parts[i], colon)) return true;
  }
  return false;
}

function componentsOf(path) {
  const parts = StringPrototypeSplit(path, '\\');
  const out = [];
  for (let i = 0; i < parts.length; ++i) if (parts[i] !== '') ArrayPrototypePush(out, parts[i]);
  return out;
}

function relative(from, to) {
  validateString(from, 'from');
  validateString(to, 'to');
  if (from === to) return '';
  const fromPath = resolve(from);
  const toPath = resolve(to);
  if (fromPath === toPath) return '';
  const fromParts = componentsOf(fromPath);
  const toParts = componentsOf(toPath);
  const limit = fromParts.length < toParts.length ? fromParts.length : toParts.length;
  let shared = 0;
  while (shared < limit &&
         StringPrototypeToLowerCase(fromParts[shared]) === StringPrototypeToLowerCase(toParts[shared])) ++shared;
  // There is no relative path to another drive or server.
  if (shared === 0 && limit > 0) return toPath;
  const out = [];
  for (let i = shared; i < fromParts.length; ++i) ArrayPrototypePush(out, '..');
  for (let i = shared; i < toParts.length; ++i) ArrayPrototypePush(out, toParts[i]);
  return ArrayPrototypeJoin(out, '\\');
}

function toNamespacedPath(path) {
  if (typeof path !== 'string' || path.length === 0) return path;
  const resolved = resolve(path);
  if (resolved.length <= 2) return path;
  if (StringPrototypeCharCodeAt(resolved, 0) === kBackslash) {
    if (StringPrototypeCharCodeAt(resolved, 1) === kBackslash) {
      const code = StringPrototypeCharCodeAt(resolved, 2);
      if (code !== 63 && code !== kDot) return `\\\\?\\UNC\\${StringPrototypeSlice(resolved, 2)}`;
    }
  } else if (startsWithDrive(resolved) && StringPrototypeCharCodeAt(resolved, 2) === kBackslash) {
    return `\\\\?\\${resolved}`;
  }
  return resolved;
}

// Length of the part that dirname() and parse() never cut: the root, with one separator after a drive or share.
function rootLength(path) {
  if (isSeparator(StringPrototypeCharCodeAt(path, 0))) {
    const share = findShare(path);
    if (share === undefined || share.shareEnd === share.shareStart) return 1;
    return share.shareEnd === path.length ? share.shareEnd : share.shareEnd + 1;
  }
  if (!startsWithDrive(path)) return 0;
  return path.length > 2 && isSeparator(StringPrototypeCharCodeAt(path, 2)) ? 3 : 2;
}

function trimmedEnd(path, least) {
  let end = path.length;
  while (end > least && isSeparator(StringPrototypeCharCodeAt(path, end - 1))) --end;
  return end;
}

// Returns the index at which the component that ends at `end` starts.
function componentStart(path, least, end) {
  while (end > least && !isSeparator(StringPrototypeCharCodeAt(path, end - 1))) --end;
  return end;
}

function dirname(path) {
  validateString(path, 'path');
  const length = path.length;
  if (length === 0) return '.';
  if (length === 1) return isSeparator(StringPrototypeCharCodeAt(path, 0)) ? path : '.';
  const root = rootLength(path);
  if (root === length) return path;
  const start = componentStart(path, root, trimmedEnd(path, root));
  if (start <= root) return root === 0 ? '.' : StringPrototypeSlice(path, 0, root);
  return StringPrototypeSlice(path, 0, start - 1);
}

function lastComponent(path) {
  const least = startsWithDrive(path) ? 2 : 0;
  const end = trimmedEnd(path, least);
  return StringPrototypeSlice(path, componentStart(path, least, end), end);
}

function basename(path, suffix) {
  if (suffix !== undefined) validateString(suffix, 'suffix');
  validateString(path, 'path');
  const base = lastComponent(path);
  if (suffix === undefined || suffix.length === 0) return base;
  if (suffix === path) return '';
  // As in Node, a suffix that is longer than the base but ends with it keeps the trailing separators.
  if (base.length < suffix.length && suffix.length <= path.length && StringPrototypeEndsWith(suffix, base)) {
    return StringPrototypeSlice(path, trimmedEnd(path, startsWithDrive(path) ? 2 : 0) - base.length);
  }
  if (base.length > suffix.length && StringPrototypeEndsWith(base, suffix)) {
    return StringPrototypeSlice(base, 0, base.length - suffix.length);
  }
  return base;
}

function extname(path) {
  validateString(path, 'path');
  const base = lastComponent(path);
  const dot = extensionStart(base);
  return dot === -1 ? '' : StringPrototypeSlice(base, dot);
}

function parse(path) {
  validateString(path, 'path');
  const parsed = { root: '', dir: '', base: '', ext: '', name: '' };
  const length = path.length;
  if (length === 0) return parsed;
  const root = rootLength(path);
  parsed.root = parsed.dir = StringPrototypeSlice(path, 0, root);
  if (root === length) return parsed;
  const end = trimmedEnd(path, root);
  const start = componentStart(path, root, end);
  if (start > root) parsed.dir = StringPrototypeSlice(path, 0, start - 1);
  const base = StringPrototypeSlice(path, start, end);
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
  return matchGlob(path, pattern, true);
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
  format: FunctionPrototypeBind(formatWith, null, '\\'),
  parse,
  matchesGlob,
  sep: '\\',
  delimiter: ';',
  win32: null,
  posix: null,
};
