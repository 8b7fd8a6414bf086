'use strict';
// Http2ServerResponse: the response on a stream, as in `http`.

const {
  ArrayIsArray,
  ArrayPrototypePush,
  Boolean,
  FunctionPrototypeCall,
  ObjectAssign,
  ObjectHasOwn,
  ObjectKeys,
  StringPrototypeIncludes,
  StringPrototypeToLowerCase,
  StringPrototypeTrim,
  Symbol,
} = primordials;

const Stream = require('stream');
const {
  codes: {
    ERR_HTTP2_HEADERS_SENT,
    ERR_HTTP2_INFO_STATUS_NOT_ALLOWED,
    ERR_HTTP2_INVALID_HEADER_VALUE,
    ERR_HTTP2_INVALID_STREAM,
    ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED,
    ERR_HTTP2_STATUS_INVALID,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_HTTP_TOKEN,
    ERR_STREAM_WRITE_AFTER_END,
  },
  hideStackFrames,
} = require('internal/errors');
const { validateFunction, validateLinkHeaderValue, validateObject, validateString } = require('internal/validators');
const { isToken } = require('internal/http/validate');
const { socketOf } = require('internal/http2/compat_socket');
const { constants } = require('internal/http2/constants');
const { assertValidPseudoHeader, kProxySocket, kRequest } = require('internal/http2/util');

const { HTTP_STATUS_CONTINUE, HTTP_STATUS_EARLY_HINTS, HTTP_STATUS_OK } = constants;

const kResponse = Symbol('response');
const kState = Symbol('state');
const kStream = Symbol('stream');
const kHeaders = Symbol('headers');
const kTrailers = Symbol('trailers');

let hasWarnedOfMessage = false;
let hasWarnedOfConnection = false;

function warnOfMessage() {
  if (hasWarnedOfMessage) return;
  hasWarnedOfMessage = true;
  process.emitWarning('Status message is not supported by HTTP/2 (RFC7540 8.1.2.4)', 'UnsupportedWarning');
}

function warnOfConnection() {
  if (hasWarnedOfConnection) return;
  hasWarnedOfConnection = true;
  process.emitWarning(
    'The provided connection header is not valid, the value will be dropped from the header and will never be in use.',
    'UnsupportedWarning');
}

function isPseudoHeader(name) {
  return name === ':status' || name === ':method' || name === ':path' || name === ':authority' || name === ':scheme';
}

function isAllowed(name, value) {
  return name !== 'connection' || value === 'trailers';
}

const assertValidHeader = hideStackFrames((name, value) => {
  if (name === '' || typeof name !== 'string' || StringPrototypeIncludes(name, ' ')) {
    throw new ERR_INVALID_HTTP_TOKEN('Header name', name);
  }
  if (isPseudoHeader(name)) throw new ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED();
  if (value === undefined || value === null) throw new ERR_HTTP2_INVALID_HEADER_VALUE(value, name);
  if (!isAllowed(name, value)) warnOfConnection();
});

function normalize(name) {
  return StringPrototypeToLowerCase(StringPrototypeTrim(name));
}

// Listeners of the stream.
function onDrain() {
  this[kResponse]?.emit('drain');
}

function onWantTrailers() {
  this.sendTrailers(this[kResponse][kTrailers]);
}

function onTimeout() {
  this[kResponse].emit('timeout');
}

function onClose() {
  const response = this[kResponse];
  if (response === undefined) return;
  const state = response[kState];
  if (this.headRequest !== state.headRequest) return;
  state.closed = true;
  this[kProxySocket] = null;
  this.removeListener('wantTrailers', onWantTrailers);
  this[kResponse] = undefined;
  response.emit('finish');
  response.emit('close');
}

// True if the field may be set; false if it is dropped.
function checkField(response, name, value) {
  assertValidHeader(name, value);
  if (!isAllowed(name, value)) return false;
  if (name[0] === ':') {
    assertValidPseudoHeader(name);
  } else if (!isToken(name)) {
    response.destroy(new ERR_INVALID_HTTP_TOKEN('Header name', name));
  }
  return true;
}

function setField(response, name, value) {
  name = normalize(name);
  if (checkField(response, name, value)) response[kHeaders][name] = value;
}

function appendField(response, name, value) {
  name = normalize(name);
  if (!checkField(response, name, value)) return;
  const headers = response[kHeaders];
  if (!headers[name]) {
    response.setHeader(name, value);
    return;
  }
  if (!ArrayIsArray(headers[name])) headers[name] = [headers[name]];
  const values = headers[name];
  if (ArrayIsArray(value)) {
    for (let i = 0; i < value.length; i++) ArrayPrototypePush(values, value[i]);
  } else {
    ArrayPrototypePush(values, value);
  }
}

// Fields of writeHead(): replace those that were set before. The list has pairs, or names and values in turn.
function setList(response, list) {
  const hasPairs = list.length > 0 && ArrayIsArray(list[0]);
  for (let i = 0; i < list.length; i += hasPairs ? 1 : 2) response.removeHeader(hasPairs ? list[i][0] : list[i]);
  if (!hasPairs && list.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', list);
  for (let i = 0; i < list.length; i += hasPairs ? 1 : 2) {
    if (hasPairs) {
      appendField(response, list[i][0], list[i][1]);
    } else {
      appendField(response, list[i], list[i + 1]);
    }
  }
}

class Http2ServerResponse extends Stream {
  constructor(stream, options) {
    super(options);
    this[kState] = {
      closed: false,
      ending: false,
      destroyed: false,
      headRequest: false,
      sendDate: true,
      statusCode: HTTP_STATUS_OK,
    };
    this[kHeaders] = { __proto__: null };
    this[kTrailers] = { __proto__: null };
    this[kStream] = stream;
    stream[kProxySocket] = null;
    stream[kResponse] = this;
    this.writable = true;
    this.req = stream[kRequest];
    stream.on('drain', onDrain);
    stream.on('close', onClose);
    stream.on('wantTrailers', onWantTrailers);
    stream.on('timeout', onTimeout);
  }

  // Packages only test whether it is set.
  get _header() {
    return this.headersSent;
  }

  get writableEnded() {
    return this[kState].ending;
  }

  get finished() {
    return this[kState].ending;
  }

  get socket() {
    return this[kState].closed ? undefined : socketOf(this[kStream]);
  }

  get connection() {
    return this.socket;
  }

  get stream() {
    return this[kStream];
  }

  get headersSent() {
    return this[kStream].headersSent;
  }

  get sendDate() {
    return this[kState].sendDate;
  }

  set sendDate(value) {
    this[kState].sendDate = Boolean(value);
  }

  get statusCode() {
    return this[kState].statusCode;
  }

  set statusCode(code) {
    code |= 0;
    if (code >= 100 && code < 200) throw new ERR_HTTP2_INFO_STATUS_NOT_ALLOWED();
    if (code < 100 || code > 599) throw new ERR_HTTP2_STATUS_INVALID(code);
    this[kState].statusCode = code;
  }

  get writableCorked() {
    return this[kStream].writableCorked;
  }

  get writableHighWaterMark() {
    return this[kStream].writableHighWaterMark;
  }

  get writableObjectMode() {
    return this[kStream].writableObjectMode;
  }

  get writableFinished() {
    return this[kStream].writableFinished;
  }

  get writableLength() {
    return this[kStream].writableLength;
  }

  get writableNeedDrain() {
    return this[kStream].writableNeedDrain;
  }

  setTrailer(name, value) {
    validateString(name, 'name');
    name = normalize(name);
    assertValidHeader(name, value);
    this[kTrailers][name] = value;
  }

  addTrailers(headers) {
    const names = ObjectKeys(headers);
    for (let i = 0; i < names.length; i++) this.setTrailer(names[i], headers[names[i]]);
  }

  getHeader(name) {
    validateString(name, 'name');
    return this[kHeaders][normalize(name)];
  }

  getHeaderNames() {
    return ObjectKeys(this[kHeaders]);
  }

  getHeaders() {
    return ObjectAssign({ __proto__: null }, this[kHeaders]);
  }

  hasHeader(name) {
    validateString(name, 'name');
    return ObjectHasOwn(this[kHeaders], normalize(name));
  }

  removeHeader(name) {
    validateString(name, 'name');
    if (this[kStream].headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    name = normalize(name);
    if (name === 'date') {
      this[kState].sendDate = false;
    } else {
      delete this[kHeaders][name];
    }
  }

  setHeader(name, value) {
    validateString(name, 'name');
    if (this[kStream].headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    setField(this, name, value);
  }

  appendHeader(name, value) {
    validateString(name, 'name');
    if (this[kStream].headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    appendField(this, name, value);
  }

  get statusMessage() {
    warnOfMessage();
    return '';
  }

  set statusMessage(message) {
    warnOfMessage();
  }

  flushHeaders() {
    const state = this[kState];
    if (!state.closed && !this[kStream].headersSent) this.writeHead(state.statusCode);
  }

  writeHead(statusCode, statusMessage, headers) {
    const state = this[kState];
    if (state.closed || this.stream.destroyed || this.stream.closed) return this;
    if (this[kStream].headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    if (typeof statusMessage === 'string') warnOfMessage();
    if (headers === undefined && typeof statusMessage === 'object') headers = statusMessage;
    if (ArrayIsArray(headers)) {
      setList(this, headers);
    } else if (typeof headers === 'object') {
      const names = ObjectKeys(headers);
      for (let i = 0; i < names.length; i++) setField(this, names[i], headers[names[i]]);
    }
    state.statusCode = statusCode;
    const fields = this[kHeaders];
    fields[':status'] = statusCode;
    this[kStream].respond(fields, { endStream: state.ending, waitForTrailers: true, sendDate: state.sendDate });
    return this;
  }

  cork() {
    this[kStream].cork();
  }

  uncork() {
    this[kStream].uncork();
  }

  write(chunk, encoding, callback) {
    const state = this[kState];
    if (typeof encoding === 'function') {
      callback = encoding;
      encoding = 'utf8';
    }
    let error;
    if (state.ending) {
      error = new ERR_STREAM_WRITE_AFTER_END();
    } else if (state.closed) {
      error = new ERR_HTTP2_INVALID_STREAM();
    } else if (state.destroyed) {
      return false;
    }
    if (error) {
      if (typeof callback === 'function') process.nextTick(callback, error);
      this.destroy(error);
      return false;
    }
    const stream = this[kStream];
    if (!stream.headersSent) this.writeHead(state.statusCode);
    return stream.write(chunk, encoding, callback);
  }

  end(chunk, encoding, callback) {
    const stream = this[kStream];
    const state = this[kState];
    if (typeof chunk === 'function') {
      callback = chunk;
      chunk = null;
    } else if (typeof encoding === 'function') {
      callback = encoding;
      encoding = 'utf8';
    }
    if ((state.closed || state.ending) && state.headRequest === stream.headRequest) {
      if (typeof callback === 'function') process.nextTick(callback);
      return this;
    }
    if (chunk !== null && chunk !== undefined) this.write(chunk, encoding);
    state.headRequest = stream.headRequest;
    state.ending = true;
    if (typeof callback === 'function') {
      if (stream.writableEnded) {
        this.once('finish', callback);
      } else {
        stream.once('finish', callback);
      }
    }
    if (!stream.headersSent) this.writeHead(state.statusCode);
    if (state.closed || stream.destroyed) {
      FunctionPrototypeCall(onClose, stream);
    } else {
      stream.end();
    }
    return this;
  }

  destroy(error) {
    if (this[kState].destroyed) return;
    this[kState].destroyed = true;
    this[kStream].destroy(error);
  }

  setTimeout(msecs, callback) {
    if (!this[kState].closed) this[kStream].setTimeout(msecs, callback);
  }

  createPushResponse(headers, callback) {
    validateFunction(callback, 'callback');
    if (this[kState].closed) {
      process.nextTick(callback, new ERR_HTTP2_INVALID_STREAM());
      return;
    }
    this[kStream].pushStream(headers, {}, (error, stream) => {
      if (error) {
        callback(error);
      } else {
        callback(null, new Http2ServerResponse(stream));
      }
    });
  }

  writeInformation(statusCode, headers) {
    if (typeof statusCode !== 'number' || statusCode < 100 || statusCode > 199 || statusCode === 101) {
      throw new ERR_HTTP2_STATUS_INVALID(statusCode);
    }
    const stream = this[kStream];
    if (stream.headersSent || this[kState].closed) return false;
    const fields = { __proto__: null };
    if (headers !== undefined && headers !== null) {
      validateObject(headers, 'headers');
      ObjectAssign(fields, headers);
    }
    fields[':status'] = statusCode;
    stream.additionalHeaders(fields);
    return true;
  }

  writeContinue() {
    return this.writeInformation(HTTP_STATUS_CONTINUE);
  }

  writeEarlyHints(hints) {
    validateObject(hints, 'hints');
    const headers = { __proto__: null };
    const link = validateLinkHeaderValue(hints.link);
    const names = ObjectKeys(hints);
    for (let i = 0; i < names.length; i++) {
      if (names[i] === 'link') continue;
      const name = normalize(names[i]);
      assertValidHeader(name, hints[names[i]]);
      if (!isToken(name)) throw new ERR_INVALID_HTTP_TOKEN('Header name', name);
      headers[name] = hints[names[i]];
    }
    if (link.length === 0) return false;
    headers.Link = link;
    return this.writeInformation(HTTP_STATUS_EARLY_HINTS, headers);
  }
}

module.exports = { Http2ServerResponse };
