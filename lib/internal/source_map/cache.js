'use strict';

// --enable-source-maps: stores the source maps of files, and formats stack frames with the original positions.

const {
  ArrayPrototypePush,
  JSONParse,
  RegExpPrototypeExec,
  SafeMap,
  StringPrototypeSplit,
  StringPrototypeStartsWith,
  decodeURIComponent,
} = primordials;

const { readFile } = internalBinding('module_fs');
const { sourceMapURL } = internalBinding('modules');
const { hrefToPath, isFileHref, lazyURL, pathToHref, stripQuery } = require('internal/modules/urls');

let enabled; // Undefined means the value of the command line.

function isEnabled() {
  enabled ??= require('internal/options').hasFlag('enable-source-maps');
  return enabled;
}

// True if source maps are stored when files are compiled.
let keeps = false;

function isKept() {
  return keeps || isEnabled();
}

function keepAll() {
  keeps = true;
}

function setEnabled(value) {
  enabled = value;
}

// Path or URL of a generated file => { reference, source } of its map; after the first use { map }.
const known = new SafeMap();

function keyOf(name) {
  return isFileHref(name) ? hrefToPath(stripQuery(name)) : name;
}

// Called with every compiled file. `compiled` is its function or the number of its module: V8 provides the URL of the
// magic comment.
function remember(name, source, compiled) {
  const reference = sourceMapURL(compiled);
  if (reference !== undefined) known.set(keyOf(name), { reference, source, map: undefined });
}

function textOf(reference, base) {
  if (StringPrototypeStartsWith(reference, 'data:')) {
    const match = RegExpPrototypeExec(/^data:[^,]*?(;base64)?,([\s\S]*)$/, reference);
    if (match === null) return undefined;
    return match[1] ? require('buffer').Buffer.from(match[2], 'base64').toString() : decodeURIComponent(match[2]);
  }
  const { URL } = lazyURL();
  const { href } = new URL(reference, base);
  const text = isFileHref(href) ? readFile(hrefToPath(href)) : undefined;
  return typeof text === 'string' ? text : undefined;
}

function lineLengths(source) {
  const lines = StringPrototypeSplit(source, '\n');
  const lengths = [];
  for (let i = 0; i < lines.length; i++) ArrayPrototypePush(lengths, lines[i].length);
  return lengths;
}

// Loads the map of a file. Returns null if that fails, so that it is not tried again.
function load(name, { reference, source }) {
  const base = StringPrototypeStartsWith(name, '/') ? pathToHref(name) : name;
  const { SourceMap } = require('internal/source_map/source_map');
  const { URL } = lazyURL();
  try {
    const text = textOf(reference, base);
    if (text === undefined) return null;
    const payload = JSONParse(text);
    const root = payload.sourceRoot || '';
    const from = StringPrototypeStartsWith(reference, 'data:') ? base : new URL(reference, base).href;
    for (let i = 0; payload.sources !== undefined && i < payload.sources.length; i++) {
      payload.sources[i] = new URL(root + payload.sources[i], from).href;
    }
    payload.sourceRoot = '';
    return new SourceMap(payload, { lineLengths: lineLengths(source) });
  } catch {
    return null;
  }
}

function findSourceMap(name) {
  if (typeof name !== 'string' || !isEnabled()) return undefined;
  const key = keyOf(name);
  const entry = known.get(key);
  if (entry === undefined) return undefined;
  if (entry.map === undefined) entry.map = load(key, entry);
  return entry.map ?? undefined;
}

// Returns all maps in the format of coverage files; undefined if there is none.
function toObject() {
  let result;
  known.forEach((entry, key) => {
    if (entry.map === undefined) entry.map = load(key, entry);
    const href = StringPrototypeStartsWith(key, '/') ? pathToHref(key) : key;
    result ??= { __proto__: null };
    result[href] = {
      __proto__: null,
      lineLengths: lineLengths(entry.source),
      data: entry.map === null ? null : entry.map.payload,
      // As in Node, set only for a map that cannot be loaded.
      url: entry.map === null ? entry.reference : null,
    };
  });
  return result;
}

// Returns the original name of a frame's function, if the source map contains it.
function nameOf(map, frames, index) {
  const frame = frames[index];
  if (typeof frame.getEnclosingLineNumber === 'function') {
    const { name } = map.findEntry(frame.getEnclosingLineNumber() - 1, frame.getEnclosingColumnNumber() - 1);
    if (name) return name;
  }
  const caller = frames[index + 1];
  if (caller === undefined || caller.getFileName() !== frame.getFileName()) return undefined;
  return map.findEntry(caller.getLineNumber() - 1, caller.getColumnNumber() - 1).name;
}

// Formats a frame of a stack, with the original position if there is a map.
function describeFrame(frames, index) {
  const frame = frames[index];
  try {
    const file = frame.getFileName();
    const map = typeof file === 'string' ? findSourceMap(file) : undefined;
    const entry = map?.findEntry(frame.getLineNumber() - 1, frame.getColumnNumber() - 1);
    if (entry === undefined || entry.originalSource === undefined) return `${frame}`;
    const type = frame.getTypeName();
    const own = frame.getFunctionName() ?? frame.getMethodName();
    const shown = (type !== null && type !== 'global' ? `${type}.` : '') + (own || '<anonymous>');
    const name = nameOf(map, frames, index) || shown;
    const place = isFileHref(entry.originalSource) ? hrefToPath(entry.originalSource) : entry.originalSource;
    return `${name} (${place}:${entry.originalLine + 1}:${entry.originalColumn + 1})`;
  } catch {
    return `${frame}`;
  }
}

function reset() {
  enabled = undefined;
}

module.exports = { describeFrame, findSourceMap, isEnabled, isKept, keepAll, remember, reset, setEnabled, toObject };
