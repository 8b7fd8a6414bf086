'use strict';
// Spans of HTTP requests for --trace-otlp: an observer of internal/http/observe. Each request that the program serves
// or sends is a span; those that it sends while it serves one are children of that. Native code batches and sends them
// (src/runtime/export/otlp_exporter.h).

const {
  JSONStringify,
  MathMin,
  MathRound,
  RegExpPrototypeExec,
  RegExpPrototypeSymbolReplace,
  String,
  StringPrototypePadStart,
  StringPrototypeSlice,
  Uint32Array,
  uncurryThis,
} = primordials;

const { exportSpan, spanSeed } = internalBinding('trace');
const { now, wall } = internalBinding('clock');
const { AsyncLocalStorage } = require('internal/async_context/storage');
const { observed } = require('internal/http/observe');
const { Ids, formatTraceParent, parseTraceParent } = require('internal/observe/trace_context');

const kServer = 2; // Kinds of spans, and a status.
const kClient = 3;
const kError = 2;
const knownMethods = {
  __proto__: null, CONNECT: 1, DELETE: 1, GET: 1, HEAD: 1, OPTIONS: 1, PATCH: 1, POST: 1, PUT: 1, TRACE: 1,
};

// Programs can change the prototype.
const getStore = uncurryThis(AsyncLocalStorage.prototype.getStore);
const runWith = uncurryThis(AsyncLocalStorage.prototype.run);

let current; // An AsyncLocalStorage with the span of the server's request.
let ids;
let propagates = true;
let origin = 0; // The time of the clock's zero, in milliseconds since 1970.

class Span {
  constructor(kind, parent) {
    this.kind = kind;
    this.traceId = parent === undefined ? ids.trace() : parent.traceId;
    this.spanId = ids.span();
    this.parentId = parent === undefined ? '' : parent.spanId;
    this.isSampled = parent === undefined || parent.isSampled;
    this.attributes = '';
  }

  text(key, value) {
    this.attributes += `{"key":"${key}","value":{"stringValue":${JSONStringify(String(value))}}},`;
  }

  number(key, value) {
    this.attributes += `{"key":"${key}","value":{"intValue":"${value}"}},`;
  }
}

// Nanoseconds since 1970 as text: they are too large for a number.
function unixNanos(ms) {
  const time = origin + ms;
  const nanos = MathMin(999_999_999, MathRound((time % 1000) * 1e6));
  return `${(time - time % 1000) / 1000}${StringPrototypePadStart(String(nanos), 9, '0')}`;
}

function methodOf(exchange) {
  return knownMethods[exchange.method] === undefined ? '_OTHER' : exchange.method;
}

function beginServer(exchange, request) {
  const { headers, socket } = request;
  const span = exchange.span = new Span(kServer, parseTraceParent(headers.traceparent));
  if (!span.isSampled) return;
  span.text('http.request.method', methodOf(exchange));
  if (methodOf(exchange) === '_OTHER') span.text('http.request.method_original', exchange.method);
  span.text('url.path', exchange.path);
  const query = request.url.length - exchange.path.length;
  if (query > 1) span.text('url.query', redact(request.url, exchange.path.length + 1));
  span.text('url.scheme', socket.encrypted ? 'https' : 'http');
  span.text('network.protocol.version', request.httpVersion);
  if (headers.host !== undefined) {
    const { host, port } = splitAuthority(headers.host);
    span.text('server.address', host);
    if (port > 0) span.number('server.port', port);
  }
  if (socket.remoteAddress !== undefined) {
    span.text('client.address', socket.remoteAddress);
    span.number('network.peer.port', socket.remotePort);
  }
  if (headers['user-agent'] !== undefined) span.text('user_agent.original', headers['user-agent']);
}

const authority = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/;
const secrets = /((?:^|&)(?:AWSAccessKeyId|Signature|sig|X-Goog-Signature)=)[^&]*/g;

function splitAuthority(text) {
  const match = RegExpPrototypeExec(authority, text);
  return match === null ? { host: text, port: 0 } : { host: match[1], port: match[2] === undefined ? 0 : +match[2] };
}

// The query without the signatures that OpenTelemetry excludes.
function redact(url, from) {
  return RegExpPrototypeSymbolReplace(secrets, StringPrototypeSlice(url, from), '$1REDACTED');
}

function beginClient(exchange) {
  const span = exchange.span = new Span(kClient, getStore(current));
  if (propagates && exchange.addField !== null) exchange.addField('traceparent', formatTraceParent(span));
  if (!span.isSampled) return;
  span.text('http.request.method', methodOf(exchange));
  if (methodOf(exchange) === '_OTHER') span.text('http.request.method_original', exchange.method);
  span.text('url.path', exchange.path);
  span.text('server.address', exchange.host);
  span.number('server.port', exchange.port);
}

const exporter = {
  __proto__: null,
  begins(exchange, message) {
    if (exchange.isServer) beginServer(exchange, message);
    else beginClient(exchange);
  },
  continues() {},
  ends(exchange) {
    const { span, status } = exchange;
    if (span === null || !span.isSampled) return;
    if (status > 0) span.number('http.response.status_code', status);
    // A response with a status from 400 to 499 is an error of the client only.
    const isError = exchange.hasFailed || status >= (span.kind === kServer ? 500 : 400);
    if (exchange.hasFailed) {
      span.text('error.type', span.kind === kServer ? 'aborted' : 'failed');
    } else if (isError) {
      span.text('error.type', status);
    }
    if (span.kind === kServer) {
      span.attributes += `{"key":"rondo.queued_ms","value":{"doubleValue":${exchange.calledAt - exchange.startedAt}}},`;
    }
    const parent = span.parentId === '' ? '' : `"parentSpanId":"${span.parentId}",`;
    exportSpan(`{"traceId":"${span.traceId}","spanId":"${span.spanId}",${parent}"flags":1,` +
      `"name":"${methodOf(exchange)}","kind":${span.kind},"startTimeUnixNano":"${unixNanos(exchange.startedAt)}",` +
      `"endTimeUnixNano":"${unixNanos(exchange.endedAt)}",` +
      `"attributes":[${StringPrototypeSlice(span.attributes, 0, -1)}],"status":{${isError ? `"code":${kError}` : ''}}}`);
  },
};

function start() {
  const seed = new Uint32Array(4);
  spanSeed(seed);
  ids = new Ids(seed);
  current = new AsyncLocalStorage();
  origin = wall() - now();
  const propagators = process.env.OTEL_PROPAGATORS;
  propagates = propagators === undefined || RegExpPrototypeExec(/(?:^|,)\s*tracecontext\s*(?:,|$)/, propagators) !== null;
  observed.setContext((exchange, handle) => runWith(current, exchange.span, handle));
  observed.add(exporter);
}

module.exports = { start };
