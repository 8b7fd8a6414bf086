'use strict';

// node:diagnostics_channel: messages by name, from those who have something to tell to those who happen to listen. To
// publish where nobody listens costs a property load.

const {
  ArrayPrototypeFilter,
  ArrayPrototypeIndexOf,
  ArrayPrototypeSlice,
  SafeMap,
  SafeSet,
  SafeWeakRef,
  ReflectApply,
} = primordials;

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateFunction } = require('internal/validators');

// Channels live as long as somebody holds them or listens. A program has few names, so that the first are simply kept;
// only those who make names without end get weak references.
const kMostKept = 512;
const kept = new SafeMap();
const heard = new SafeSet();
let weak;

function find(name) {
  return kept.get(name) ?? weak?.get(name)?.deref();
}

function throwLater(error) {
  process.nextTick(() => {
    throw error;
  });
}

// Runs `next` with what `transform` makes of the data as the value of `store`.
function runInStore(store, data, transform, next) {
  let value = data;
  if (transform !== undefined) {
    try {
      value = transform(data);
    } catch (error) {
      throwLater(error);
      return next();
    }
  }
  return store.run(value, next);
}

class Channel {
  constructor(name) {
    this._subscribers = undefined;
    this._stores = undefined;
    this.name = name;
    if (kept.size < kMostKept) {
      kept.set(name, this);
    } else {
      weak ??= new SafeMap();
      weak.set(name, new SafeWeakRef(this));
    }
  }

  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    heard.add(this);
    // Replaced, not changed: a publish that is under way goes through those who listened when it began.
    const list = this._subscribers === undefined ? [] : ArrayPrototypeSlice(this._subscribers);
    list[list.length] = subscription;
    this._subscribers = list;
  }

  unsubscribe(subscription) {
    if (this._subscribers === undefined) return false;
    const index = ArrayPrototypeIndexOf(this._subscribers, subscription);
    if (index === -1) return false;
    const list = ArrayPrototypeFilter(this._subscribers, (one, i) => i !== index);
    this._subscribers = list.length === 0 ? undefined : list;
    this.#release();
    return true;
  }

  bindStore(store, transform) {
    heard.add(this);
    this._stores ??= new SafeMap();
    this._stores.set(store, transform);
  }

  unbindStore(store) {
    if (this._stores === undefined || !this._stores.delete(store)) return false;
    if (this._stores.size === 0) this._stores = undefined;
    this.#release();
    return true;
  }

  #release() {
    if (!this.hasSubscribers) heard.delete(this);
  }

  get hasSubscribers() {
    return this._subscribers !== undefined || this._stores !== undefined;
  }

  publish(data) {
    const list = this._subscribers;
    if (list === undefined) return;
    const { name } = this;
    for (let i = 0; i < list.length; i++) {
      try {
        const subscription = list[i];
        subscription(data, name);
      } catch (error) {
        // What a listener does wrong is none of the publisher's business.
        throwLater(error);
      }
    }
  }

  runStores(data, fn, thisArg, ...args) {
    if (this._stores === undefined) {
      this.publish(data);
      return ReflectApply(fn, thisArg, args);
    }
    let run = () => {
      this.publish(data);
      return ReflectApply(fn, thisArg, args);
    };
    for (const { 0: store, 1: transform } of this._stores.entries()) {
      const next = run;
      run = () => runInStore(store, data, transform, next);
    }
    return run();
  }
}

function channel(name) {
  const existing = find(name);
  if (existing !== undefined) return existing;
  if (typeof name !== 'string' && typeof name !== 'symbol') {
    throw new ERR_INVALID_ARG_TYPE('channel', ['string', 'symbol'], name);
  }
  return new Channel(name);
}

function subscribe(name, subscription) {
  channel(name).subscribe(subscription);
}

function unsubscribe(name, subscription) {
  return channel(name).unsubscribe(subscription);
}

function hasSubscribers(name) {
  return find(name)?.hasSubscribers ?? false;
}

let TracingChannel;
function tracingChannel(nameOrChannels) {
  TracingChannel ??= require('internal/tracing_channel')(channel, Channel);
  return new TracingChannel(nameOrChannels);
}

module.exports = {
  channel,
  hasSubscribers,
  subscribe,
  tracingChannel,
  unsubscribe,
  Channel,
};
