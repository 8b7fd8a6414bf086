'use strict';
// Decides which calls of fetch() are simple: those whose request has a short form that is sent as one piece. All others
// are undici's.

const {
  ArrayIsArray,
  ArrayPrototypePush,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ObjectKeys,
  ObjectPrototype,
  RegExpPrototypeExec,
  ReflectOwnKeys,
  SafeSet,
  StringPrototypeToLowerCase,
  TypedArrayPrototypeGetBuffer,
  TypedArrayPrototypeGetByteLength,
  Uint8Array,
} = primordials;

const { URL } = require('internal/url');
const { byteLengthUtf8 } = internalBinding('buffer');
const { isSharedArrayBuffer, isUint8Array } = require('internal/util/types');
const { internals: { badPorts } } = require('vendor/undici');

const { prototype: URLPrototype } = URL;

const kName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// Without white space at the ends, which would be removed.
const kValue = /^[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;

// Fields that change how a request is sent.
const special = new SafeSet([
  'connection', 'content-length', 'cookie', 'cookie2', 'date', 'dnt', 'expect', 'host', 'if-match', 'if-modified-since',
  'if-none-match', 'if-range', 'if-unmodified-since', 'keep-alive', 'origin', 'range', 'referer', 'sec-fetch-mode',
  'set-cookie', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'via',
]);
const methodsWithBody = new SafeSet(['POST', 'PUT', 'PATCH', 'DELETE']);

function isPlain(object) {
  if (typeof object !== 'object' || object === null || ArrayIsArray(object)) return false;
  const prototype = ObjectGetPrototypeOf(object);
  return prototype === ObjectPrototype || prototype === null;
}

// Returns undefined for getters.
function dataOf(object, key) {
  return ObjectGetOwnPropertyDescriptor(object, key)?.value;
}

class Plan {
  url = null;
  method = 'GET';
  headers = ''; // The lines of the program.
  fields = []; // The same as pairs.
  names = undefined;
  body = null;
  size = 0;
  type = undefined; // Of the body.

  // Each returns false if the call is not simple.

  setInput(input) {
    if (typeof input === 'string') {
      const url = URL.parse(input);
      if (url === null) return false;
      this.url = url;
    } else if (typeof input === 'object' && input !== null && ObjectGetPrototypeOf(input) === URLPrototype) {
      this.url = new URL(`${input}`);
    } else {
      return false;
    }
    const { url } = this;
    return url.protocol === 'http:' && url.username === '' && url.password === '' && !badPorts.has(url.port);
  }

  setInit(init) {
    if (init === undefined) return true;
    if (!isPlain(init)) return false;
    const keys = ReflectOwnKeys(init);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      const value = dataOf(init, key);
      if (value === undefined) return false;
      if (!(key === 'method' ? this.setMethod(value) : key === 'headers' ? this.setHeaders(value) :
        key === 'body' && this.setBody(value))) {
        return false;
      }
    }
    return this.body === null ? this.method === 'GET' : methodsWithBody.has(this.method);
  }

  setMethod(value) {
    this.method = value;
    return value === 'GET' || (typeof value === 'string' && methodsWithBody.has(value));
  }

  setHeaders(value) {
    if (!isPlain(value)) return false;
    const keys = ObjectKeys(value);
    if (keys.length !== ReflectOwnKeys(value).length) return false;
    if (keys.length > 0) this.names = { __proto__: null };
    for (let i = 0; i < keys.length; i++) {
      const text = dataOf(value, keys[i]);
      const name = StringPrototypeToLowerCase(keys[i]);
      if (typeof text !== 'string' || this.names[name] || special.has(name) ||
          RegExpPrototypeExec(kName, name) === null || RegExpPrototypeExec(kValue, text) === null) {
        return false;
      }
      this.names[name] = true;
      ArrayPrototypePush(this.fields, [keys[i], text]);
      this.headers += `${keys[i]}: ${text}\r\n`;
    }
    return true;
  }

  setBody(value) {
    if (typeof value === 'string') {
      this.size = byteLengthUtf8(value);
      this.type = 'text/plain;charset=UTF-8';
      this.body = value;
    } else if (isUint8Array(value) && !isSharedArrayBuffer(TypedArrayPrototypeGetBuffer(value))) {
      this.size = TypedArrayPrototypeGetByteLength(value);
      // The program may change it before it is sent.
      if (this.size > 0) this.body = new Uint8Array(value);
    }
    return this.size > 0;
  }

  // Adds a header field that is not the program's own.
  addField(name, value) {
    if (this.has(name)) return;
    ArrayPrototypePush(this.fields, [name, value]);
    this.headers += `${name}: ${value}\r\n`;
  }

  has(name) {
    return this.names !== undefined && this.names[name] === true;
  }

  get head() {
    const { url } = this;
    let path = url.pathname + url.search;
    if (url.search === '' && url.href[url.href.length - url.hash.length - 1] === '?') path += '?';
    let text = `${this.method} ${path} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: keep-alive\r\n${this.headers}`;
    if (this.type !== undefined && !this.has('content-type')) text += `content-type: ${this.type}\r\n`;
    if (!this.has('accept')) text += 'accept: */*\r\n';
    if (!this.has('accept-language')) text += 'accept-language: *\r\n';
    text += 'sec-fetch-mode: cors\r\n';
    if (!this.has('user-agent')) text += 'user-agent: node\r\n';
    if (!this.has('accept-encoding')) text += 'accept-encoding: gzip, deflate\r\n';
    return this.body === null ? `${text}\r\n` : `${text}content-length: ${this.size}\r\n\r\n`;
  }
}

// Returns undefined if the call is not simple.
function planOf(input, init) {
  const plan = new Plan();
  return plan.setInput(input) && plan.setInit(init) ? plan : undefined;
}

module.exports = { planOf };
