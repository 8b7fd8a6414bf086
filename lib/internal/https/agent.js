'use strict';
// https.Agent: an http.Agent whose connections are encrypted, and which resumes sessions.

const {
  ArrayIsArray,
  ArrayPrototypeIndexOf,
  ArrayPrototypePush,
  ArrayPrototypeShift,
  ArrayPrototypeSplice,
  FunctionPrototypeCall,
  JSONStringify,
  ObjectSetPrototypeOf,
} = primordials;

const tls = require('tls');
const { getOptionValue } = require('internal/options');
const { kEmptyObject } = require('internal/util');
const { Agent: HttpAgent } = require('internal/http/agent');
const { kProxyConfig } = require('internal/http/symbols');
const { kPerRequestCheck } = require('internal/https/symbols');

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  options = { __proto__: null, ...options };
  options.defaultPort ??= 443;
  options.protocol ??= 'https:';
  FunctionPrototypeCall(HttpAgent, this, options);
  this.maxCachedSessions = this.options.maxCachedSessions;
  if (this.maxCachedSessions === undefined) this.maxCachedSessions = 100;
  this._sessionCache = { map: {}, list: [] };
}
ObjectSetPrototypeOf(Agent.prototype, HttpAgent.prototype);
ObjectSetPrototypeOf(Agent, HttpAgent);

const { prototype } = Agent;

function isOptions(value) {
  return value !== null && typeof value === 'object';
}

// (options), (port, options) or (port, host, options), each with a callback.
function readArguments(args) {
  const { 0: first, 1: second, 2: third, length } = args;
  let options = {};
  if (isOptions(first)) {
    options = first;
  } else if (isOptions(second)) {
    options = { ...second };
  } else if (isOptions(third)) {
    options = { ...third };
  }
  if (typeof first === 'number') options.port = first;
  if (typeof second === 'string') options.host = second;
  const callback = typeof args[length - 1] === 'function' ? args[length - 1] : undefined;
  return { options, callback };
}

prototype.createConnection = function createConnection(...args) {
  const { options: given, callback } = readArguments(args);
  let options = given;
  // A session that another function has checked must not be resumed.
  const isCached = options._agentKey && !options[kPerRequestCheck];
  if (isCached) {
    const session = this._getSession(options._agentKey);
    if (session) options = { session, ...options };
  }
  const socket = this[kProxyConfig] ?
    require('internal/https/tunnel').connect(this, options, callback) : tls.connect(options);
  if (options[kPerRequestCheck]) socket[kPerRequestCheck] = true;
  if (isCached) {
    const key = options._agentKey;
    socket.on('session', (session) => this._cacheSession(key, session));
    socket.once('close', (hadError) => {
      if (hadError) this._evictSession(key);
    });
  }
  return socket;
};

prototype.keepSocketAlive = function keepSocketAlive(socket) {
  return !socket[kPerRequestCheck] && FunctionPrototypeCall(HttpAgent.prototype.keepSocketAlive, this, socket);
};

function nameOfPfx(pfx, passphrase) {
  if (!ArrayIsArray(pfx)) return pfx;
  let name = '';
  for (let i = 0; i < pfx.length; i++) name += `:${pfx[i]?.buf || pfx[i]}:${pfx[i]?.passphrase || passphrase}`;
  return name;
}

function ifSet(value) {
  return value === undefined ? '' : value;
}

// All options that make a difference between connections.
prototype.getName = function getName(options = kEmptyObject) {
  const { servername } = options;
  let name = FunctionPrototypeCall(HttpAgent.prototype.getName, this, options);
  name += `:${options.ca || ''}:${options.cert || ''}:${options.clientCertEngine || ''}:${options.ciphers || ''}`;
  name += `:${options.key || ''}:${options.pfx ? nameOfPfx(options.pfx, options.passphrase) : ''}`;
  name += `:${ifSet(options.rejectUnauthorized)}:${servername && servername !== options.host ? servername : ''}`;
  name += `:${options.minVersion || ''}:${options.maxVersion || ''}:${options.secureProtocol || ''}`;
  name += `:${options.crl || ''}:${ifSet(options.honorCipherOrder)}:${options.ecdhCurve || ''}`;
  name += `:${options.dhparam || ''}:${ifSet(options.secureOptions)}:${options.sessionIdContext || ''}`;
  name += `:${options.sigalgs ? JSONStringify(options.sigalgs) : ''}:${options.privateKeyIdentifier || ''}`;
  name += `:${options.privateKeyEngine || ''}`;
  return options[kPerRequestCheck] ? `${name}:${options[kPerRequestCheck]}` : name;
};

prototype._getSession = function _getSession(key) {
  return this._sessionCache.map[key];
};

prototype._cacheSession = function _cacheSession(key, session) {
  if (this.maxCachedSessions === 0) return;
  const { list, map } = this._sessionCache;
  if (!map[key]) {
    if (list.length >= this.maxCachedSessions) delete map[ArrayPrototypeShift(list)];
    ArrayPrototypePush(list, key);
  }
  map[key] = session;
};

prototype._evictSession = function _evictSession(key) {
  const { list, map } = this._sessionCache;
  const index = ArrayPrototypeIndexOf(list, key);
  if (index === -1) return;
  ArrayPrototypeSplice(list, index, 1);
  delete map[key];
};

let globalAgent;

function createGlobalAgent(proxyEnv) {
  return new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000, proxyEnv });
}

function getGlobalAgent() {
  return globalAgent ??= createGlobalAgent(getOptionValue('--use-env-proxy') ? process.env : undefined);
}

function setGlobalAgent(agent) {
  globalAgent = agent;
}

module.exports = { Agent, createGlobalAgent, getGlobalAgent, setGlobalAgent };
