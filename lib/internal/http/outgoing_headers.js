'use strict';
// The header fields and trailers of an OutgoingMessage: setHeader() and the like, and making them into text.

const {
  ArrayIsArray,
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  ObjectKeys,
  StringPrototypeToLowerCase,
} = primordials;

const {
  codes: { ERR_HTTP_HEADERS_SENT, ERR_HTTP_INVALID_HEADER_VALUE, ERR_INVALID_ARG_TYPE, ERR_INVALID_CHAR },
} = require('internal/errors');
const { validateString } = require('internal/validators');
const { HeaderText } = require('internal/http/header_text');
const { OutgoingMessage } = require('internal/http/outgoing');
const { toLowerCase } = require('internal/http/received_headers');
const { kOutHeaders, kUniqueHeaders } = require('internal/http/symbols');
const { hasForbiddenChar, isInsecureByDefault, isShortAscii, validateHeaderName } = require('internal/http/validate');

const methods = OutgoingMessage.prototype;

// The options of the request, or of the server that responds, decide; then the command line.
methods._isLenientHeaderValidation = function() {
  const server = this.req?.socket?.server;
  const validation = this.httpValidation ?? server?.httpValidation;
  if (validation !== undefined) return validation !== 'strict';
  if (typeof this.insecureHTTPParser === 'boolean') return this.insecureHTTPParser;
  if (typeof server?.insecureHTTPParser === 'boolean') return server.insecureHTTPParser;
  return isInsecureByDefault();
};

methods._storeHeader = function(firstLine, fields) {
  const text = new HeaderText(this, firstLine, this._isLenientHeaderValidation());
  text.addAll(fields);
  this._header = text.finish();
  this._headerSent = false;
  // Otherwise they wait for the first data, to leave with it.
  if (text.hasExpect) this._send('');
};

methods._renderHeaders = function() {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('render');
  const rendered = {};
  const fields = this[kOutHeaders];
  for (const key in fields) rendered[fields[key][0]] = fields[key][1];
  return rendered;
};

function checkField(message, name, value) {
  validateHeaderName(name);
  if (value === undefined) throw new ERR_HTTP_INVALID_HEADER_VALUE(value, name);
  if (!isShortAscii(value) && hasForbiddenChar(value, message._isLenientHeaderValidation())) {
    throw new ERR_INVALID_CHAR('header content', name);
  }
}

methods.setHeader = function setHeader(name, value) {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('set');
  checkField(this, name, value);
  this[kOutHeaders] ??= { __proto__: null };
  this[kOutHeaders][toLowerCase(name)] = [name, value];
  return this;
};

methods.setHeaders = function setHeaders(headers) {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('set');
  if (!headers || ArrayIsArray(headers) || typeof headers.keys !== 'function' || typeof headers.get !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('headers', ['Headers', 'Map'], headers);
  }
  // An iteration gives each cookie by itself; get() would join them.
  let cookies;
  for (const { 0: key, 1: value } of headers) {
    if (key === 'set-cookie') {
      cookies ??= [];
      if (ArrayIsArray(value)) {
        for (let i = 0; i < value.length; i++) ArrayPrototypePush(cookies, value[i]);
      } else {
        ArrayPrototypePush(cookies, value);
      }
    } else {
      this.setHeader(key, value);
    }
  }
  if (cookies !== undefined) this.setHeader('set-cookie', cookies);
  return this;
};

methods.appendHeader = function appendHeader(name, value) {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('append');
  checkField(this, name, value);
  const field = this[kOutHeaders]?.[toLowerCase(name)];
  if (field === undefined) return this.setHeader(name, value);
  if (!ArrayIsArray(field[1])) field[1] = [field[1]];
  if (ArrayIsArray(value)) {
    for (let i = 0; i < value.length; i++) ArrayPrototypePush(field[1], value[i]);
  } else {
    ArrayPrototypePush(field[1], value);
  }
  return this;
};

methods.getHeader = function getHeader(name) {
  validateString(name, 'name');
  return this[kOutHeaders]?.[toLowerCase(name)]?.[1];
};

methods.getHeaderNames = function getHeaderNames() {
  return this[kOutHeaders] === null ? [] : ObjectKeys(this[kOutHeaders]);
};

methods.getRawHeaderNames = function getRawHeaderNames() {
  const names = [];
  const fields = this[kOutHeaders];
  for (const key in fields) ArrayPrototypePush(names, fields[key][0]);
  return names;
};

methods.getHeaders = function getHeaders() {
  const copy = { __proto__: null };
  const fields = this[kOutHeaders];
  for (const key in fields) copy[key] = fields[key][1];
  return copy;
};

methods.hasHeader = function hasHeader(name) {
  validateString(name, 'name');
  return this[kOutHeaders]?.[toLowerCase(name)] !== undefined;
};

methods.removeHeader = function removeHeader(name) {
  validateString(name, 'name');
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('remove');
  const key = toLowerCase(name);
  if (key === 'connection') {
    this._removedConnection = true;
  } else if (key === 'content-length') {
    this._removedContLen = true;
  } else if (key === 'transfer-encoding') {
    this._removedTE = true;
  } else if (key === 'date') {
    this.sendDate = false;
  }
  if (this[kOutHeaders] !== null) delete this[kOutHeaders][key];
};

methods.addTrailers = function addTrailers(headers) {
  this._trailer = '';
  const keys = ObjectKeys(headers);
  const isList = ArrayIsArray(headers);
  const isLenient = this._isLenientHeaderValidation();
  for (let i = 0; i < keys.length; i++) {
    const { 0: name, 1: value } = isList ? headers[keys[i]] : [keys[i], headers[keys[i]]];
    validateHeaderName(name, 'Trailer name');
    const isMany = ArrayIsArray(value) && value.length > 1 &&
      !this[kUniqueHeaders]?.has(StringPrototypeToLowerCase(name));
    const values = isMany ? value : [ArrayIsArray(value) ? ArrayPrototypeJoin(value, '; ') : value];
    for (let j = 0; j < values.length; j++) {
      if (hasForbiddenChar(values[j], isLenient)) throw new ERR_INVALID_CHAR('trailer content', name);
      this._trailer += `${name}: ${values[j]}\r\n`;
    }
  }
};

module.exports = { OutgoingMessage };
