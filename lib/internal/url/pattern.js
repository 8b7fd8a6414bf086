'use strict';

// URLPattern: matches URLs, component by component.

const {
  ArrayPrototypePush,
  Boolean,
  ObjectDefineProperties,
  ObjectSetPrototypeOf,
  RegExpPrototypeExec,
  SafeArrayIterator,
  StringPrototypeEndsWith,
  StringPrototypeLastIndexOf,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
  StringPrototypeToLowerCase,
  SymbolToStringTag,
  TypeError,
} = primordials;

const { codedTypeError } = require('internal/errors');
const { URL, isURL } = require('internal/url');
const { Component, escapePattern } = require('internal/url/pattern/component');
const { parseConstructorString } = require('internal/url/pattern/constructor_string');

const components = ['protocol', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash'];
const defaultPorts = { __proto__: null, http: '80', https: '443', ws: '80', wss: '443', ftp: '21', file: '' };
const specialSchemes = ['http', 'https', 'ws', 'wss', 'ftp', 'file'];

const plainOptions = { delimiter: '', prefix: '' };
const hostOptions = { delimiter: '.', prefix: '' };
const pathOptions = { delimiter: '/', prefix: '/' };

function fail() {
  throw new TypeError('Invalid component');
}

// ---- Canonical forms of components

function canonicalProtocol(value) {
  if (value === '') return '';
  const url = URL.parse(`${value}://dummy.test`);
  return url === null ? fail() : StringPrototypeSlice(url.protocol, 0, -1);
}

function through(property, value) {
  const url = new URL('https://dummy.test/');
  url[property] = value;
  return url[property];
}

const canonicalUsername = (value) => (value === '' ? '' : through('username', value));
const canonicalPassword = (value) => (value === '' ? '' : through('password', value));

function canonicalHostname(value) {
  if (value === '') return '';
  if (RegExpPrototypeExec(/[\0\t\n\r #/:<>?@\\^|]/, value) !== null && value[0] !== '[') fail();
  const hostname = through('hostname', value);
  return hostname === 'dummy.test' && value !== hostname ? fail() : hostname;
}

function canonicalIPv6(value) {
  return RegExpPrototypeExec(/^[0-9a-fA-F[\]:]*$/, value) === null ? fail() : StringPrototypeToLowerCase(value);
}

function canonicalPort(value, protocol) {
  if (value === '') return '';
  const digits = RegExpPrototypeExec(/^\d+/, value);
  if (digits === null || +digits[0] > 65535) fail();
  const port = `${+digits[0]}`;
  return protocol !== undefined && defaultPorts[protocol] === port ? '' : port;
}

function canonicalPathname(value) {
  if (value === '') return '';
  // The result must not start with a slash if the value does not.
  const hasSlash = value[0] === '/';
  const pathname = through('pathname', hasSlash ? value : `/-${value}`);
  return hasSlash ? pathname : StringPrototypeSlice(pathname, 2);
}

const canonicalOpaquePathname = (value) => (value === '' ? '' : URL.parse(`data:${value}`)?.pathname ?? fail());
const canonicalSearch = (value) => (value === '' ? '' : StringPrototypeSlice(through('search', value), 1));
const canonicalHash = (value) => (value === '' ? '' : StringPrototypeSlice(through('hash', value), 1));

// ---- Dictionaries

function isAbsolutePath(path, isPattern) {
  if (path === '') return false;
  if (path[0] === '/') return true;
  return isPattern && path.length > 1 && (path[0] === '\\' || path[0] === '{') && path[1] === '/';
}

const without = (text, isStart, character) => {
  if (isStart) return text[0] === character ? StringPrototypeSlice(text, 1) : text;
  return StringPrototypeEndsWith(text, character) ? StringPrototypeSlice(text, 0, -1) : text;
};

// Takes components from the base URL, up to the first one that the dictionary has.
function inheritFrom(base, init, result, isPattern) {
  const fromBase = (text) => (isPattern ? escapePattern(text) : text);
  const has = (...names) => {
    for (let i = 0; i < names.length; i++) {
      if (init[names[i]] !== undefined) return true;
    }
    return false;
  };
  if (!has('protocol')) result.protocol = fromBase(StringPrototypeSlice(base.protocol, 0, -1));
  if (!isPattern && !has('protocol', 'hostname', 'port', 'username')) result.username = base.username;
  if (!isPattern && !has('protocol', 'hostname', 'port', 'username', 'password')) result.password = base.password;
  if (has('protocol', 'hostname')) return;
  result.hostname = fromBase(base.hostname);
  if (has('port')) return;
  result.port = base.port;
  if (has('pathname')) return;
  result.pathname = fromBase(base.pathname);
  if (has('search')) return;
  result.search = fromBase(without(base.search, true, '?'));
  if (!has('hash')) result.hash = fromBase(without(base.hash, true, '#'));
}

function processInit(init, isPattern, result) {
  let base;
  if (init.baseURL !== undefined) {
    base = URL.parse(init.baseURL);
    if (base === null) fail();
    inheritFrom(base, init, result, isPattern);
  }
  const apply = (name, value, canonical) => {
    result[name] = isPattern ? value : canonical(value);
  };
  if (init.protocol !== undefined) apply('protocol', without(init.protocol, false, ':'), canonicalProtocol);
  if (init.username !== undefined) apply('username', init.username, canonicalUsername);
  if (init.password !== undefined) apply('password', init.password, canonicalPassword);
  if (init.hostname !== undefined) apply('hostname', init.hostname, canonicalHostname);
  if (init.port !== undefined) apply('port', init.port, (value) => canonicalPort(value, result.protocol));
  if (init.pathname !== undefined) {
    let path = init.pathname;
    if (base !== undefined && StringPrototypeStartsWith(base.pathname, '/') && !isAbsolutePath(path, isPattern)) {
      const basePath = isPattern ? escapePattern(base.pathname) : base.pathname;
      path = StringPrototypeSlice(basePath, 0, StringPrototypeLastIndexOf(basePath, '/') + 1) + path;
    }
    const { protocol } = result;
    const isSpecial = protocol === undefined || protocol === '' || defaultPorts[protocol] !== undefined;
    apply('pathname', path, isSpecial ? canonicalPathname : canonicalOpaquePathname);
  }
  if (init.search !== undefined) apply('search', without(init.search, true, '?'), canonicalSearch);
  if (init.hash !== undefined) apply('hash', without(init.hash, true, '#'), canonicalHash);
  return result;
}

function readInit(input) {
  const init = { __proto__: null };
  const names = ['baseURL', ...new SafeArrayIterator(components)];
  for (let i = 0; i < names.length; i++) {
    const value = input[names[i]];
    if (value !== undefined) init[names[i]] = `${value}`;
  }
  return init;
}

// ---- The class

const argumentError = (message) => codedTypeError('ERR_INVALID_ARG_TYPE', message);

const isSpecialProtocol = (component) => {
  for (let i = 0; i < specialSchemes.length; i++) {
    if (component.match(specialSchemes[i]) !== null) return true;
  }
  return false;
};

function compileProtocol(text) {
  return new Component(text, plainOptions, canonicalProtocol);
}

function compile(input, baseURL, given, ignoreCase) {
  let init = given;
  if (typeof input === 'string') {
    init = parseConstructorString(input, (text) => isSpecialProtocol(compileProtocol(text)));
    if (baseURL === undefined && init.protocol === undefined) fail();
    if (baseURL !== undefined) init.baseURL = baseURL;
  } else if (baseURL !== undefined) {
    fail();
  }
  const texts = processInit(init, true, { __proto__: null });
  for (let i = 0; i < components.length; i++) texts[components[i]] ??= '*';
  if (defaultPorts[texts.protocol] !== undefined && defaultPorts[texts.protocol] === texts.port) texts.port = '';
  const protocol = compileProtocol(texts.protocol);
  const isIPv6 = RegExpPrototypeExec(/^(?:\[|\{\[|\\\[)/, texts.hostname) !== null;
  const hasPath = isSpecialProtocol(protocol);
  return {
    __proto__: null,
    protocol,
    username: new Component(texts.username, plainOptions, canonicalUsername),
    password: new Component(texts.password, plainOptions, canonicalPassword),
    hostname: new Component(texts.hostname, hostOptions, isIPv6 ? canonicalIPv6 : canonicalHostname),
    port: new Component(texts.port, plainOptions, (value) => canonicalPort(value)),
    pathname: hasPath ?
      new Component(texts.pathname, pathOptions, canonicalPathname, ignoreCase) :
      new Component(texts.pathname, plainOptions, canonicalOpaquePathname, ignoreCase),
    search: new Component(texts.search, plainOptions, canonicalSearch, ignoreCase),
    hash: new Component(texts.hash, plainOptions, canonicalHash, ignoreCase),
  };
}

// The components of the input to match, or undefined if it is not a URL.
function valuesOf(input, baseURL) {
  if (typeof input === 'string' || isURL(input)) {
    const url = URL.parse(`${input}`, baseURL);
    if (url === null) return undefined;
    return {
      __proto__: null,
      protocol: StringPrototypeSlice(url.protocol, 0, -1),
      username: url.username,
      password: url.password,
      hostname: url.hostname,
      port: url.port,
      pathname: url.pathname,
      search: without(url.search, true, '?'),
      hash: without(url.hash, true, '#'),
    };
  }
  if (baseURL !== undefined) fail();
  const empty = { __proto__: null };
  for (let i = 0; i < components.length; i++) empty[components[i]] = '';
  try {
    return processInit(readInit(input), false, empty);
  } catch {
    return undefined;
  }
}

class Pattern {
  #components;

  constructor(given) {
    this.#components = given;
  }

  static is(value) {
    return typeof value === 'object' && value !== null && #components in value;
  }

  static of(value) {
    if (!Pattern.is(value)) throw new TypeError('Illegal invocation');
    return value.#components;
  }
}

const isNullish = (value) => value === undefined || value === null;

// Three arguments are (input, baseURL, options); two are (input, baseURL) if the second is a string, else (input,
// options).
function readArguments(args) {
  const input = isNullish(args[0]) ? {} : args[0];
  if (typeof input !== 'string' && typeof input !== 'object') {
    throw argumentError('Input must be an object or a string');
  }
  const hasBase = args.length > 2 || typeof args[1] === 'string';
  const options = hasBase ? args[2] : args[1];
  if (hasBase && typeof args[1] !== 'string' && !isNullish(args[1])) {
    throw argumentError('second argument must be a string');
  }
  if (!isNullish(options) && typeof options !== 'object') {
    throw argumentError(hasBase ? 'options must be an object' : 'second argument must be a string or object');
  }
  return { input, baseURL: hasBase ? `${args[1]}` : undefined, ignoreCase: Boolean(options?.ignoreCase) };
}

function URLPattern() {
  if (new.target === undefined) {
    throw codedTypeError('ERR_CONSTRUCT_CALL_REQUIRED', 'Cannot call constructor without `new`');
  }
  const { input, baseURL, ignoreCase } = readArguments(arguments);
  // Outside of the try block: errors of the program's getters are passed on.
  const init = typeof input === 'string' ? undefined : readInit(input);
  let compiled;
  try {
    compiled = compile(input, baseURL, init, ignoreCase);
  } catch {
    throw codedTypeError('ERR_INVALID_URL_PATTERN', 'Failed to construct URLPattern');
  }
  return ObjectSetPrototypeOf(new Pattern(compiled), new.target.prototype);
}

function matchAll(self, args, operation) {
  const compiled = Pattern.of(self);
  const input = isNullish(args[0]) ? {} : args[0];
  if (typeof input !== 'string' && typeof input !== 'object') {
    throw argumentError('URLPattern input needs to be a string or an object');
  }
  if (typeof args[1] !== 'string' && !isNullish(args[1])) throw argumentError('baseURL must be a string');
  const baseURL = args[1] === undefined ? undefined : `${args[1]}`;
  if (baseURL !== undefined && typeof input !== 'string') {
    throw codedTypeError('ERR_OPERATION_FAILED', `Failed to ${operation} URLPattern`);
  }
  const values = valuesOf(input, baseURL);
  if (values === undefined) return null;
  const inputs = [input];
  if (baseURL !== undefined) ArrayPrototypePush(inputs, baseURL);
  const result = { __proto__: null };
  for (const name of new SafeArrayIterator([
    'hash', 'hostname', 'inputs', 'password', 'pathname', 'port', 'protocol', 'search', 'username',
  ])) {
    if (name === 'inputs') {
      result.inputs = inputs;
      continue;
    }
    const match = compiled[name].match(values[name]);
    if (match === null) return null;
    result[name] = match;
  }
  return result;
}

const prototype = {};
for (let i = 0; i < components.length; i++) {
  const name = components[i];
  ObjectDefineProperties(prototype, {
    [name]: { __proto__: null, configurable: true, enumerable: true, get() { return Pattern.of(this)[name].text; } },
  });
}
ObjectDefineProperties(prototype, {
  hasRegExpGroups: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      const compiled = Pattern.of(this);
      for (let i = 0; i < components.length; i++) {
        if (compiled[components[i]].hasRegExpGroups) return true;
      }
      return false;
    },
  },
  exec: { __proto__: null, configurable: true, enumerable: true, writable: true,
    value: function exec() { return matchAll(this, arguments, 'exec'); } },
  test: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    writable: true,
    value: function test() { return matchAll(this, arguments, 'test') !== null; },
  },
  constructor: { __proto__: null, configurable: true, writable: true, value: URLPattern },
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'URLPattern' },
});
URLPattern.prototype = prototype;

module.exports = { URLPattern };
