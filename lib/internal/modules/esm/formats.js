'use strict';

// Loads the source of a URL and determines its format: module, CommonJS, JSON, built-in and others.

const {
  NumberParseInt,
  RegExpPrototypeExec,
  RegExpPrototypeSymbolReplace,
  SafeSet,
  StringFromCharCode,
  StringPrototypeIncludes,
  StringPrototypeIndexOf,
  StringPrototypeLastIndexOf,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
  StringPrototypeToLowerCase,
  decodeURIComponent,
} = primordials;

const {
  codes: {
    ERR_IMPORT_ATTRIBUTE_MISSING,
    ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE,
    ERR_IMPORT_ATTRIBUTE_UNSUPPORTED,
    ERR_INVALID_URL,
    ERR_UNKNOWN_BUILTIN_MODULE,
    ERR_UNKNOWN_FILE_EXTENSION,
    ERR_UNKNOWN_MODULE_FORMAT,
    ERR_UNSUPPORTED_ESM_URL_SCHEME,
  },
} = require('internal/errors');
const { hasModuleSyntax } = internalBinding('modules');
const { hasFlag } = require('internal/options');
const { isBuiltin } = require('internal/modules/builtins');
const { readText } = require('internal/modules/files');
const packages = require('internal/modules/package_json_reader');
const { hrefToPath, isFileHref, lazyURL, pathToHref, stripQuery } = require('internal/modules/urls');

// A text without any of these words is not a module, and need not be compiled to detect its format.
const wordsOfModules = /\b(?:import|export|await)\b/;

function extensionOf(path) {
  const name = StringPrototypeSlice(path, StringPrototypeLastIndexOf(path, '/') + 1);
  const dot = StringPrototypeLastIndexOf(name, '.');
  return dot <= 0 ? '' : StringPrototypeSlice(name, dot);
}

function detect(source, path) {
  return RegExpPrototypeExec(wordsOfModules, source) !== null && hasModuleSyntax(source, path) ? 'module' : 'commonjs';
}

const formatsOfExtensions = {
  '__proto__': null,
  '.cjs': 'commonjs',
  '.cts': 'commonjs-typescript',
  '.json': 'json',
  '.mjs': 'module',
  '.mts': 'module-typescript',
  '.node': 'addon',
  '.wasm': 'wasm',
};

// Returns the format by file name and nearest package.json: null if it must be detected from the source text, undefined
// if it is unknown.
function formatOfName(path, extension) {
  const format = formatsOfExtensions[extension];
  if (format !== undefined) return isTypeScript(format) && hasFlag('no-strip-types') ? undefined : format;
  switch (extension) {
    case '.js': {
      const type = packages.typeOf(path);
      return type === 'none' ? (hasFlag('no-experimental-detect-module') ? 'commonjs' : null) : type;
    }
    case '.ts': {
      if (hasFlag('no-strip-types')) return undefined;
      const type = packages.typeOf(path);
      return type === 'none' ? null : `${type}-typescript`;
    }
    // The format of files without an extension is detected from their content.
    case '': {
      const type = packages.typeOf(path);
      if (type === 'module') return isWasm(readText(path)) ? 'wasm' : 'module';
      return type === 'none' ? null : type;
    }
    default: return undefined;
  }
}

// The first bytes of every WebAssembly file are also valid text.
function isWasm(text) {
  return StringPrototypeStartsWith(text, '\0asm');
}

function isTypeScript(format) {
  return format === 'module-typescript' || format === 'commonjs-typescript' || format === 'typescript';
}

function isKnownFormat(format) {
  return format === 'module' || format === 'commonjs' || format === 'json' || format === 'builtin' ||
    format === 'text' ||
    format === 'addon' || format === 'wasm' || isTypeScript(format);
}

const typeless = new SafeSet(); // Paths of package.json files that were warned about

// Warns about a module whose format was detected from its text, because its package.json has no "type".
function warnOfTypeless(path) {
  const pkg = packages.packageOf(path);
  if (pkg === null || StringPrototypeIncludes(path, '/node_modules/') || typeless.has(pkg.path)) return;
  typeless.add(pkg.path);
  process.emitWarning(
    `Module type of ${pathToHref(path)} is not specified and it doesn't parse as CommonJS.\nReparsing as ES module because ` +
    'module syntax was detected. This incurs a performance overhead.\nTo eliminate this warning, add "type": "module" to ' +
    `${pkg.path}.`, { code: 'MODULE_TYPELESS_PACKAGE_JSON' });
}

function formatOfText(path, extension, source) {
  if (extension === '' && isWasm(source)) return 'wasm';
  if (extension !== '.ts') {
    const format = hasFlag('no-experimental-detect-module') ? 'commonjs' : detect(source, path);
    if (format === 'module' && extension === '.js') warnOfTypeless(path);
    return format;
  }
  const { stripModuleTypes } = require('internal/modules/typescript');
  const format = detect(stripModuleTypes(source, path), path);
  if (format === 'module') warnOfTypeless(path);
  return `${format}-typescript`;
}

// The format that load hooks receive in their context: the best guess before the URL is loaded.
function formatHint(url) {
  if (!isFileHref(url)) {
    try {
      if (StringPrototypeStartsWith(url, 'node:')) return undefined;
      return StringPrototypeStartsWith(url, 'data:') ? loadData(url, false).format : null;
    } catch {
      return undefined;
    }
  }
  const path = hrefToPath(stripQuery(url));
  return formatOfName(path, extensionOf(path));
}

function readBytes(path) {
  return require('fs').readFileSync(path);
}

const dataPattern = /^data:(?:([^/,;]+\/[^;,]+)[^,]*?|[^,]*?)(;base64)?,([\s\S]*)$/;

// Decodes percent-encoding; invalid sequences are kept.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return decodedBytes(text).toString();
  }
}

function decodedBytes(text) {
  const { Buffer } = require('buffer');
  const latin = RegExpPrototypeSymbolReplace(
    /%([0-9a-f]{2})/gi, Buffer.from(text).latin1Slice(),
    (all, digits) => StringFromCharCode(NumberParseInt(digits, 16)));
  return Buffer.from(latin, 'latin1');
}

function fromBase64(body) {
  return require('buffer').Buffer.from(decoded(body), 'base64');
}

const formatsOfTypes = {
  '__proto__': null,
  'application/javascript': 'module',
  'application/json': 'json',
  'application/wasm': 'wasm',
  'text/javascript': 'module',
};

function loadData(url, isText) {
  const hash = StringPrototypeIndexOf(url, '#');
  const match = RegExpPrototypeExec(dataPattern, hash === -1 ? url : StringPrototypeSlice(url, 0, hash));
  if (match === null) throw new ERR_INVALID_URL(url);
  const { 1: mime, 2: base64, 3: body } = match;
  const isPlain = mime === 'text/plain' && hasFlag('experimental-import-text');
  const format = isText || isPlain ? 'text' : formatsOfTypes[StringPrototypeToLowerCase(`${mime}`)];
  if (format === undefined) throw new ERR_UNKNOWN_MODULE_FORMAT(mime ?? null, url);
  if (format === 'wasm') return { format, source: base64 ? fromBase64(body) : decodedBytes(body) };
  return { format, source: base64 ? fromBase64(body).toString() : decoded(body) };
}

// Returns { format, source } of a URL returned by resolve(); built-ins have no source. `format` is that of a hook, if
// any.
function load(url, format, attributes) {
  if (StringPrototypeStartsWith(url, 'node:')) {
    if (!isBuiltin(url)) throw new ERR_UNKNOWN_BUILTIN_MODULE(url);
    return { format: 'builtin', source: undefined };
  }
  const isText = attributes !== undefined && typeOf(attributes) === 'text' && hasFlag('experimental-import-text');
  if (StringPrototypeStartsWith(url, 'data:')) return loadData(url, isText);
  if (!isFileHref(url)) {
    const isWeb = RegExpPrototypeExec(/^https?:/, url) !== null;
    throw new ERR_UNSUPPORTED_ESM_URL_SCHEME(
      new (lazyURL().URL)(url), isWeb ? ['file', 'data'] : ['file', 'data', 'node']);
  }
  const path = hrefToPath(stripQuery(url));
  const extension = extensionOf(path);
  if (isText) return { format: 'text', source: readText(path) };
  format ??= formatOfName(path, extension);
  // Reported before the file is read, because the file may contain anything.
  if (format === undefined) throw new ERR_UNKNOWN_FILE_EXTENSION(extension, path);
  if (format === 'addon') return { format, source: '' };
  if (format === 'wasm') return { format, source: readBytes(path) };
  const source = readText(path);
  format ??= formatOfText(path, extension, source);
  return { format, source: format === 'wasm' ? readBytes(path) : source };
}

// Import attributes are a flat list of keys and values; only `type` is supported.
function typeOf(pairs) {
  for (let i = 0; i < pairs.length; i += 2) if (pairs[i] === 'type') return pairs[i + 1];
  return undefined;
}

// The value of `type` that a format requires; other formats must not have one.
const typesOfFormats = { __proto__: null, json: 'json', text: 'text' };

// Unsupported attributes are rejected before anything is loaded.
function validateKeys(url, pairs) {
  for (let i = 0; i < pairs.length; i += 2) {
    if (pairs[i] !== 'type') throw new ERR_IMPORT_ATTRIBUTE_UNSUPPORTED(pairs[i], pairs[i + 1], url);
  }
}

function validateAttributes(url, format, pairs) {
  validateKeys(url, pairs);
  const type = typeOf(pairs);
  const hasType = pairs.length > 0;
  const wanted = typesOfFormats[format];
  if (type === 'text' && !hasFlag('experimental-import-text')) {
    throw new ERR_IMPORT_ATTRIBUTE_UNSUPPORTED('type', type, url);
  }
  if (wanted === type) return;
  if (!hasType) throw new ERR_IMPORT_ATTRIBUTE_MISSING(url, 'type', wanted);
  if (type !== 'json' && type !== 'text') throw new ERR_IMPORT_ATTRIBUTE_UNSUPPORTED('type', type, url);
  throw new ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE(url, type);
}

module.exports = { detect, formatHint, isKnownFormat, load, typeOf, validateAttributes, validateKeys, warnOfTypeless };
