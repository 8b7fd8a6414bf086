'use strict';

// The legacy interface: url.parse(), url.format() and url.resolve(). There is no standard for it but Node's behaviour.

const {
  RegExpPrototypeExec,
  RegExpPrototypeSymbolReplace,
  StringPrototypeCharCodeAt,
  StringPrototypeIncludes,
  StringPrototypeIndexOf,
  StringPrototypeReplaceAll,
  StringPrototypeSlice,
  StringPrototypeToLowerCase,
  Uint8Array,
  decodeURIComponent,
  encodeURIComponent,
} = primordials;

const {
  codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_URL },
} = require('internal/errors');
const { validateString } = require('internal/validators');
const { isInsideNodeModules } = require('internal/util');
const { toASCII } = require('internal/url/host');
const { scriptProtocols, slashedProtocols } = require('internal/url/protocols');

const protocolPattern = /^[a-z0-9.+-]+:/i;
const portPattern = /:[0-9]*$/;
const simplePathPattern = /^(\/\/?(?!\/)[^?\s]*)(\?[^\s]*)?$/;
const hostWithAuthPattern = /^\/\/[^@/]+@[^@/]+/;
const forbiddenInHost = /[\0\t\n\r #%/:<>?@[\\\]^|]/;
const forbiddenInIPv6 = /[\0\t\n\r #%/<>?@\\^|]/;
const breaks = /[\t\n\r]/;
const allBreaks = /[\t\n\r]/g;

// Characters that end a host, besides '/', '?' and '#'.
const kEndsHost = 1;
// Characters of a path or query that are always escaped.
const kEscaped = 2;
const characterKinds = new Uint8Array(128);
function addKind(characters, kind) {
  for (let i = 0; i < characters.length; i++) characterKinds[StringPrototypeCharCodeAt(characters, i)] |= kind;
}
addKind(' "%\';<>\\^`{|}', kEndsHost);
addKind('\t\n\r "\'<>\\^`{|}', kEscaped);

let querystring;

function Url() {
  this.protocol = null;
  this.slashes = null;
  this.auth = null;
  this.host = null;
  this.port = null;
  this.hostname = null;
  this.hash = null;
  this.search = null;
  this.query = null;
  this.pathname = null;
  this.path = null;
  this.href = null;
}

let hasWarned = false;
// Calls from dependencies do not warn, because the program cannot change them.
function warnOfParse() {
  if (isInsideNodeModules(6)) return;
  hasWarned = true;
  process.emitWarning(
    '`url.parse()` behavior is not standardized and prone to errors that have security implications. ' +
    'Use the WHATWG URL API instead. CVEs are not issued for `url.parse()` vulnerabilities.',
    'DeprecationWarning',
    'DEP0169');
}

function urlParse(url, parseQueryString, slashesDenoteHost) {
  if (!hasWarned) warnOfParse();
  if (url instanceof Url) return url;
  const urlObject = new Url();
  urlObject.parse(url, parseQueryString, slashesDenoteHost);
  return urlObject;
}

// Control characters count as spaces.
function isSpace(code) {
  return code <= 32 || code === 0xa0 || code === 0xfeff;
}

function trim(text) {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(StringPrototypeCharCodeAt(text, start))) ++start;
  while (end > start && isSpace(StringPrototypeCharCodeAt(text, end - 1))) --end;
  return start === 0 && end === text.length ? text : StringPrototypeSlice(text, start, end);
}

// Backslashes before the query become slashes.
function turnBackslashes(text) {
  if (StringPrototypeIndexOf(text, '\\') === -1) return text;
  let end = StringPrototypeIndexOf(text, '?');
  const hash = StringPrototypeIndexOf(text, '#');
  if (end === -1 || (hash !== -1 && hash < end)) end = hash;
  if (end === -1) end = text.length;
  return StringPrototypeReplaceAll(StringPrototypeSlice(text, 0, end), '\\', '/') + StringPrototypeSlice(text, end);
}

function hasAtBeforeQuery(text) {
  const at = StringPrototypeIndexOf(text, '@');
  if (at === -1) return false;
  const question = StringPrototypeIndexOf(text, '?');
  return question === -1 || at < question;
}

function autoEscape(text) {
  let out = '';
  let from = 0;
  for (let i = 0; i < text.length; ++i) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code < 128 && (characterKinds[code] & kEscaped) !== 0) {
      out += StringPrototypeSlice(text, from, i);
      out += code === 39 ? '%27' : encodeURIComponent(text[i]);
      from = i + 1;
    }
  }
  return from === 0 ? text : out + StringPrototypeSlice(text, from);
}

function parseQuery(text) {
  querystring ??= require('querystring');
  return querystring.parse(text);
}

Url.prototype.parse = function parse(url, parseQueryString, slashesDenoteHost) {
  validateString(url, 'url');
  let rest = turnBackslashes(trim(url));

  if (!slashesDenoteHost && StringPrototypeIndexOf(rest, '#') === -1 && !hasAtBeforeQuery(rest)) {
    // Fast path: servers mostly parse plain paths.
    const simple = RegExpPrototypeExec(simplePathPattern, rest);
    if (simple !== null) {
      this.path = rest;
      this.href = rest;
      this.pathname = simple[1];
      if (simple[2]) {
        this.search = simple[2];
        this.query = StringPrototypeSlice(simple[2], 1);
        if (parseQueryString) this.query = parseQuery(this.query);
      } else if (parseQueryString) {
        this.search = null;
        this.query = { __proto__: null };
      }
      return this;
    }
  }

  const match = RegExpPrototypeExec(protocolPattern, rest);
  let protocol = '';
  if (match !== null) {
    protocol = StringPrototypeToLowerCase(match[0]);
    this.protocol = protocol;
    rest = StringPrototypeSlice(rest, match[0].length);
  }
  const isScript = scriptProtocols.has(protocol);

  let slashes = false;
  if (slashesDenoteHost || match !== null || RegExpPrototypeExec(hostWithAuthPattern, rest) !== null) {
    slashes = StringPrototypeCharCodeAt(rest, 0) === 47 && StringPrototypeCharCodeAt(rest, 1) === 47;
    if (slashes && !isScript) {
      rest = StringPrototypeSlice(rest, 2);
      this.slashes = true;
    }
  }
  if (!isScript && (slashes || (match !== null && !slashedProtocols.has(match[0])))) rest = takeHost(this, rest, url);
  if (!isScript) rest = autoEscape(rest);
  takePath(this, rest, protocol, parseQueryString);
  this.href = this.format();
  return this;
};

// Drops tabs and line breaks before the path.
function dropBreaks(rest) {
  if (RegExpPrototypeExec(breaks, rest) === null) return rest;
  let end = 0;
  while (end < rest.length) {
    const code = StringPrototypeCharCodeAt(rest, end);
    if (code === 35 || code === 47 || code === 63) break;
    ++end;
  }
  return RegExpPrototypeSymbolReplace(allBreaks, StringPrototypeSlice(rest, 0, end), '') +
         StringPrototypeSlice(rest, end);
}

// Reads user, host and port from the start of `rest`. Returns the remaining text.
function takeHost(self, rest, url) {
  rest = dropBreaks(rest);
  let hostEnd = -1;
  let at = -1;
  for (let i = 0; i < rest.length; ++i) {
    const code = StringPrototypeCharCodeAt(rest, i);
    if (code === 35 || code === 47 || code === 63) {
      if (hostEnd === -1) hostEnd = i;
      break;
    }
    if (code === 64) {
      // The last '@' counts: the characters before it belong to the user name or password.
      at = i;
      hostEnd = -1;
    } else if (code < 128 && (characterKinds[code] & kEndsHost) !== 0 && hostEnd === -1) {
      hostEnd = i;
    }
  }
  if (at !== -1) self.auth = decodeURIComponent(StringPrototypeSlice(rest, 0, at));
  const end = hostEnd === -1 ? rest.length : hostEnd;
  self.host = StringPrototypeSlice(rest, at + 1, end);
  rest = StringPrototypeSlice(rest, end);
  self.parseHost();
  if (typeof self.hostname !== 'string') self.hostname = '';

  const hostname = self.hostname;
  const isIPv6 = isBracketed(hostname);
  if (!isIPv6) checkHostname(hostname, url);
  self.hostname = self.hostname.length > 255 ? '' : StringPrototypeToLowerCase(self.hostname);
  if (self.hostname !== '') {
    if (isIPv6) {
      if (RegExpPrototypeExec(forbiddenInIPv6, self.hostname) !== null) throw new ERR_INVALID_URL(url);
    } else {
      self.hostname = toASCII(self.hostname);
      // The conversion may result in nothing or in forbidden characters.
      if (self.hostname === '' || RegExpPrototypeExec(forbiddenInHost, self.hostname) !== null) {
        throw new ERR_INVALID_URL(url);
      }
    }
  }
  self.host = `${self.hostname || ''}${self.port ? `:${self.port}` : ''}`;
  if (isIPv6) {
    self.hostname = StringPrototypeSlice(self.hostname, 1, -1);
    if (rest[0] !== '/') rest = `/${rest}`;
  }
  return rest;
}

function isBracketed(hostname) {
  return StringPrototypeCharCodeAt(hostname, 0) === 91 &&
    StringPrototypeCharCodeAt(hostname, hostname.length - 1) === 93;
}

// A colon without a port after it is an error.
function checkHostname(hostname, url) {
  const colon = StringPrototypeIndexOf(hostname, ':');
  if (colon === -1) return;
  throw new ERR_INVALID_ARG_VALUE('url', 'Invalid port in url', url);
}

function takePath(self, rest, protocol, parseQueryString) {
  const hash = StringPrototypeIndexOf(rest, '#');
  let end = rest.length;
  if (hash !== -1) {
    self.hash = StringPrototypeSlice(rest, hash);
    end = hash;
  }
  const question = StringPrototypeIndexOf(rest, '?');
  if (question !== -1 && question < end) {
    self.search = StringPrototypeSlice(rest, question, end);
    self.query = StringPrototypeSlice(self.search, 1);
    if (parseQueryString) self.query = parseQuery(self.query);
    end = question;
  } else if (parseQueryString) {
    self.search = null;
    self.query = { __proto__: null };
  }
  if (end > 0) self.pathname = StringPrototypeSlice(rest, 0, end);
  if (slashedProtocols.has(protocol) && self.hostname && !self.pathname) self.pathname = '/';
  if (self.pathname || self.search) self.path = `${self.pathname || ''}${self.search || ''}`;
}

Url.prototype.format = function format() {
  let auth = this.auth || '';
  if (auth) {
    querystring ??= require('querystring');
    auth = `${StringPrototypeReplaceAll(querystring.escape(auth), '%3A', ':')}@`;
  }
  let protocol = this.protocol || '';
  let pathname = this.pathname || '';
  let hash = this.hash || '';
  let host = '';
  if (this.host) {
    host = auth + this.host;
  } else if (this.hostname) {
    const bare = StringPrototypeIncludes(this.hostname, ':') && !isBracketed(this.hostname);
    host = auth + (bare ? `[${this.hostname}]` : this.hostname);
    if (this.port) host += `:${this.port}`;
  }
  let query = '';
  if (this.query !== null && typeof this.query === 'object') {
    querystring ??= require('querystring');
    query = querystring.stringify(this.query);
  }
  let search = this.search || (query && `?${query}`) || '';
  if (protocol && StringPrototypeCharCodeAt(protocol, protocol.length - 1) !== 58) protocol += ':';

  if (StringPrototypeIndexOf(pathname, '#') !== -1) pathname = StringPrototypeReplaceAll(pathname, '#', '%23');
  if (StringPrototypeIndexOf(pathname, '?') !== -1) pathname = StringPrototypeReplaceAll(pathname, '?', '%3F');
  if (this.slashes || slashedProtocols.has(protocol)) {
    if (this.slashes || host) {
      if (pathname && StringPrototypeCharCodeAt(pathname, 0) !== 47) pathname = `/${pathname}`;
      host = `//${host}`;
    } else if (protocol === 'file:') {
      host = '//';
    }
  }
  search = StringPrototypeReplaceAll(search, '#', '%23');
  if (hash && StringPrototypeCharCodeAt(hash, 0) !== 35) hash = `#${hash}`;
  if (search && StringPrototypeCharCodeAt(search, 0) !== 63) search = `?${search}`;
  return protocol + host + pathname + search + hash;
};

function urlResolve(source, relative) {
  return urlParse(source, false, true).resolve(relative);
}

function urlResolveObject(source, relative) {
  if (!source) return relative;
  return urlParse(source, false, true).resolveObject(relative);
}

Url.prototype.resolve = function resolve(relative) {
  return this.resolveObject(urlParse(relative, false, true)).format();
};

Url.prototype.resolveObject = function resolveObject(relative) {
  if (typeof relative === 'string') {
    const parsed = new Url();
    parsed.parse(relative, false, true);
    relative = parsed;
  }
  return require('internal/url/legacy_resolve').resolveAgainst(this, relative, Url);
};

Url.prototype.parseHost = function parseHost() {
  let host = this.host;
  const match = RegExpPrototypeExec(portPattern, host);
  if (match !== null) {
    const port = match[0];
    if (port !== ':') this.port = StringPrototypeSlice(port, 1);
    host = StringPrototypeSlice(host, 0, host.length - port.length);
  }
  if (host) this.hostname = host;
};

module.exports = { Url, urlParse, urlResolve, urlResolveObject };
