'use strict';

// module.enableCompileCache() and NODE_COMPILE_CACHE: stores the bytecode of files, and TypeScript with its types
// removed, in a directory for later processes. An entry is used only if its hashes match the source and its own
// content, and V8 accepts the bytecode; other files are ignored and overwritten.

const {
  ArrayPrototypeIncludes,
  ArrayPrototypePush,
  NumberPrototypeToString,
  SafeMap,
  StringPrototypePadStart,
  StringPrototypeSlice,
  StringPrototypeSplit,
  StringPrototypeToUpperCase,
  TypedArrayPrototypeGetByteLength,
  TypedArrayPrototypeSubarray,
  TypeError,
  Uint8Array,
} = primordials;

const { hash, serialize } = internalBinding('code_cache');
const { Buffer } = require('buffer');
const { closeSync, mkdirSync, openSync, readFileSync, renameSync, unlinkSync, writeSync } = require('fs');
const { hrefToPath, isFileHref, stripQuery } = require('internal/modules/urls');
const state = require('internal/modules/compile_state');
const path = require('path');

// Values of module.constants.compileCacheStatus.
const kFailed = 0;
const kEnabled = 1;
const kAlreadyEnabled = 2;
const kDisabled = 3;

const kMagic = 'RONDOCC1';
const kHeaderSize = kMagic.length + 2 * 16; // Two hashes in hexadecimal: of the text, and of the data after the header.

let directory; // Including the folder for this version.
let isPortable = false;
let isVerbose = false;
const entries = new SafeMap();

// Enabled by NODE_DEBUG_NATIVE=COMPILE_CACHE.
function debug(text) {
  if (isVerbose) process._rawDebug(`[compile cache] ${text}`);
}

function words(error) {
  return error?.code === undefined ? `${error?.message}` :
    StringPrototypeSplit(StringPrototypeSplit(error.message, ': ', 2)[1] ?? error.message, ',', 1)[0];
}

// ---- Files

function readEntry(entry) {
  const label = `reading cache from ${entry.file} for ${entry.type} ${entry.filename}`;
  let bytes;
  try {
    bytes = readFileSync(entry.file);
  } catch (error) {
    debug(`${label}... ${words(error)}`);
    return;
  }
  const header = bytes.toString('latin1', 0, kHeaderSize);
  const data = TypedArrayPrototypeSubarray(bytes, kHeaderSize);
  const wanted = headerOf(entry, data);
  if (header !== wanted) {
    const isOther = isSameUpTo(header, wanted, kMagic.length) && !isSameUpTo(header, wanted, kMagic.length + 16);
    debug(`${label}... ${isOther ? 'code hash' : 'header'} mismatch: expected ${wanted}, actual ${header}`);
    return;
  }
  entry.data = data;
  debug(`${label}... success, size=${TypedArrayPrototypeGetByteLength(data)}`);
}

function isSameUpTo(one, other, length) {
  return StringPrototypeSlice(one, 0, length) === StringPrototypeSlice(other, 0, length);
}

function headerOf(entry, data) {
  return `${kMagic}${entry.hash}${hash(data)}`;
}

let lastTemporary = 0;

// Writes a temporary file and renames it, so that readers never see a partial entry.
function writeEntry(entry) {
  const temporary = `${entry.file}.${process.pid}-${internalBinding('worker').threadId()}-${++lastTemporary}`;
  const label = `writing cache for ${entry.type} ${entry.filename} to temporary file ${temporary}`;
  let isWritten = false;
  try {
    const content = Buffer.concat([Buffer.from(headerOf(entry, entry.data)), entry.data]);
    const fd = openSync(temporary, 'wx', 0o600);
    try {
      for (let offset = 0; offset < content.length;) offset += writeSync(fd, content, offset);
    } finally {
      closeSync(fd);
    }
    isWritten = true;
    renameSync(temporary, entry.file);
    debug(`${label}...success`);
  } catch (error) {
    debug(`${label}...failed: ${words(error)}`);
    if (isWritten || error?.code === 'ENOSPC') {
      try {
        unlinkSync(temporary);
      } catch {
        // The file does not exist or cannot be removed.
      }
    }
  }
}

// ---- Entries

// Returns the key of a file. With `portable` it is the path relative to the cache, so that both can be moved together.
function keyOf(filename, type) {
  let name = filename;
  if (isPortable) {
    const place = isFileHref(name) ? hrefToPath(stripQuery(name)) : name;
    if (path.isAbsolute(place)) name = path.relative(directory, place);
  }
  return hash(`${type}\0${name}`);
}

// Returns the cache entry for a source text, creating one if needed. `data` is undefined if nothing is cached.
function lookUp(source, filename, type) {
  const key = keyOf(filename, type);
  const sum = hash(source);
  const known = entries.get(key);
  if (known !== undefined && known.hash === sum) return known;
  const entry = {
    __proto__: null,
    type,
    filename,
    file: `${directory}/${key}`,
    hash: sum,
    data: undefined,
    isRejected: false,
    isNew: false,
  };
  entries.set(key, entry);
  readEntry(entry);
  return entry;
}

// Stores V8's code cache of `compiled`, the script or module compiled from the entry's text.
function keep(entry, compiled) {
  const label = `V8 code cache for ${entry.type} ${entry.filename} was`;
  if (entry.data !== undefined && !entry.isRejected) {
    debug(`${label} accepted, keeping the in-memory entry`);
    return;
  }
  debug(entry.data === undefined ? `${label} not initialized, initializing the in-memory entry` :
    `${label} rejected, refreshing the in-memory entry`);
  const bytes = serialize(compiled);
  if (bytes === undefined) return;
  entry.data = new Uint8Array(bytes);
  entry.isNew = true;
}

// Returns the text without types, from the cache or from `strip()`.
function stripped(source, filename, strip) {
  const entry = lookUp(source, filename, 'StrippedTypeScript');
  if (entry.data !== undefined) {
    debug(`retrieving transpile cache for ${entry.type} ${filename}...success`);
    return Buffer.from(entry.data.buffer, entry.data.byteOffset, entry.data.byteLength).toString();
  }
  const text = strip();
  debug(`saving transpilation cache for ${entry.type} ${filename}`);
  entry.data = Buffer.from(text);
  entry.isNew = true;
  return text;
}

// module.flushCompileCache().
function flushCompileCache() {
  flush();
  debug('module.flushCompileCache() finished');
}

function flush() {
  entries.forEach((entry) => {
    const label = `skip persisting ${entry.type} ${entry.filename} because`;
    if (entry.data === undefined) debug(`${label} the cache was not initialized`);
    else if (!entry.isNew) debug(`${label} cache was the same`);
    else writeEntry(entry);
  });
  entries.clear();
}

// ---- Settings

function versionTag() {
  const { cachedDataVersionTag } = require('v8');
  const tag = StringPrototypePadStart(NumberPrototypeToString(cachedDataVersionTag(), 16), 8, '0');
  return `rondo-${process.versions.rondo}-${process.arch}-${tag}-${process.getuid()}`;
}

function enable(base, portable) {
  const { NODE_DEBUG_NATIVE, NODE_DISABLE_COMPILE_CACHE } = process.env;
  isVerbose = NODE_DEBUG_NATIVE !== undefined &&
    ArrayPrototypeIncludes(StringPrototypeSplit(StringPrototypeToUpperCase(NODE_DEBUG_NATIVE), ','), 'COMPILE_CACHE');
  if (directory !== undefined) return { status: kAlreadyEnabled, directory };
  if (NODE_DISABLE_COMPILE_CACHE) {
    const message = 'Disabled by NODE_DISABLE_COMPILE_CACHE';
    debug(message);
    return { status: kDisabled, message };
  }
  const absolute = path.resolve(base);
  const folder = path.join(absolute, versionTag());
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const message = `Cannot create cache directory: ${words(error)}`;
    debug(message);
    return { status: kFailed, message };
  }
  directory = folder;
  isPortable = portable;
  state.cache = { keep, lookUp, stripped };
  ArrayPrototypePush(require('internal/process/execution').atExit, flush);
  return { status: kEnabled, directory: absolute };
}

function invalidDirectory() {
  const error = new TypeError('cacheDir should be a string');
  error.code = 'ERR_INVALID_ARG_TYPE';
  return error;
}

// module.enableCompileCache().
function enableCompileCache(options) {
  let base = options;
  let portable;
  if (typeof options === 'object' && options !== null) ({ directory: base, portable } = options);
  const { env } = process;
  if (base === undefined) base = env.NODE_COMPILE_CACHE || path.join(require('os').tmpdir(), 'node-compile-cache');
  if (typeof base !== 'string') throw invalidDirectory();
  return enable(base, portable === undefined ? env.NODE_COMPILE_CACHE_PORTABLE === '1' : portable === true);
}

// NODE_COMPILE_CACHE: a cache that cannot be used is ignored.
function enableFromEnvironment() {
  const { env } = process;
  enable(env.NODE_COMPILE_CACHE, env.NODE_COMPILE_CACHE_PORTABLE === '1');
}

function getCompileCacheDir() {
  return directory;
}

module.exports = { enableCompileCache, enableFromEnvironment, flushCompileCache, getCompileCacheDir };
