'use strict';
// The module `http`.

const { ArrayPrototypeSlice, ArrayPrototypeSort, ObjectDefineProperty } = primordials;

const { codes: { ERR_PROXY_INVALID_CONFIG } } = require('internal/errors');
const { defineLazyProperties } = require('internal/util');
const { validateInteger, validateObject } = require('internal/validators');
const agents = require('internal/http/agent');
const { ClientRequest } = require('internal/http/client_request');
const { IncomingMessage } = require('internal/http/incoming');
const { OutgoingMessage } = require('internal/http/outgoing_headers');
const { defaultMaxHeaderSize, setMostFreeParsers } = require('internal/http/parser');
const { ServerResponse } = require('internal/http/response');
const { Server, connectionListener } = require('internal/http/server');
const STATUS_CODES = require('internal/http/status_codes');
const { validateHeaderName, validateHeaderValue } = require('internal/http/validate');

const { methods } = internalBinding('http_parser');

function createServer(options, requestListener) {
  return new Server(options, requestListener);
}

function request(url, options, callback) {
  return new ClientRequest(url, options, callback);
}

function get(url, options, callback) {
  const result = request(url, options, callback);
  result.end();
  return result;
}

// Sends the requests of the global agent through the proxy that `env` names. Returns a function that undoes this.
function setGlobalProxyFromEnv(env = process.env) {
  validateObject(env, 'proxyEnv');
  const { proxyUrl } = require('internal/http/proxy');
  const { URL } = require('internal/url');
  const urls = [proxyUrl(env, 'http:'), proxyUrl(env, 'https:')];
  for (let i = 0; i < urls.length; i++) {
    if (urls[i] && !URL.canParse(urls[i])) throw new ERR_PROXY_INVALID_CONFIG(urls[i]);
  }
  if (!urls[0]) return () => {};
  const before = agents.getGlobalAgent();
  agents.setGlobalAgent(agents.createGlobalAgent(env));
  return () => agents.setGlobalAgent(before);
}

module.exports = {
  _connectionListener: connectionListener,
  METHODS: ArrayPrototypeSort(ArrayPrototypeSlice(methods)),
  STATUS_CODES,
  Agent: agents.Agent,
  ClientRequest,
  IncomingMessage,
  OutgoingMessage,
  Server,
  ServerResponse,
  createServer,
  validateHeaderName,
  validateHeaderValue,
  get,
  request,
  setMaxIdleHTTPParsers(max) {
    validateInteger(max, 'max', 1);
    setMostFreeParsers(max);
  },
  setGlobalProxyFromEnv,
};

defineLazyProperties(module.exports, 'internal/fetch/undici', ['WebSocket', 'CloseEvent', 'MessageEvent']);

ObjectDefineProperty(module.exports, 'maxHeaderSize', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get: defaultMaxHeaderSize,
});

ObjectDefineProperty(module.exports, 'globalAgent', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get: agents.getGlobalAgent,
  set: agents.setGlobalAgent,
});
