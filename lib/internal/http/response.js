'use strict';
// http.ServerResponse.

const {
  ArrayIsArray,
  FunctionPrototypeCall,
  ObjectKeys,
  ObjectSetPrototypeOf,
  RegExpPrototypeExec,
  Symbol,
} = primordials;

const {
  codes: {
    ERR_HTTP_HEADERS_SENT,
    ERR_HTTP_INVALID_STATUS_CODE,
    ERR_HTTP_SOCKET_ASSIGNED,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_CHAR,
  },
} = require('internal/errors');
const { channel } = require('diagnostics_channel');
const { validateInteger, validateLinkHeaderValue, validateObject } = require('internal/validators');
const { hasObserver, startPerf, stopPerf } = require('internal/perf/observe');
const { chunkedWord } = require('internal/http/header_text');
const { OutgoingMessage } = require('internal/http/outgoing_headers');
const STATUS_CODES = require('internal/http/status_codes');
const { kOutHeaders } = require('internal/http/symbols');
const { hasForbiddenChar, validateHeaderName, validateHeaderValue } = require('internal/http/validate');

const created = channel('http.server.response.created');
const kStatistics = Symbol('ServerResponseStatistics');

function ServerResponse(req, options) {
  FunctionPrototypeCall(OutgoingMessage, this, options);
  if (req.method === 'HEAD') this._hasBody = false;
  this.req = req;
  this.sendDate = true;
  this._sent100 = false;
  this._expect_continue = false;
  if (req.httpVersionMajor < 1 || req.httpVersionMinor < 1) {
    this.useChunkedEncodingByDefault = RegExpPrototypeExec(chunkedWord, req.headers.te) !== null;
    this.shouldKeepAlive = false;
  }
  if (hasObserver('http')) {
    const { headers, method, url } = req;
    startPerf(this, kStatistics, { type: 'http', name: 'HttpRequest', detail: { req: { method, url, headers } } });
  }
  if (created.hasSubscribers) created.publish({ request: req, response: this });
}
ObjectSetPrototypeOf(ServerResponse.prototype, OutgoingMessage.prototype);
ObjectSetPrototypeOf(ServerResponse, OutgoingMessage);

ServerResponse.prototype.statusCode = 200;
ServerResponse.prototype.statusMessage = undefined;

ServerResponse.prototype._finish = function() {
  if (this[kStatistics] && hasObserver('http')) {
    const { statusCode, statusMessage } = this;
    const headers = typeof this.getHeaders === 'function' ? this.getHeaders() : {};
    stopPerf(this, kStatistics, { detail: { res: { statusCode, statusMessage, headers } } });
  }
  FunctionPrototypeCall(OutgoingMessage.prototype._finish, this);
};

function emitClose(response) {
  if (response._closed) return;
  response.destroyed = true;
  response._closed = true;
  response.emit('close');
}

// A listener of the socket. The response may be gone if another listener of the same event has detached it.
function onSocketClose() {
  if (this._httpMessage) emitClose(this._httpMessage);
}

ServerResponse.prototype.assignSocket = function assignSocket(socket) {
  if (socket._httpMessage) throw new ERR_HTTP_SOCKET_ASSIGNED();
  socket._httpMessage = this;
  socket.on('close', onSocketClose);
  this.socket = socket;
  this.emit('socket', socket);
  this._flush();
};

ServerResponse.prototype.detachSocket = function detachSocket(socket) {
  socket.removeListener('close', onSocketClose);
  socket._httpMessage = null;
  this.socket = null;
};

// A response with a status from 100 to 199, except 101, before the real one.
ServerResponse.prototype.writeInformation = function writeInformation(statusCode, headers, callback) {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('write');
  validateInteger(statusCode, 'statusCode', 100, 199);
  if (statusCode === 101) throw new ERR_HTTP_INVALID_STATUS_CODE(statusCode);
  let text = `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] || 'unknown'}\r\n`;
  const isLenient = this._isLenientHeaderValidation();
  const add = (name, value) => {
    validateHeaderName(name);
    validateHeaderValue(name, value, isLenient);
    text += `${name}: ${value}\r\n`;
  };
  if (ArrayIsArray(headers)) {
    if (ArrayIsArray(headers[0])) {
      for (let i = 0; i < headers.length; i++) add(headers[i][0], headers[i][1]);
    } else {
      if (headers.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', headers);
      for (let i = 0; i < headers.length; i += 2) add(headers[i], headers[i + 1]);
    }
  } else if (headers !== undefined && headers !== null) {
    validateObject(headers, 'headers');
    const names = ObjectKeys(headers);
    for (let i = 0; i < names.length; i++) add(names[i], headers[names[i]]);
  }
  return this._writeRaw(`${text}\r\n`, 'ascii', callback);
};

ServerResponse.prototype.writeContinue = function writeContinue(callback) {
  this.writeInformation(100, null, callback);
  this._sent100 = true;
};

ServerResponse.prototype.writeProcessing = function writeProcessing(callback) {
  this.writeInformation(102, null, callback);
};

ServerResponse.prototype.writeEarlyHints = function writeEarlyHints(hints, callback) {
  validateObject(hints, 'hints');
  if (hints.link === null || hints.link === undefined) return;
  const link = validateLinkHeaderValue(hints.link);
  if (link.length === 0) return;
  if (hasForbiddenChar(link)) throw new ERR_INVALID_CHAR('header content', 'Link');
  const headers = { __proto__: null, Link: link };
  const names = ObjectKeys(hints);
  for (let i = 0; i < names.length; i++) {
    if (names[i] !== 'link') headers[names[i]] = hints[names[i]];
  }
  this.writeInformation(103, headers, callback);
};

ServerResponse.prototype._implicitHeader = function() {
  this.writeHead(this.statusCode);
};

// Adds the fields of writeHead() to those of setHeader(), which they replace. A flat list may repeat a name.
function mergeFields(response, fields) {
  if (ArrayIsArray(fields)) {
    if (fields.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', fields);
    for (let i = 0; i < fields.length; i += 2) response.removeHeader(fields[i]);
    for (let i = 0; i < fields.length; i += 2) {
      if (fields[i]) response.appendHeader(fields[i], fields[i + 1]);
    }
  } else if (fields) {
    const names = ObjectKeys(fields);
    for (let i = 0; i < names.length; i++) {
      if (names[i]) response.setHeader(names[i], fields[names[i]]);
    }
  }
}

function writeHead(statusCode, reason, headers) {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('write');
  const code = statusCode | 0;
  if (code < 100 || code > 999) throw new ERR_HTTP_INVALID_STATUS_CODE(statusCode);
  if (typeof reason === 'string') {
    this.statusMessage = reason;
  } else {
    this.statusMessage ||= STATUS_CODES[code] || 'unknown';
    headers ??= reason;
  }
  this.statusCode = code;
  if (this[kOutHeaders]) {
    mergeFields(this, headers);
    headers = this[kOutHeaders];
  }
  if (hasForbiddenChar(this.statusMessage)) throw new ERR_INVALID_CHAR('statusMessage');
  if (code === 204 || code === 304 || code < 200) this._hasBody = false;
  // The client may send its body, although it got no '100 Continue': the body could be taken for another request.
  if (this._expect_continue && !this._sent100) this.shouldKeepAlive = false;
  this._storeHeader(`HTTP/1.1 ${code} ${this.statusMessage}\r\n`, headers);
  return this;
}
ServerResponse.prototype.writeHead = writeHead;

module.exports = { ServerResponse, emitClose };
