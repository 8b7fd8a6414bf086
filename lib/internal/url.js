'use strict';

// URL, and conversions between URLs, paths and options of http.request().

const {
  Boolean,
  Number,
  ObjectDefineProperties,
  RegExpPrototypeExec,
  SafeMap,
  StringPrototypeCharCodeAt,
  StringPrototypeIncludes,
  StringPrototypeIndexOf,
  StringPrototypeReplaceAll,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
  Symbol,
  SymbolToStringTag,
  decodeURIComponent,
} = primordials;

const {
  codedTypeError,
  codes: {
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_FILE_URL_HOST,
    ERR_INVALID_FILE_URL_PATH,
    ERR_INVALID_URL,
    ERR_INVALID_URL_SCHEME,
    ERR_MISSING_ARGS,
  },
} = require('internal/errors');
const { kValidateObjectAllowObjects, validateObject, validateString } = require('internal/validators');
const { customInspectSymbol, getConstructorOf, kEnumerableProperty } = require('internal/util');
const { toUSVString } = require('internal/url/encode');
const { domainToUnicode: hostToUnicode } = require('internal/url/host');
const { parseURL } = require('internal/url/parser');
const { Record } = require('internal/url/record');
const setters = require('internal/url/setters');
const { URLSearchParams, makeParamsOf, replaceList } = require('internal/url/search_params');

let path;

// Cache of the last base, because programs often use the same one. Its record is never modified: each URL has its own.
let lastBase = '';
let lastBaseRecord = null;

function parseWithBase(input, base) {
  if (base === undefined) return parseURL(input, null);
  if (base !== lastBase || lastBaseRecord === null) {
    lastBaseRecord = parseURL(base, null);
    lastBase = base;
  }
  return lastBaseRecord === null ? null : parseURL(input, lastBaseRecord);
}

function originOf(record) {
  switch (record.scheme) {
    case 'http':
    case 'https':
    case 'ftp':
    case 'ws':
    case 'wss':
      return `${record.scheme}://${record.host}${record.port === -1 ? '' : `:${record.port}`}`;
    case 'blob': {
      const inner = parseURL(record.path, null);
      return inner !== null && (inner.scheme === 'http' || inner.scheme === 'https') ? originOf(inner) : 'null';
    }
    default:
      return 'null';
  }
}

const kRecord = Symbol('kRecord');

function invalidURL(input, base) {
  const error = codedTypeError('ERR_INVALID_URL', 'Invalid URL');
  error.input = input;
  if (base !== undefined) error.base = base;
  return error;
}

// The blobs of URL.createObjectURL() by id.
const objectURLs = new SafeMap();

function objectId(url) {
  const prefix = 'blob:nodedata:';
  return StringPrototypeStartsWith(url, prefix) ? StringPrototypeSlice(url, prefix.length) : '';
}

function resolveObjectURL(url) {
  return objectURLs.get(objectId(`${url}`));
}

let isURLObject;

class URL {
  #context; // A Record. Error messages for a wrong receiver show this name, as in Node.
  #searchParams;

  constructor(input, base = undefined) {
    if (input === kRecord) {
      this.#context = base;
      return;
    }
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('url');
    input = `${input}`;
    if (base !== undefined) base = `${base}`;
    const record = parseWithBase(input, base);
    if (record === null) throw invalidURL(input, base);
    this.#context = record;
  }

  static {
    isURLObject = (value) => typeof value === 'object' && value !== null && #context in value;
  }

  static parse(input, base = undefined) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('url');
    input = `${input}`;
    if (base !== undefined) base = `${base}`;
    const record = parseWithBase(input, base);
    return record === null ? null : new URL(kRecord, record);
  }

  static canParse(url, base = undefined) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('url');
    url = `${url}`;
    if (base !== undefined) base = `${base}`;
    return parseWithBase(url, base) !== null;
  }

  static createObjectURL(obj) {
    if (!require('internal/blob').isBlob(obj)) throw new ERR_INVALID_ARG_TYPE('obj', 'Blob', obj);
    const id = require('crypto').randomUUID();
    objectURLs.set(id, obj);
    return `blob:nodedata:${id}`;
  }

  static revokeObjectURL(url) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('url');
    objectURLs.delete(objectId(`${url}`));
  }

  [customInspectSymbol](depth, options) {
    if (typeof depth === 'number' && depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    const constructor = getConstructorOf(this) ?? URL;
    const shown = {
      __proto__: { constructor },
      href: this.href,
      origin: this.origin,
      protocol: this.protocol,
      username: this.username,
      password: this.password,
      host: this.host,
      hostname: this.hostname,
      port: this.port,
      pathname: this.pathname,
      search: this.search,
      searchParams: this.searchParams,
      hash: this.hash,
    };
    if (options.showHidden) {
      const { URLContext, kContext } = require('internal/url/context');
      shown[kContext] = new URLContext(this.#context);
    }
    return `${constructor.name} ${inspect(shown, options)}`;
  }

  toString() {
    this.#check();
    return this.#context.href;
  }

  get href() {
    this.#check();
    return this.#context.href;
  }

  set href(value) {
    void this.#context; // Throws if the receiver is not a URL.
    value = `${value}`;
    const record = parseURL(value, null);
    if (record === null) throw new ERR_INVALID_URL(value);
    this.#context = record;
    this.#queryChanged();
  }

  get origin() {
    return originOf(this.#context);
  }

  get protocol() {
    return `${this.#context.scheme}:`;
  }

  set protocol(value) {
    setters.setProtocol(this.#context, toUSVString(value));
    this.#context.serialize();
  }

  get username() {
    return this.#context.username;
  }

  set username(value) {
    setters.setUsername(this.#context, toUSVString(value));
    this.#context.serialize();
  }

  get password() {
    return this.#context.password;
  }

  set password(value) {
    setters.setPassword(this.#context, toUSVString(value));
    this.#context.serialize();
  }

  get host() {
    const { host, port } = this.#context;
    if (host === null) return '';
    return port === -1 ? host : `${host}:${port}`;
  }

  set host(value) {
    setters.setHost(this.#context, toUSVString(value), true);
    this.#context.serialize();
  }

  get hostname() {
    return this.#context.host ?? '';
  }

  set hostname(value) {
    setters.setHost(this.#context, toUSVString(value), false);
    this.#context.serialize();
  }

  get port() {
    return this.#context.port === -1 ? '' : `${this.#context.port}`;
  }

  set port(value) {
    setters.setPort(this.#context, toUSVString(value));
    this.#context.serialize();
  }

  get pathname() {
    return this.#context.path;
  }

  set pathname(value) {
    setters.setPathname(this.#context, toUSVString(value));
    this.#context.serialize();
  }

  get search() {
    this.#check();
    const { query } = this.#context;
    return query === null || query === '' ? '' : `?${query}`;
  }

  set search(value) {
    setters.setSearch(this.#context, toUSVString(value));
    this.#context.serialize();
    this.#queryChanged();
  }

  get searchParams() {
    return this.#searchParams ??= makeParamsOf(this.#context.query ?? '', (query) => {
      setters.setSearch(this.#context, query === '' ? '' : `?${query}`);
      this.#context.serialize();
    });
  }

  get hash() {
    const { fragment } = this.#context;
    return fragment === null || fragment === '' ? '' : `#${fragment}`;
  }

  set hash(value) {
    setters.setHash(this.#context, toUSVString(value));
    this.#context.serialize();
  }

  toJSON() {
    this.#check();
    return this.#context.href;
  }

  // Accessing a private member makes V8 throw if the receiver is not a URL. The message is the same as Node's.
  #check() {}

  #queryChanged() {
    if (this.#searchParams !== undefined) replaceList(this.#searchParams, this.#context.query ?? '');
  }
}

ObjectDefineProperties(URL.prototype, {
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'URL' },
  toString: kEnumerableProperty,
  href: kEnumerableProperty,
  origin: kEnumerableProperty,
  protocol: kEnumerableProperty,
  username: kEnumerableProperty,
  password: kEnumerableProperty,
  host: kEnumerableProperty,
  hostname: kEnumerableProperty,
  port: kEnumerableProperty,
  pathname: kEnumerableProperty,
  search: kEnumerableProperty,
  searchParams: kEnumerableProperty,
  hash: kEnumerableProperty,
  toJSON: kEnumerableProperty,
});

ObjectDefineProperties(URL, {
  parse: kEnumerableProperty,
  canParse: kEnumerableProperty,
  createObjectURL: kEnumerableProperty,
  revokeObjectURL: kEnumerableProperty,
});

// Recognizes URLs of other realms and libraries by their properties. The Url objects of url.parse() have `auth` and
// `path`, and are rejected.
function isURL(self) {
  return Boolean(self?.href && self.protocol && self.auth === undefined && self.path === undefined);
}

function domainToASCII(domain) {
  if (arguments.length < 1) throw new ERR_MISSING_ARGS('domain');
  return hostOf(domain);
}

function domainToUnicode(domain) {
  if (arguments.length < 1) throw new ERR_MISSING_ARGS('domain');
  const host = hostOf(domain);
  return StringPrototypeIncludes(host, 'xn--') ? hostToUnicode(host) : host;
}

// Parses a host like the URL parser, up to the start of a path. Returns '' if it is invalid.
function hostOf(domain) {
  const record = new Record('ws', true);
  record.host = '';
  setters.setHost(record, toUSVString(domain), false);
  return record.host;
}

// Converts a URL to options of http.request().
function urlToHttpOptions(url) {
  validateObject(url, 'url', kValidateObjectAllowObjects);
  const { hostname, pathname, port, username, password, search } = url;
  const options = {
    __proto__: null,
    ...url, // Own properties, such as `signal` or `headers`, are options, too.
    protocol: url.protocol,
    hostname: hostname && hostname[0] === '[' ? StringPrototypeSlice(hostname, 1, -1) : hostname,
    hash: url.hash,
    search,
    pathname,
    path: `${pathname || ''}${search || ''}`,
    href: url.href,
  };
  if (port !== '') options.port = Number(port);
  if (username || password) options.auth = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return options;
}

function fileURLToPath(input, options = undefined) {
  if (typeof input === 'string') input = new URL(input);
  else if (!isURL(input)) throw new ERR_INVALID_ARG_TYPE('path', ['string', 'URL'], input);
  if (input.protocol !== 'file:') throw new ERR_INVALID_URL_SCHEME('file');
  return options?.windows ? toWindowsPath(input) : toPosixPath(input);
}

// An encoded separator is an error, because decoding it would split a file name.
function hasEncodedSeparator(pathname, windows) {
  for (let at = StringPrototypeIndexOf(pathname, '%'); at !== -1; at = StringPrototypeIndexOf(pathname, '%', at + 1)) {
    const first = StringPrototypeCharCodeAt(pathname, at + 1);
    const third = StringPrototypeCharCodeAt(pathname, at + 2) | 32;
    if (first === 50 && third === 102) return true;
    if (windows && first === 53 && third === 99) return true;
  }
  return false;
}

function invalidPath(reason, input) {
  const error = new ERR_INVALID_FILE_URL_PATH(reason);
  error.input = input;
  return error;
}

function toPosixPath(url) {
  if (url.hostname !== '') throw new ERR_INVALID_FILE_URL_HOST(process.platform);
  const { pathname } = url;
  if (StringPrototypeIndexOf(pathname, '%') === -1) return pathname;
  if (hasEncodedSeparator(pathname, false)) {
    throw invalidPath('must not include encoded / characters', url);
  }
  return decodeURIComponent(pathname);
}

function toWindowsPath(url) {
  let { pathname } = url;
  if (hasEncodedSeparator(pathname, true)) {
    throw invalidPath('must not include encoded \\ or / characters', url);
  }
  pathname = decodeURIComponent(StringPrototypeReplaceAll(pathname, '/', '\\'));
  if (url.hostname !== '') return `\\\\${domainToUnicode(url.hostname)}${pathname}`;
  const letter = StringPrototypeCharCodeAt(pathname, 1) | 32;
  if (letter < 97 || letter > 122 || pathname[2] !== ':') {
    throw invalidPath('must be absolute', url);
  }
  return StringPrototypeSlice(pathname, 1);
}

// Characters of paths that have another meaning in URLs, or that the parser removes.
const pathEscapes = new SafeMap([
  ['%', '%25'], ['\\', '%5C'], ['\n', '%0A'], ['\r', '%0D'], ['\t', '%09'], ['?', '%3F'], ['#', '%23'],
  ['^', '%5E'], ['|', '%7C'], ['~', '%7E'], ['[', '%5B'], [']', '%5D'],
]);

const hasPathEscape = /[%\\\n\r\t?#^|~[\]]/;

function escapePath(text, keepBackslash) {
  if (RegExpPrototypeExec(hasPathEscape, text) === null) return text;
  let out = text;
  pathEscapes.forEach((escape, character) => {
    if (character === '\\' && keepBackslash) return;
    if (StringPrototypeIndexOf(out, character) !== -1) out = StringPrototypeReplaceAll(out, character, escape);
  });
  return out;
}

function pathToFileURL(filepath, options) {
  path ??= require('path');
  const windows = Boolean(options?.windows);
  if (windows && typeof filepath === 'string' && StringPrototypeStartsWith(filepath, '\\\\')) {
    return shareToFileURL(filepath);
  }
  validateString(filepath, 'path');
  let resolved = windows ? path.win32.resolve(filepath) : path.posix.resolve(filepath);
  if (windows && StringPrototypeStartsWith(resolved, '\\\\')) return shareToFileURL(resolved);
  // resolve() drops a trailing slash, which a URL must keep.
  const last = StringPrototypeCharCodeAt(filepath, filepath.length - 1);
  const separator = windows ? '\\' : '/';
  if ((last === 47 || (windows && last === 92)) && resolved[resolved.length - 1] !== separator) resolved += '/';
  const escaped = escapePath(resolved, windows);
  return new URL(windows ? `file:///${escaped}` : `file://${escaped}`);
}

// Converts a UNC path, \\host\share\file, or its long form, \\?\UNC\host\share\file.
function shareToFileURL(filepath) {
  const hostStart = StringPrototypeStartsWith(filepath, '\\\\?\\UNC\\') ? 8 : 2;
  const hostEnd = StringPrototypeIndexOf(filepath, '\\', hostStart);
  if (hostEnd === -1) throw new ERR_INVALID_ARG_VALUE('path', filepath, 'Missing UNC resource path');
  if (hostEnd === 2) throw new ERR_INVALID_ARG_VALUE('path', filepath, 'Empty UNC servername');
  const host = StringPrototypeSlice(filepath, hostStart, hostEnd);
  const rest = StringPrototypeSlice(filepath, hostEnd);
  const record = parseURL(`file://${escapePath(StringPrototypeReplaceAll(rest, '\\', '/'), false)}`, null);
  if (!setters.setHost(record, toUSVString(host), false)) throw invalidURL(rest, host);
  record.serialize();
  return new URL(kRecord, record);
}

function toPathIfFileURL(fileURLOrPath) {
  return isURL(fileURLOrPath) ? fileURLToPath(fileURLOrPath) : fileURLOrPath;
}

function getURLOrigin(url) {
  return new URL(url).origin;
}

module.exports = {
  URL,
  URLSearchParams,
  domainToASCII,
  domainToUnicode,
  fileURLToPath,
  getURLOrigin,
  isURL,
  isURLObject,
  pathToFileURL,
  resolveObjectURL,
  toPathIfFileURL,
  urlToHttpOptions,
};
