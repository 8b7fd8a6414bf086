'use strict';

// The URLs of before the standard: url.parse(), url.format() and url.resolve(). What they do is defined by what they have
// always done.

const {
  ArrayPrototypeJoin,
  ArrayPrototypePop,
  ArrayPrototypeShift,
  ArrayPrototypeSlice,
  ArrayPrototypeUnshift,
  Boolean,
  ObjectKeys,
  RegExpPrototypeExec,
  RegExpPrototypeSymbolReplace,
  SafeSet,
  StringPrototypeCharCodeAt,
  StringPrototypeIncludes,
  StringPrototypeIndexOf,
  StringPrototypeReplaceAll,
  StringPrototypeSlice,
  StringPrototypeSplit,
  StringPrototypeToLowerCase,
  Uint8Array,
  decodeURIComponent,
  encodeURIComponent,
} = primordials;

const {
  codes: { ERR_INVALID_URL },
} = require('internal/errors');
const { validateString } = require('internal/validators');
const { toASCII } = require('internal/url/host');

// The path is all there is in these; quotes and spaces in it are the program's affair.
const scriptProtocols = new SafeSet(['javascript', 'javascript:']);
// A host follows two slashes in these, and a path starts with one.
const slashedProtocols = new SafeSet([
  'http', 'http:', 'https', 'https:', 'ftp', 'ftp:', 'gopher', 'gopher:', 'file', 'file:', 'ws', 'ws:', 'wss', 'wss:',
]);

const protocolPattern = /^[a-z0-9.+-]+:/i;
const portPattern = /:[0-9]*$/;
const simplePathPattern = /^(\/\/?(?!\/)[^?\s]*)(\?[^\s]*)?$/;
const hostWithAuthPattern = /^\/\/[^@/]+@[^@/]+/;
const forbiddenInHost = /[\0\t\n\r #%/:<>?@[\\\]^|]/;
const forbiddenInIPv6 = /[\0\t\n\r #%/<>?@\\^|]/;
const breaks = /[\t\n\r]/;
const allBreaks = /[\t\n\r]/g;

// Characters that end a host, beside those that start what follows it.
const kEndsHost = 1;
// Characters of a path or query that are escaped without being asked.
const kEscaped = 2;
const characterKinds = new Uint8Array(128);
for (const character of ' "%\';<>\\^`{|}') characterKinds[StringPrototypeCharCodeAt(character, 0)] |= kEndsHost;
for (const character of '\t\n\r "\'<>\\^`{|}') characterKinds[StringPrototypeCharCodeAt(character, 0)] |= kEscaped;

let querystring;
let warnedOfPort = false;

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

function urlParse(url, parseQueryString, slashesDenoteHost) {
  if (url instanceof Url) return url;
  const urlObject = new Url();
  urlObject.parse(url, parseQueryString, slashesDenoteHost);
  return urlObject;
}

function isSpace(code) {
  return code <= 32 ? code === 32 || (code >= 9 && code <= 13) : code === 0xa0 || code === 0xfeff;
}

function trim(text) {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(StringPrototypeCharCodeAt(text, start))) ++start;
  while (end > start && isSpace(StringPrototypeCharCodeAt(text, end - 1))) --end;
  return start === 0 && end === text.length ? text : StringPrototypeSlice(text, start, end);
}

// Before the query a backslash is a slash.
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
    // Most of what a server sees is a plain path.
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

// Tabs and line breaks are no part of what stands before the path.
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

// Takes user, host and port off the front of `rest`, and returns what is left.
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
      // The last '@' counts: what stood before it belonged to the user's name or password.
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
  if (!isIPv6) rest = cutHostname(self, rest, hostname, url);
  self.hostname = self.hostname.length > 255 ? '' : StringPrototypeToLowerCase(self.hostname);
  if (self.hostname !== '') {
    if (isIPv6) {
      if (RegExpPrototypeExec(forbiddenInIPv6, self.hostname) !== null) throw new ERR_INVALID_URL(url);
    } else {
      self.hostname = toASCII(self.hostname);
      // Unicode's rules may leave nothing, or make a character that was not there before.
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
  return StringPrototypeCharCodeAt(hostname, 0) === 91 && StringPrototypeCharCodeAt(hostname, hostname.length - 1) === 93;
}

// A colon that no port follows starts the path.
function cutHostname(self, rest, hostname, url) {
  const colon = StringPrototypeIndexOf(hostname, ':');
  if (colon === -1) return rest;
  if (!warnedOfPort) {
    warnedOfPort = true;
    process.emitWarning(`The URL ${url} is invalid. Future versions of Node.js will throw an error.`,
                        'DeprecationWarning', 'DEP0170');
  }
  self.hostname = StringPrototypeSlice(hostname, 0, colon);
  return `/${StringPrototypeSlice(hostname, colon)}${rest}`;
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
  if (protocol && protocol.charCodeAt(protocol.length - 1) !== 58) protocol += ':';

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

function copyOf(source) {
  const result = new Url();
  const keys = ObjectKeys(source);
  for (let i = 0; i < keys.length; ++i) result[keys[i]] = source[keys[i]];
  return result;
}

function setPath(result) {
  result.path = result.pathname !== null || result.search !== null ?
    `${result.pathname || ''}${result.search || ''}` :
    null;
}

Url.prototype.resolveObject = function resolveObject(relative) {
  if (typeof relative === 'string') {
    const parsed = new Url();
    parsed.parse(relative, false, true);
    relative = parsed;
  }
  const result = copyOf(this);
  result.hash = relative.hash; // The hash is always the relative one, even if it is empty.
  if (relative.href === '') {
    result.href = result.format();
    return result;
  }
  if (relative.slashes && !relative.protocol) {
    // '//host/path' takes only the protocol from here.
    const keys = ObjectKeys(relative);
    for (let i = 0; i < keys.length; ++i) if (keys[i] !== 'protocol') result[keys[i]] = relative[keys[i]];
    if (slashedProtocols.has(result.protocol) && result.hostname && !result.pathname) result.path = result.pathname = '/';
    result.href = result.format();
    return result;
  }
  if (relative.protocol && relative.protocol !== result.protocol) return resolveProtocol(result, relative);
  return resolvePath(result, relative);
};

// Another protocol: nearly everything is the relative URL's.
function resolveProtocol(result, relative) {
  if (!slashedProtocols.has(relative.protocol)) {
    const other = copyOf(relative);
    other.href = other.format();
    return other;
  }
  result.protocol = relative.protocol;
  if (!relative.host && RegExpPrototypeExec(/^file:?$/, relative.protocol) === null &&
      !scriptProtocols.has(relative.protocol)) {
    // The host is the first part of the path that is not empty.
    const parts = StringPrototypeSplit(relative.pathname || '', '/');
    let host = '';
    while (parts.length > 0 && !(host = ArrayPrototypeShift(parts)));
    relative.host = host || '';
    relative.hostname ||= '';
    if (parts[0] !== '') ArrayPrototypeUnshift(parts, '');
    if (parts.length < 2) ArrayPrototypeUnshift(parts, '');
    result.pathname = ArrayPrototypeJoin(parts, '/');
  } else {
    result.pathname = relative.pathname;
  }
  result.search = relative.search;
  result.query = relative.query;
  result.host = relative.host || '';
  result.auth = relative.auth;
  result.hostname = relative.hostname || relative.host;
  result.port = relative.port;
  if (result.pathname || result.search) result.path = `${result.pathname || ''}${result.search || ''}`;
  result.slashes = result.slashes || relative.slashes;
  result.href = result.format();
  return result;
}

// Outside of the slashed protocols the host is treated as the first part of the path.
function hostIntoPath(url, parts) {
  url.hostname = '';
  url.port = null;
  if (url.host) {
    if (parts[0] === '') parts[0] = url.host;
    else ArrayPrototypeUnshift(parts, url.host);
  }
  url.host = '';
}

function resolvePath(result, relative) {
  const isSourceAbsolute = Boolean(result.pathname) && result.pathname[0] === '/';
  const isRelativeAbsolute = Boolean(relative.host) || (Boolean(relative.pathname) && relative.pathname[0] === '/');
  let mustEndAbsolute = isRelativeAbsolute || isSourceAbsolute || (Boolean(result.host) && Boolean(relative.pathname));
  const removeAllDots = mustEndAbsolute;
  let source = result.pathname ? StringPrototypeSplit(result.pathname, '/') : [];
  let parts = relative.pathname ? StringPrototypeSplit(relative.pathname, '/') : [];
  const noLeadingSlashes = Boolean(result.protocol) && !slashedProtocols.has(result.protocol);

  if (noLeadingSlashes) {
    hostIntoPath(result, source);
    if (relative.protocol) {
      relative.hostname = null;
      relative.port = null;
      result.auth = null;
      if (relative.host) {
        if (parts[0] === '') parts[0] = relative.host;
        else ArrayPrototypeUnshift(parts, relative.host);
      }
      relative.host = null;
    }
    mustEndAbsolute &&= parts[0] === '' || source[0] === '';
  }

  if (isRelativeAbsolute) {
    if (relative.host || relative.host === '') {
      if (result.host !== relative.host) result.auth = null;
      result.host = relative.host;
      result.port = relative.port;
    }
    if (relative.hostname || relative.hostname === '') {
      if (result.hostname !== relative.hostname) result.auth = null;
      result.hostname = relative.hostname;
    }
    result.search = relative.search;
    result.query = relative.query;
    source = parts;
  } else if (parts.length > 0) {
    // Relative to the directory: the source's last name goes.
    ArrayPrototypePop(source);
    for (let i = 0; i < parts.length; ++i) source[source.length] = parts[i];
    result.search = relative.search;
    result.query = relative.query;
  } else if (relative.search !== null && relative.search !== undefined) {
    if (noLeadingSlashes) {
      result.hostname = result.host = ArrayPrototypeShift(source);
      takeAuth(result, relative);
    }
    result.search = relative.search;
    result.query = relative.query;
    setPath(result);
    result.href = result.format();
    return result;
  }

  if (source.length === 0) {
    result.pathname = null;
    result.path = result.search ? `/${result.search}` : null;
    result.href = result.format();
    return result;
  }
  finishPath(result, relative, source, mustEndAbsolute, removeAllDots, noLeadingSlashes);
  return result;
}

// 'user@host' may have ended up in what was taken for the host.
function takeAuth(result, relative) {
  const at = result.host ? StringPrototypeIndexOf(result.host, '@') : -1;
  if (at <= 0) return;
  result.auth = StringPrototypeSlice(result.host, 0, at);
  result.host = result.hostname = StringPrototypeSlice(result.host, at + 1);
}

function finishPath(result, relative, source, mustEndAbsolute, removeAllDots, noLeadingSlashes) {
  const last = source[source.length - 1];
  const hasTrailingSlash = ((result.host || relative.host || source.length > 1) && (last === '.' || last === '..')) ||
                           last === '';
  // From the end, so that each '..' is known before the name it takes away.
  let up = 0;
  for (let i = source.length - 1; i >= 0; --i) {
    const name = source[i];
    if (name === '.') {
      source = without(source, i);
    } else if (name === '..') {
      source = without(source, i);
      ++up;
    } else if (up > 0) {
      source = without(source, i);
      --up;
    }
  }
  if (!mustEndAbsolute && !removeAllDots) {
    while (up-- > 0) ArrayPrototypeUnshift(source, '..');
  }
  if (mustEndAbsolute && source[0] !== '' && (!source[0] || source[0][0] !== '/')) ArrayPrototypeUnshift(source, '');
  if (hasTrailingSlash) {
    const joined = ArrayPrototypeJoin(source, '/');
    if (joined[joined.length - 1] !== '/') source[source.length] = '';
  }

  const isAbsolute = source[0] === '' || (Boolean(source[0]) && source[0][0] === '/');
  if (noLeadingSlashes) {
    result.hostname = result.host = isAbsolute ? '' : source.length > 0 ? ArrayPrototypeShift(source) : '';
    takeAuth(result, relative);
  }
  mustEndAbsolute = mustEndAbsolute || (Boolean(result.host) && source.length > 0);
  if (mustEndAbsolute && !isAbsolute) ArrayPrototypeUnshift(source, '');

  if (source.length === 0) {
    result.pathname = null;
    result.path = null;
  } else {
    result.pathname = ArrayPrototypeJoin(source, '/');
  }
  if (result.pathname !== null || result.search !== null) setPath(result);
  result.auth = relative.auth || result.auth;
  result.slashes = result.slashes || relative.slashes;
  result.href = result.format();
}

function without(list, index) {
  const out = ArrayPrototypeSlice(list, 0, index);
  for (let i = index + 1; i < list.length; ++i) out[out.length] = list[i];
  return out;
}

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
