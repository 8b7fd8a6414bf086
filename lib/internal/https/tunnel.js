'use strict';
// Connections of https.Agent through a proxy: CONNECT opens a tunnel to the server, in which TLS begins.

const {
  Number,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeSplit,
} = primordials;

const net = require('net');
const tls = require('tls');
const assert = require('internal/assert');
const { codes: { ERR_PROXY_TUNNEL } } = require('internal/errors');
const { isIP } = require('internal/net');
const { once } = require('internal/util');
const { isProxied } = require('internal/http/proxy');
const { kProxyConfig, kWaitsForTunnel } = require('internal/http/symbols');
const { kPerRequestCheck } = require('internal/https/symbols');

const kOk = '200';

function requestText(agent, { host, port }, auth) {
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port || agent.defaultPort}`;
  assert(StringPrototypeIndexOf(target, '\r') === -1 && StringPrototypeIndexOf(target, '\n') === -1);
  let text = `CONNECT ${target} HTTP/1.1\r\n`;
  if (auth) text += `proxy-authorization: ${auth}\r\n`;
  if (agent.keepAlive || agent.maxSockets !== Infinity) text += 'proxy-connection: keep-alive\r\n';
  return { target, text: `${text}host: ${target}\r\n\r\n` };
}

function timedOut(timeout) {
  const error = new ERR_PROXY_TUNNEL(`Connection to establish proxy tunnel timed out after ${timeout}ms`);
  error.proxyTunnelTimeout = timeout;
  return error;
}

// Reads the answer of the proxy, and calls back with an error or null.
function awaitAnswer(socket, config, target, timeout, callback) {
  let answer = '';
  const read = () => {
    let chunk;
    while ((chunk = socket.read()) !== null) {
      answer += chunk.toString('latin1');
      if (StringPrototypeIndexOf(answer, '\r\n\r\n') !== -1) {
        finish();
        return;
      }
    }
  };
  const onError = (error) => done(error);
  const onEnd = () => done(new ERR_PROXY_TUNNEL('Connection to establish proxy tunnel ended unexpectedly'));
  const onTimeout = () => done(timedOut(timeout));
  const done = (error) => {
    socket.removeListener('readable', read);
    socket.removeListener('error', onError);
    socket.removeListener('end', onEnd);
    socket.setTimeout(0);
    callback(error);
  };
  const finish = () => {
    const line = StringPrototypeSlice(answer, 0, StringPrototypeIndexOf(answer, '\r\n'));
    const { 1: status } = StringPrototypeSplit(line, ' ');
    if (status === kOk) {
      done(null);
      return;
    }
    const error = new ERR_PROXY_TUNNEL(`Failed to establish tunnel to ${target} via ${config.href}: ${line}`);
    error.statusCode = Number(status);
    done(error);
  };
  socket.on('error', onError);
  socket.on('end', onEnd);
  if (timeout > 0) socket.setTimeout(timeout, onTimeout);
  socket.on('readable', read);
}

// Begins TLS with the server, in the tunnel.
function encrypt(socket, options, callback) {
  const servername = options.servername || (isIP(options.host) !== 0 ? undefined : options.host);
  const inner = tls.connect({ __proto__: null, ...options, servername, socket }, () => {
    inner.removeListener('error', onError);
    callback(null, inner);
  });
  const onError = (error) => callback(error, inner);
  if (options[kPerRequestCheck]) inner[kPerRequestCheck] = true;
  inner.on('free', () => socket.emit('free'));
  inner.on('error', onError);
}

// Returns the socket to the proxy; the one to the server goes to the callback.
function connect(agent, options, callback) {
  const config = agent[kProxyConfig];
  if ((options.protocol || agent.protocol) !== 'https:' || !isProxied(config, options)) {
    return tls.connect(options);
  }
  const { target, text } = requestText(agent, options, config.auth);
  const { timeout } = options;
  const proxyOptions = { ...config.proxyConnectionOptions };
  const onConnect = () => {
    socket.removeListener('error', fail);
    socket.removeListener('timeout', onTimeout);
    awaitAnswer(socket, config, target, timeout, (error) => {
      if (error !== null) {
        fail(error);
      } else {
        encrypt(socket, options, report);
      }
    });
    socket.write(text);
  };
  const report = once((error, inner) => callback?.(error, inner));
  const fail = (error) => {
    // With another status the answer of the proxy is complete: the request closes the connection itself.
    if (error.code === 'ERR_PROXY_TUNNEL' && !error.statusCode) socket.destroy();
    report(error, socket);
  };
  const onTimeout = () => fail(timedOut(timeout));
  const socket = config.protocol === 'https:' ? tls.connect(proxyOptions, onConnect) :
    net.connect(proxyOptions, onConnect);
  socket[kWaitsForTunnel] = true;
  socket.on('error', fail);
  if (timeout > 0) socket.setTimeout(timeout, onTimeout);
  return socket;
}

module.exports = { connect };
