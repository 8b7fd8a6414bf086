'use strict';
// fetch(). Requests of a common form, and their responses, are handled here; undici does the rest.

const {
  ArrayPrototypePush,
  Promise,
  SafeFinalizationRegistry,
  SafeMap,
  SafeSet,
  SymbolFor,
  TypeError,
  globalThis,
} = primordials;

const { Buffer } = require('buffer');
const undici = require('internal/fetch/undici');
const { addBody } = require('internal/fetch/lazy_body');
const { attach, hasOthers } = require('internal/fetch/observe');
const { planOf } = require('internal/fetch/plan');
const { Pool } = require('internal/fetch/pool');
const { observed } = require('internal/http/observe');
const { isUnchanged, onAgentEnd } = require('internal/fetch/agent');
const { performance } = require('perf_hooks');
const { queueMicrotask } = require('internal/process/task_queues');
const {
  internals: { HeadersList, channels, createOpaqueTimingInfo, fromInnerResponse },
} = undici;

const kDispatcher = SymbolFor('undici.globalDispatcher.2');

// Statuses that only undici handles: redirects, responses without a body, authentication, retries.
const special = new SafeSet([204, 205, 206, 304, 300, 301, 302, 303, 305, 306, 307, 308, 401, 407, 421]);

const pools = new SafeMap();
// Closes the connections of responses that were collected before they were read.
const unread = new SafeFinalizationRegistry((body) => body.cancel());

function now() {
  return performance.now();
}

// True if the program subscribes to channels of undici: then undici must send all requests.
function isObserved() {
  return hasOthers(channels.create) || hasOthers(channels.beforeConnect) || hasOthers(channels.connected) ||
    hasOthers(channels.connectError) || hasOthers(channels.sendHeaders) || hasOthers(channels.bodyChunkSent) ||
    hasOthers(channels.bodyChunkReceived) || hasOthers(channels.bodySent) || hasOthers(channels.headers) ||
    hasOthers(channels.trailers) || hasOthers(channels.error);
}

// A dispatcher that passes a response that has already arrived to undici's fetch(). Requests that follow, such as those
// of redirects, go to the dispatcher of the program.
class Replay {
  constructor(simple) {
    this.simple = simple;
    this.agent = globalThis[kDispatcher];
    this.isUsed = false;
  }

  dispatch(options, handler) {
    if (this.isUsed) return this.agent.dispatch(options, handler);
    this.isUsed = true;
    this.simple.replay(handler);
    return true;
  }
}

class Simple {
  constructor(plan, resolve, reject) {
    this.exchange = observed.isOn ? observed.fetchStarted(plan) : null; // It may add header fields.
    this.head = plan.head;
    this.body = plan.body;
    this.url = plan.url;
    this.resolve = resolve;
    this.reject = reject;
    this.timing = createOpaqueTimingInfo({ startTime: now() });
    this.connection = null;
    this.lazyBody = null;
    this.promised = undefined; // The Response, until the first bytes of the body are handled.
    this.retry = undefined; // Calls undici's fetch() with a dispatcher.
    // The following are for responses that undici handles.
    this.handler = null;
    this.isAborted = false;
    this.rawHeaders = null;
    this.response = null;
    this.events = null; // Calls that wait for the handler: name, argument, ...
  }

  // Called for the connection.

  onStart(connection) {
    this.connection = connection;
    const { timing } = this;
    const { postRedirectStartTime: time } = timing;
    timing.finalConnectionTimingInfo = {
      domainLookupStartTime: time,
      domainLookupEndTime: time,
      connectionStartTime: time,
      connectionEndTime: time,
      secureConnectionStartTime: time,
      ALPNNegotiatedProtocol: undefined,
    };
    timing.finalNetworkRequestStartTime = now();
  }

  onHead(status, text, fields) {
    this.timing.finalNetworkResponseStartTime = now();
    if (this.exchange !== null) this.exchange.status = status;
    const headersList = new HeadersList();
    let isEncoded = false;
    for (let i = 0; i < fields.length; i += 2) {
      const name = fields[i];
      if (name === 'content-encoding') isEncoded = true;
      headersList.append(name, fields[i + 1], true);
    }
    if (isEncoded || special.has(status)) {
      this.response = { status, text, fields };
      this.events = [];
      this.retry(new Replay(this));
      this.forgetPromise();
      return;
    }
    const state = {
      aborted: false,
      rangeRequested: false,
      timingAllowPassed: true,
      requestIncludesCredentials: true,
      type: 'basic',
      status,
      timingInfo: this.timing,
      cacheState: '',
      statusText: text,
      headersList,
      urlList: [this.url],
      body: null,
    };
    const response = fromInnerResponse(state, 'immutable');
    this.lazyBody = addBody(response, state, this.connection);
    this.promised = response;
    this.resolve(response);
    this.forgetPromise();
  }

  // Drops the references to the promise and so to the response, so that a response that the program drops is collected.
  forgetPromise() {
    this.resolve = this.reject = this.retry = undefined;
  }

  // The body has not arrived together with the header fields.
  onPartial() {
    if (this.promised === undefined) return;
    unread.register(this.promised, this.lazyBody);
    this.promised = undefined;
  }

  onBody(chunk) {
    if (this.lazyBody !== null) {
      this.lazyBody.push(chunk);
    } else {
      this.tell('onResponseData', chunk);
    }
  }

  onEnd() {
    if (this.exchange !== null) observed.exchangeEnded(this.exchange, false);
    if (this.lazyBody !== null) {
      this.lazyBody.end();
    } else {
      this.tell('onResponseEnd', {});
    }
  }

  onError(error) {
    if (this.exchange !== null) observed.exchangeEnded(this.exchange, true);
    if (this.lazyBody !== null) {
      this.lazyBody.fail(error);
    } else if (this.response !== null) {
      this.tell('onResponseError', error);
    } else {
      // In a microtask, as in undici, so that the stack contains no callback.
      const { reject } = this;
      queueMicrotask(() => reject(new TypeError('fetch failed', { cause: error })));
    }
  }

  // For responses that are given to undici.

  tell(name, value) {
    if (this.handler === null) {
      ArrayPrototypePush(this.events, name, value);
    } else if (!this.isAborted) {
      this.handler[name](this, value);
    }
  }

  replay(handler) {
    const { response: { status, text, fields }, events } = this;
    this.rawHeaders = [];
    const headers = {};
    for (let i = 0; i < fields.length; i++) ArrayPrototypePush(this.rawHeaders, Buffer.from(fields[i], 'latin1'));
    handler.onRequestStart(this, null);
    if (this.isAborted) return;
    handler.onResponseStarted?.();
    handler.onResponseStart(this, status, headers, text);
    this.handler = handler;
    for (let i = 0; i < events.length; i += 2) this.tell(events[i], events[i + 1]);
  }

  // The controller of undici's handler.

  // The connection may have another request by then.
  get isReceiving() { return this.connection.request === this; }

  pause() { if (this.isReceiving) this.connection.pause(); }

  resume() { if (this.isReceiving) this.connection.resume(); }

  abort(reason) {
    if (this.isAborted) return;
    this.isAborted = true;
    if (this.isReceiving) this.connection.close();
    this.handler?.onResponseError(this, reason);
  }

  get aborted() { return this.isAborted; }
}

function poolOf(url) {
  const { host } = url;
  let pool = pools.get(host);
  if (pool === undefined) {
    pool = new Pool(url, () => pools.delete(host));
    pools.set(host, pool);
  }
  return pool;
}

function fetch(input, init = undefined) {
  if (!isUnchanged(globalThis[kDispatcher]) || isObserved()) return undici.fetch(input, init);
  const plan = planOf(input, init);
  if (plan === undefined) return undici.fetch(input, init);
  return new Promise((resolve, reject) => {
    const request = new Simple(plan, resolve, reject);
    request.retry = (dispatcher) => resolve(undici.fetch(plan.url, {
      __proto__: null,
      method: plan.method,
      headers: plan.fields,
      body: plan.body,
      dispatcher,
    }));
    poolOf(plan.url).add(request);
  });
}

if (observed.isOn) attach(channels);

onAgentEnd((error) => {
  for (const { 1: pool } of pools) pool.end(error);
});

module.exports = { fetch };
