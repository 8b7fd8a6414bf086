'use strict';
// Header fields: from the lists and objects of programs to the text that native code reads, and back to objects.

const {
  ArrayIsArray,
  ArrayPrototypeConcat,
  ArrayPrototypeIncludes,
  ArrayPrototypeMap,
  ArrayPrototypePush,
  ArrayPrototypeUnshift,
  Boolean,
  ObjectAssign,
  ObjectHasOwn,
  ObjectKeys,
  SafeSet,
  String,
  StringPrototypeSlice,
  StringPrototypeToLowerCase,
} = primordials;

const {
  codes: {
    ERR_HTTP2_CONNECT_AUTHORITY,
    ERR_HTTP2_CONNECT_PATH,
    ERR_HTTP2_CONNECT_SCHEME,
    ERR_HTTP2_HEADER_SINGLE_VALUE,
    ERR_HTTP2_INVALID_CONNECTION_HEADERS,
    ERR_HTTP2_STATUS_INVALID,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_HTTP_TOKEN,
  },
} = require('internal/errors');
const { httpDate } = require('internal/http/date');
const { isToken } = require('internal/http/validate');
const {
  assertIsObject,
  assertValidPseudoHeader,
  assertValidPseudoHeaderResponse,
  getAuthority,
  kAuthority,
  kProtocol,
  kRawHeaders,
  kSensitiveHeaders,
  kSentHeaders,
  kStrictSingleValueFields,
} = require('internal/http2/util');

// Fields that a message has at most once.
const singleValueFields = new SafeSet([
  ':status', ':method', ':authority', ':scheme', ':path', ':protocol', 'access-control-allow-credentials',
  'access-control-max-age', 'access-control-request-method', 'age', 'authorization', 'content-encoding',
  'content-language', 'content-length', 'content-location', 'content-md5', 'content-range', 'content-type', 'date',
  'dnt', 'etag', 'expires', 'from', 'host', 'if-match', 'if-modified-since', 'if-none-match', 'if-range',
  'if-unmodified-since', 'last-modified', 'location', 'max-forwards', 'proxy-authorization', 'range', 'referer',
  'retry-after', 'tk', 'upgrade-insecure-requests', 'user-agent', 'x-content-type-options',
]);

// Fields about an HTTP/1 connection. HTTP/2 forbids them.
const connectionFields = new SafeSet([
  'connection', 'upgrade', 'http2-settings', 'keep-alive', 'proxy-connection', 'transfer-encoding',
]);

// Requests of these methods have no data unless the option `endStream` is false.
const emptyMethods = new SafeSet(['DELETE', 'GET', 'HEAD']);

function isForbidden(name, value) {
  return name === 'te' ? value !== 'trailers' : connectionFields.has(name);
}

// Collects fields as text: name, zero, value, zero, flags. Pseudo-headers are in front.
class FieldWriter {
  constructor(checkPseudoHeader, isStrict, sensitive) {
    this.checkPseudoHeader = checkPseudoHeader;
    this.isStrict = isStrict;
    this.sensitive = sensitive === undefined || sensitive.length === 0 ?
      null : ArrayPrototypeMap(sensitive, (name) => StringPrototypeToLowerCase(name));
    this.singles = null;
    this.pseudoHeaders = '';
    this.fields = '';
    this.count = 0;
  }

  add(name, value) {
    if (value === undefined || name === '') return;
    name = StringPrototypeToLowerCase(name);
    const isSingle = singleValueFields.has(name);
    let isList = ArrayIsArray(value);
    if (!isList) {
      value = String(value);
    } else if (value.length === 0) {
      return;
    } else if (value.length === 1) {
      value = String(value[0]);
      isList = false;
    } else if (isSingle && this.isStrict) {
      throw new ERR_HTTP2_HEADER_SINGLE_VALUE(name);
    }
    if (isSingle && this.isStrict) this.noteSingle(name);
    const flags = this.sensitive !== null && ArrayPrototypeIncludes(this.sensitive, name) ? '\x01' : '\0';
    if (name[0] === ':') {
      this.checkPseudoHeader(name);
      this.pseudoHeaders += `${name}\0${value}\0${flags}`;
      this.count++;
      return;
    }
    if (!isSingle) {
      if (!isToken(name)) throw new ERR_INVALID_HTTP_TOKEN('Header name', name);
      if (isForbidden(name, value)) throw new ERR_HTTP2_INVALID_CONNECTION_HEADERS(name);
    }
    if (isList) {
      for (let i = 0; i < value.length; i++) this.fields += `${name}\0${String(value[i])}\0${flags}`;
      this.count += value.length;
    } else {
      this.fields += `${name}\0${value}\0${flags}`;
      this.count++;
    }
  }

  noteSingle(name) {
    this.singles ??= new SafeSet();
    if (this.singles.has(name)) throw new ERR_HTTP2_HEADER_SINGLE_VALUE(name);
    this.singles.add(name);
  }
}

// `headers` is an object, or a list of names and values. Returns [text, number of fields].
function buildNgHeaderString(headers, checkPseudoHeader, isStrict) {
  const writer = new FieldWriter(checkPseudoHeader, isStrict, headers[kSensitiveHeaders]);
  if (ArrayIsArray(headers)) {
    for (let i = 0; i < headers.length; i += 2) writer.add(headers[i], headers[i + 1]);
  } else {
    const names = ObjectKeys(headers);
    for (let i = 0; i < names.length; i++) writer.add(names[i], headers[names[i]]);
  }
  return [writer.pseudoHeaders + writer.fields, writer.count];
}

// A CONNECT request without :protocol names only the authority.
function checkTunnel(authority, scheme, path) {
  if (authority === undefined) throw new ERR_HTTP2_CONNECT_AUTHORITY();
  if (scheme !== undefined) throw new ERR_HTTP2_CONNECT_SCHEME();
  if (path !== undefined) throw new ERR_HTTP2_CONNECT_PATH();
}

function defaultScheme(session) {
  return StringPrototypeSlice(session[kProtocol], 0, -1);
}

// The fields of a request that is given as a list of names and values.
function prepareRequestHeadersArray(headers, session) {
  const given = { __proto__: null };
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i][0] === ':') given[StringPrototypeToLowerCase(headers[i])] = headers[i + 1];
  }
  let { ':method': method, ':scheme': scheme, ':authority': authority } = given;
  const { ':path': path, ':protocol': protocol } = given;
  const added = [];
  if (method === undefined) {
    method = 'GET';
    ArrayPrototypePush(added, ':method', method);
  }
  if (method === 'CONNECT' && protocol === undefined) {
    checkTunnel(authority, scheme, path);
  } else {
    if (authority === undefined && headers.host === undefined) {
      authority = session[kAuthority];
      ArrayPrototypePush(added, ':authority', authority);
    }
    if (scheme === undefined) {
      scheme = defaultScheme(session);
      ArrayPrototypePush(added, ':scheme', scheme);
    }
    if (path === undefined) ArrayPrototypePush(added, ':path', '/');
  }
  const rawHeaders = added.length > 0 ? ArrayPrototypeConcat(added, headers) : headers;
  if (headers[kSensitiveHeaders] !== undefined) rawHeaders[kSensitiveHeaders] = headers[kSensitiveHeaders];
  const headersList = buildNgHeaderString(rawHeaders, assertValidPseudoHeader, session[kStrictSingleValueFields]);
  return { rawHeaders, headersList, scheme, authority: authority ?? headers.host, method };
}

function prepareRequestHeadersObject(headers, session) {
  const headersObject = ObjectAssign({ __proto__: null }, headers);
  if (headersObject[':method'] === undefined) headersObject[':method'] = 'GET';
  if (headersObject[':method'] === 'CONNECT' && headersObject[':protocol'] === undefined) {
    checkTunnel(headersObject[':authority'], headersObject[':scheme'], headersObject[':path']);
  } else {
    if (getAuthority(headersObject) === undefined) headersObject[':authority'] = session[kAuthority];
    if (headersObject[':scheme'] === undefined) headersObject[':scheme'] = defaultScheme(session);
    if (headersObject[':path'] === undefined) headersObject[':path'] = '/';
  }
  const headersList = buildNgHeaderString(headersObject, assertValidPseudoHeader, session[kStrictSingleValueFields]);
  return {
    headersObject,
    headersList,
    scheme: headersObject[':scheme'],
    authority: getAuthority(headersObject),
    method: headersObject[':method'],
  };
}

function checkResponse(headers, statusCode) {
  if (statusCode < 200 || statusCode > 599) throw new ERR_HTTP2_STATUS_INVALID(statusCode);
  const sensitive = headers[kSensitiveHeaders];
  if (sensitive !== undefined && !ArrayIsArray(sensitive)) {
    throw new ERR_INVALID_ARG_VALUE('headers[http2.neverIndex]', sensitive);
  }
}

function wantsDate(options) {
  return options.sendDate == null || Boolean(options.sendDate);
}

function prepareResponseHeadersObject(given, options) {
  assertIsObject(given, 'headers', ['Object', 'Array']);
  const headers = { __proto__: null };
  if (given !== undefined) {
    for (const name in given) {
      if (ObjectHasOwn(given, name)) headers[name] = given[name];
    }
    headers[kSensitiveHeaders] = given[kSensitiveHeaders];
  }
  const statusCode = headers[':status'] = headers[':status'] | 0 || 200;
  if (headers.date == null && wantsDate(options)) headers.date = httpDate();
  checkResponse(headers, statusCode);
  return { headers, statusCode };
}

// Completes the list itself, as Node does.
function prepareResponseHeadersArray(headers, options) {
  let statusCode;
  let hasDate = false;
  for (let i = 0; i < headers.length; i += 2) {
    const name = StringPrototypeToLowerCase(headers[i]);
    if (name === ':status') {
      statusCode = headers[i + 1] | 0;
    } else if (name === 'date') {
      hasDate = true;
    }
  }
  if (!statusCode) {
    statusCode = 200;
    ArrayPrototypeUnshift(headers, ':status', statusCode);
  }
  if (!hasDate && wantsDate(options)) ArrayPrototypePush(headers, 'date', httpDate());
  checkResponse(headers, statusCode);
  return { headers, statusCode };
}

// The fields of a response, which the stream remembers.
function prepareResponseHeaders(stream, given, options) {
  const isList = ArrayIsArray(given);
  const { headers, statusCode } =
    isList ? prepareResponseHeadersArray(given, options) : prepareResponseHeadersObject(given, options);
  stream[isList ? kRawHeaders : kSentHeaders] = headers;
  const headersList =
    buildNgHeaderString(headers, assertValidPseudoHeaderResponse, stream.session[kStrictSingleValueFields]);
  return { headers, headersList, statusCode };
}

// The fields of a list that was received as an object.
function toHeaderObject(list, sensitive) {
  const headers = { __proto__: null };
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i];
    const value = name === ':status' ? list[i + 1] | 0 : list[i + 1];
    const before = headers[name];
    if (before === undefined) {
      headers[name] = name === 'set-cookie' ? [value] : value;
    } else if (name === 'cookie') {
      headers[name] = `${before}; ${value}`;
    } else if (name === 'set-cookie') {
      ArrayPrototypePush(before, value);
    } else if (!singleValueFields.has(name)) {
      headers[name] = `${before}, ${value}`;
    }
  }
  headers[kSensitiveHeaders] = sensitive;
  return headers;
}

// The same for a list that was sent: values of one name become a list.
function sentHeadersOf(list) {
  const headers = { __proto__: null };
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i];
    const before = headers[name];
    if (before === undefined) {
      headers[name] = list[i + 1];
    } else if (ArrayIsArray(before)) {
      ArrayPrototypePush(before, list[i + 1]);
    } else {
      headers[name] = [before, list[i + 1]];
    }
  }
  if (list[kSensitiveHeaders] !== undefined) headers[kSensitiveHeaders] = list[kSensitiveHeaders];
  return headers;
}

module.exports = {
  buildNgHeaderString,
  isPayloadMeaningless: (method) => emptyMethods.has(method),
  prepareRequestHeadersArray,
  prepareRequestHeadersObject,
  prepareResponseHeaders,
  prepareResponseHeadersObject,
  sentHeadersOf,
  toHeaderObject,
};
