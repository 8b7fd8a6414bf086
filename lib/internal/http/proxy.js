'use strict';
// Requests through a proxy: which one, which destinations go there, and how their requests look. Node reads the same
// environment variables.

const {
  ArrayIsArray,
  ArrayPrototypePush,
  Number,
  StringPrototypeEndsWith,
  StringPrototypeIncludes,
  StringPrototypeSlice,
  StringPrototypeSplit,
  StringPrototypeStartsWith,
  StringPrototypeToLowerCase,
  StringPrototypeTrim,
  decodeURIComponent,
} = primordials;

const net = require('net');
const { Buffer } = require('buffer');
const { codes: { ERR_INVALID_ARG_VALUE, ERR_PROXY_INVALID_CONFIG } } = require('internal/errors');
const { isIPv4 } = require('internal/net');
const { URL } = require('internal/url');
const { validatePort } = require('internal/validators');

// The address of the proxy for requests of a protocol; null if there is none.
function proxyUrl(env, protocol) {
  const url = protocol === 'https:' ? env.https_proxy || env.HTTPS_PROXY : env.http_proxy || env.HTTP_PROXY;
  if (!url) return null;
  if (StringPrototypeIncludes(url, '\r') || StringPrototypeIncludes(url, '\n')) {
    throw new ERR_PROXY_INVALID_CONFIG(`Invalid proxy URL: ${url}`);
  }
  return url;
}

function readProxyConfig(env, protocol) {
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  const url = proxyUrl(env, protocol);
  // Proxies of other kinds may be meant for other programs.
  if (url === null || (!StringPrototypeStartsWith(url, 'http://') && !StringPrototypeStartsWith(url, 'https://'))) {
    return null;
  }
  return parseConfig(url, env.no_proxy || env.NO_PROXY);
}

function parseConfig(text, exceptions) {
  let url;
  try {
    url = new URL(text);
  } catch {
    throw new ERR_PROXY_INVALID_CONFIG(`Invalid proxy URL: ${text}`);
  }
  const { hostname, password, port, protocol, username } = url;
  const config = { href: text, protocol, auth: undefined, bypassList: [], proxyConnectionOptions: undefined };
  if (username || password) {
    url.username = '';
    url.password = '';
    config.href = url.href;
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    config.auth = `Basic ${Buffer.from(credentials).toString('base64')}`;
  }
  if (exceptions) {
    const list = StringPrototypeSplit(exceptions, ',');
    for (let i = 0; i < list.length; i++) {
      ArrayPrototypePush(config.bypassList, StringPrototypeToLowerCase(StringPrototypeTrim(list[i])));
    }
  }
  config.proxyConnectionOptions = {
    host: hostname[0] === '[' ? StringPrototypeSlice(hostname, 1, -1) : hostname,
    port: port ? Number(port) : protocol === 'https:' ? 443 : 80,
  };
  return config;
}

function toNumber(address) {
  const parts = StringPrototypeSplit(address, '.');
  return ((parts[0] * 256 + +parts[1]) * 256 + +parts[2]) * 256 + +parts[3];
}

function isInRange(range, host) {
  const { 0: first, 1: last } = StringPrototypeSplit(range, '-');
  const from = StringPrototypeTrim(first);
  const to = StringPrototypeTrim(last);
  return isIPv4(from) && isIPv4(to) && toNumber(from) <= toNumber(host) && toNumber(host) <= toNumber(to);
}

// An exception is `*`, a host, a host with a port, a domain (`.example.com` or `*.example.com`), or a range of
// addresses.
function matches(exception, host, port) {
  if (exception === '*' || exception === host || (port && exception === `${host}:${port}`)) return true;
  if (exception[0] === '.') return `.${host}` === exception || StringPrototypeEndsWith(host, exception);
  if (StringPrototypeStartsWith(exception, '*.')) {
    return StringPrototypeEndsWith(host, StringPrototypeSlice(exception, 1));
  }
  return StringPrototypeIncludes(exception, '-') && isIPv4(host) && isInRange(exception, host);
}

function isProxied(config, options) {
  if (!config || options.socketPath) return false;
  const host = StringPrototypeToLowerCase(options.host || 'localhost');
  for (let i = 0; i < config.bypassList.length; i++) {
    if (matches(config.bypassList[i], host, options.port)) return false;
  }
  return true;
}

function connectToProxy(config, callback) {
  const options = { ...config.proxyConnectionOptions };
  return config.protocol === 'https:' ? require('tls').connect(options, callback) : net.connect(options, callback);
}

// The value of the Host header in a list of header fields.
function hostInList(list) {
  let host;
  const check = (name, value) => {
    if (StringPrototypeToLowerCase(`${name}`) !== 'host') return;
    if (host !== undefined) {
      throw new ERR_INVALID_ARG_VALUE('options.headers', '(redacted)', 'must not contain duplicate Host headers');
    }
    host = `${value}`;
  };
  if (!ArrayIsArray(list[0])) {
    for (let i = 0; i + 1 < list.length; i += 2) check(list[i], list[i + 1]);
    return host;
  }
  for (let i = 0; i < list.length; i++) {
    if (!ArrayIsArray(list[i])) {
      throw new ERR_INVALID_ARG_VALUE(`options.headers[${i}]`, typeof list[i],
        'must be an array when headers is passed as an array of pairs');
    }
    check(list[i][0], list[i][1]);
  }
  return host;
}

function isSameHost(host, header) {
  let url;
  try {
    url = new URL(`http://${header}`);
  } catch {
    return false;
  }
  return !url.username && !url.password && url.pathname === '/' && !url.search && !url.hash && url.host === host;
}

// A proxy gets the whole address of the resource. It must name the host that the request is for.
function absoluteUrl(path, base, ownHost, list) {
  const mustMatch = `must match the request authority (${base.host})`;
  if (list !== undefined) {
    const host = hostInList(list);
    if (host !== undefined && host !== base.host) {
      throw new ERR_INVALID_ARG_VALUE('Host in options.headers', host, mustMatch);
    }
  } else if (ownHost !== undefined && !isSameHost(base.host, ownHost)) {
    throw new ERR_INVALID_ARG_VALUE('Host in options.headers', ownHost, mustMatch);
  }
  let url;
  try {
    url = new URL(path);
  } catch {
    if (path[0] !== '/') {
      throw new ERR_INVALID_ARG_VALUE('options.path', path, 'must be in absolute-form or start with /');
    }
    return new URL(base.origin + path);
  }
  if (url.username || url.password) {
    url.username = '';
    url.password = '';
    throw new ERR_INVALID_ARG_VALUE('options.path', url.href, 'must not contain userinfo, use options.auth instead');
  }
  if (url.protocol !== 'http:') {
    throw new ERR_INVALID_ARG_VALUE('options.path', url.protocol,
      'must use http: scheme when specified as an absolute URL');
  }
  if (url.host !== base.host) throw new ERR_INVALID_ARG_VALUE('options.path', url, mustMatch);
  return url;
}

// Changes a request so that a proxy understands it. Returns whether its path is a whole address now.
function prepareRequest(config, request, authority, ownHost, list) {
  if (request._header) return false;
  const isUnchanged = request.method === 'CONNECT' || (request.method === 'OPTIONS' && request.path === '*');
  let url;
  if (!isUnchanged) {
    validatePort(authority.port, 'options.port', true);
    const base = new URL(`http://${authority.host}`);
    base.port = authority.port;
    url = absoluteUrl(`${request.path}`, base, ownHost, list);
    const host = list === undefined ? request.getHeader('host') : undefined;
    if (host !== undefined && host !== base.host) request.setHeader('Host', base.host);
  }
  if (config.auth) request.setHeader('proxy-authorization', config.auth);
  request.setHeader('proxy-connection', request.shouldKeepAlive ? 'keep-alive' : 'close');
  if (url === undefined) return false;
  request.path = url.href;
  return true;
}

module.exports = { connectToProxy, isProxied, prepareRequest, proxyUrl, readProxyConfig };
