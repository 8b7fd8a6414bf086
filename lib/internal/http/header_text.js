'use strict';
// Makes the first line and the header fields of an OutgoingMessage into the text that is sent.

const {
  ArrayIsArray,
  ArrayPrototypeJoin,
  MathFloor,
  ObjectPrototypeHasOwnProperty: hasOwn,
  RegExpPrototypeExec,
} = primordials;

const { codes: { ERR_HTTP_TRAILER_INVALID, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { dateLine } = require('internal/http/date');
const { toLowerCase } = require('internal/http/received_headers');
const { kOutHeaders, kUniqueHeaders } = require('internal/http/symbols');
const { validateHeaderName, validateHeaderValue } = require('internal/http/validate');

const closeWord = /(?:^|\W)close(?:$|\W)/i;
const chunkedWord = /(?:^|\W)chunked(?:$|\W)/i;

// The last Keep-Alive line, and what it was made of: that of most responses.
let lastLine = '';
let lastTimeout;
let lastMost;

// The text so far, and which of the fields that matter for framing are in it.
class HeaderText {
  constructor(message, firstLine, isLenient) {
    this.message = message;
    this.text = firstLine;
    this.isLenient = isLenient;
    this.hasConnection = false;
    this.hasLength = false;
    this.hasEncoding = false;
    this.hasDate = false;
    this.hasExpect = false;
    this.hasTrailer = false;
  }

  // Adds a field of the program without checks. `value` may be a list.
  addChecked(name, value) {
    validateHeaderName(name);
    this.add(name, toLowerCase(name), value, true);
  }

  add(name, lower, value, isToCheck) {
    const { message } = this;
    // RFC 6266: file names are Latin-1.
    if (lower === 'content-disposition' && message._contentLength) value = toLatin1(value);
    if (ArrayIsArray(value)) {
      const isOneLine = (lower === 'cookie' && value.length > 1) || message[kUniqueHeaders]?.has(lower);
      if (!isOneLine) {
        for (let i = 0; i < value.length; i++) this.addLine(name, lower, value[i], isToCheck);
        return;
      }
      value = ArrayPrototypeJoin(value, '; ');
    }
    this.addLine(name, lower, value, isToCheck);
  }

  addLine(name, lower, value, isToCheck) {
    if (isToCheck) validateHeaderValue(name, value, this.isLenient);
    this.text += `${name}: ${value}\r\n`;
    this.note(lower, value);
  }

  note(lower, value) {
    const { message } = this;
    switch (lower) {
      case 'connection':
        this.hasConnection = true;
        message._removedConnection = false;
        if (RegExpPrototypeExec(closeWord, value) !== null) {
          message._last = true;
        } else {
          message.shouldKeepAlive = true;
        }
        break;
      case 'transfer-encoding':
        this.hasEncoding = true;
        message._removedTE = false;
        if (RegExpPrototypeExec(chunkedWord, value) !== null) message.chunkedEncoding = true;
        break;
      case 'content-length':
        this.hasLength = true;
        message._contentLength = +value;
        message._removedContLen = false;
        break;
      case 'keep-alive':
        message._defaultKeepAlive = false;
        break;
      case 'date':
        this.hasDate = true;
        break;
      case 'expect':
        this.hasExpect = true;
        break;
      case 'trailer':
        this.hasTrailer = true;
        break;
    }
  }

  // The fields of setHeader(), which were checked there, or those that writeHead() or request() got: an object, a list
  // of pairs, or a flat list.
  addAll(fields) {
    if (!fields) return;
    if (fields === this.message[kOutHeaders]) {
      for (const key in fields) this.add(fields[key][0], key, fields[key][1], false);
    } else if (!ArrayIsArray(fields)) {
      for (const key in fields) {
        if (hasOwn(fields, key)) this.addChecked(key, fields[key]);
      }
    } else if (ArrayIsArray(fields[0])) {
      for (let i = 0; i < fields.length; i++) this.addChecked(fields[i][0], fields[i][1]);
    } else {
      if (fields.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', fields);
      for (let i = 0; i < fields.length; i += 2) this.addChecked(fields[i], fields[i + 1]);
    }
  }

  addConnection() {
    const { message } = this;
    if (message._removedConnection) {
      message._last = !message.shouldKeepAlive;
      return;
    }
    if (this.hasConnection) return;
    const stays = message.shouldKeepAlive && (this.hasLength || message.useChunkedEncodingByDefault || message.agent);
    if (!stays) {
      message._last = true;
      this.text += 'Connection: close\r\n';
    } else if (message.maxRequestsOnConnectionReached) {
      this.text += 'Connection: close\r\n';
    } else {
      this.text += 'Connection: keep-alive\r\n';
      if (message._keepAliveTimeout && message._defaultKeepAlive) this.addKeepAlive();
    }
  }

  addKeepAlive() {
    const { _keepAliveTimeout: timeout, _maxRequestsPerSocket: most } = this.message;
    if (timeout !== lastTimeout || most !== lastMost) {
      const limit = ~~most > 0 ? `, max=${most}` : '';
      lastLine = `Keep-Alive: timeout=${MathFloor(timeout / 1000)}${limit}\r\n`;
      lastTimeout = timeout;
      lastMost = most;
    }
    this.text += lastLine;
  }

  // Adds the field that states the length of the body. Without one the body ends with the connection.
  addFraming() {
    if (this.hasLength || this.hasEncoding) return;
    const { message } = this;
    if (!message._hasBody) {
      message.chunkedEncoding = false;
    } else if (!message.useChunkedEncodingByDefault) {
      message._last = true;
    } else if (!this.hasTrailer && !message._removedContLen && typeof message._contentLength === 'number') {
      this.text += `Content-Length: ${message._contentLength}\r\n`;
    } else if (!message._removedTE) {
      this.text += 'Transfer-Encoding: chunked\r\n';
      message.chunkedEncoding = true;
    } else {
      message._last = true;
    }
  }

  finish() {
    const { message } = this;
    if (message.sendDate && !this.hasDate) this.text += dateLine();
    // These have no body, not even the last chunk of an empty one, which might confuse a proxy.
    if (message.chunkedEncoding && (message.statusCode === 204 || message.statusCode === 304)) {
      message.chunkedEncoding = false;
      message.shouldKeepAlive = false;
    }
    this.addConnection();
    this.addFraming();
    if (this.hasTrailer && message.chunkedEncoding !== true) throw new ERR_HTTP_TRAILER_INVALID();
    return `${this.text}\r\n`;
  }
}

function toLatin1(value) {
  const { Buffer } = require('buffer');
  if (!ArrayIsArray(value)) return Buffer.from(value, 'latin1');
  for (let i = 0; i < value.length; i++) value[i] = Buffer.from(value[i], 'latin1');
  return value;
}

module.exports = { HeaderText, chunkedWord };
