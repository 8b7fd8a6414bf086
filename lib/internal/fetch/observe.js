'use strict';
// Reports the requests that undici sends itself to internal/http/observe, from undici's channels, in programs that are
// traced or send spans.

const { SafeMap, SafeWeakMap, StringPrototypeToLowerCase } = primordials;

const { observed } = require('internal/http/observe');
const { URL } = require('internal/url');

const exchanges = new SafeWeakMap(); // Of undici's requests.
const listeners = new SafeMap(); // Ours, by channel.

function onCreate({ request }) {
  const url = new URL(request.origin);
  const exchange = observed.startClient(request.method, url.hostname,
    url.port || (url.protocol === 'https:' ? 443 : 80), request.path);
  if (!hasField(request.headers, 'traceparent')) exchange.addField = (name, value) => request.addHeader(name, value);
  exchanges.set(request, exchange);
  observed.begins(exchange, request);
}

function hasField(headers, wanted) {
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (StringPrototypeToLowerCase(`${headers[i]}`) === wanted) return true;
  }
  return false;
}

function onHeaders({ request, response }) {
  const exchange = exchanges.get(request);
  if (exchange === undefined) return;
  exchange.status = response.statusCode;
  observed.exchangeContinues(exchange);
}

function onTrailers({ request }) {
  const exchange = exchanges.get(request);
  if (exchange !== undefined) observed.exchangeEnded(exchange, false);
}

function onError({ request }) {
  const exchange = exchanges.get(request);
  if (exchange !== undefined) observed.exchangeEnded(exchange, true);
}

function attach({ create, error, headers, trailers }) {
  listeners.set(create, onCreate).set(headers, onHeaders).set(trailers, onTrailers).set(error, onError);
  for (const { 0: channel, 1: listener } of listeners) channel.subscribe(listener);
}

// True if the program listens, too.
function hasOthers(channel) {
  if (!channel.hasSubscribers) return false;
  return !listeners.has(channel) || channel._subscribers.length > 1;
}

module.exports = { attach, hasOthers };
