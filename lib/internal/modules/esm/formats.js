'use strict';

// What a URL holds: a module, CommonJS, JSON, a built-in; and its text.

const {
  RegExpPrototypeExec,
  StringPrototypeIndexOf,
  StringPrototypeLastIndexOf,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
  decodeURIComponent,
} = primordials;

const {
  codes: {
    ERR_IMPORT_ASSERTION_TYPE_FAILED,
    ERR_IMPORT_ASSERTION_TYPE_MISSING,
    ERR_IMPORT_ASSERTION_TYPE_UNSUPPORTED,
    ERR_IMPORT_ATTRIBUTE_UNSUPPORTED,
    ERR_INVALID_URL,
    ERR_UNKNOWN_BUILTIN_MODULE,
    ERR_UNKNOWN_FILE_EXTENSION,
    ERR_UNKNOWN_MODULE_FORMAT,
    ERR_UNSUPPORTED_ESM_URL_SCHEME,
  },
} = require('internal/errors');
const { hasModuleSyntax } = internalBinding('modules');
const { isBuiltin } = require('internal/modules/builtins');
const { readText } = require('internal/modules/files');
const packages = require('internal/modules/package_json_reader');
const { hrefToPath, isFileHref, lazyURL, stripQuery } = require('internal/modules/urls');

// Without one of these words a text is no module, and need not be compiled to find out.
const wordsOfModules = /\b(?:import|export|await)\b/;

function extensionOf(path) {
  const name = StringPrototypeSlice(path, StringPrototypeLastIndexOf(path, '/') + 1);
  const dot = StringPrototypeLastIndexOf(name, '.');
  return dot <= 0 ? '' : StringPrototypeSlice(name, dot);
}

function detect(source, path) {
  return RegExpPrototypeExec(wordsOfModules, source) !== null && hasModuleSyntax(source, path) ? 'module' : 'commonjs';
}

function formatOfFile(path, extension, source) {
  switch (extension) {
    case '.mjs': return 'module';
    case '.cjs': return 'commonjs';
    case '.json': return 'json';
    case '.js':
    case '': {
      const type = packages.typeOf(path);
      if (type === 'module') return 'module';
      // Programs without an extension may be of any kind that their text shows.
      if (type === 'commonjs' && extension === '.js') return 'commonjs';
      return detect(source, path);
    }
    default: throw new ERR_UNKNOWN_FILE_EXTENSION(extension, path);
  }
}

const knownExtensions = { '__proto__': null, '': true, '.cjs': true, '.js': true, '.json': true, '.mjs': true };

const dataPattern = /^data:([^/,;]+\/[^;,]+)(?:[^,]*?)(;base64)?,([\s\S]*)$/;

function loadData(url) {
  const hash = StringPrototypeIndexOf(url, '#');
  const match = RegExpPrototypeExec(dataPattern, hash === -1 ? url : StringPrototypeSlice(url, 0, hash));
  if (match === null) throw new ERR_INVALID_URL(url);
  const { 1: mime, 2: base64, 3: body } = match;
  const format = mime === 'text/javascript' ? 'module' : mime === 'application/json' ? 'json' : undefined;
  if (format === undefined) throw new ERR_UNKNOWN_MODULE_FORMAT(mime, url);
  const text = decodeURIComponent(body);
  return { format, source: base64 ? require('buffer').Buffer.from(text, 'base64').toString() : text };
}

// { format, source } of a URL that resolve() gave; built-ins have no source.
function load(url) {
  if (StringPrototypeStartsWith(url, 'node:')) {
    if (!isBuiltin(url)) throw new ERR_UNKNOWN_BUILTIN_MODULE(url);
    return { format: 'builtin', source: undefined };
  }
  if (StringPrototypeStartsWith(url, 'data:')) return loadData(url);
  if (!isFileHref(url)) throw new ERR_UNSUPPORTED_ESM_URL_SCHEME(new (lazyURL().URL)(url), ['file', 'data', 'node']);
  const path = hrefToPath(stripQuery(url));
  const extension = extensionOf(path);
  // Said before the file is read: it may be anything.
  if (!knownExtensions[extension]) throw new ERR_UNKNOWN_FILE_EXTENSION(extension, path);
  const source = readText(path);
  return { format: formatOfFile(path, extension, source), source };
}

// Import attributes come as a flat list of keys and values; only `type` exists, and only JSON has one.
function typeOf(pairs) {
  for (let i = 0; i < pairs.length; i += 2) if (pairs[i] === 'type') return pairs[i + 1];
  return undefined;
}

function validateAttributes(url, format, pairs) {
  const type = typeOf(pairs);
  if (format !== 'json' || type !== undefined) {
    for (let i = 0; i < pairs.length; i += 2) {
      if (pairs[i] !== 'type') throw new ERR_IMPORT_ATTRIBUTE_UNSUPPORTED(pairs[i], pairs[i + 1]);
    }
  }
  if (format === 'json') {
    if (type === 'json') return;
    if (type === undefined) throw new ERR_IMPORT_ASSERTION_TYPE_MISSING(url, 'json');
    throw new ERR_IMPORT_ASSERTION_TYPE_UNSUPPORTED(type);
  }
  if (type === undefined) return;
  if (type === 'json') throw new ERR_IMPORT_ASSERTION_TYPE_FAILED(url, type);
  throw new ERR_IMPORT_ASSERTION_TYPE_UNSUPPORTED(type);
}

module.exports = { load, typeOf, validateAttributes };
