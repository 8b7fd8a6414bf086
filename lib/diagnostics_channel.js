'use strict';

// node:diagnostics_channel: named channels with publishers and subscribers. Publishing to a channel without subscribers
// costs a property load.

const {
  ArrayPrototypeFilter,
  ArrayPrototypeIndexOf,
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  ObjectDefineProperty,
  ObjectGetPrototypeOf,
  SafeMap,
  SafeSet,
  SafeWeakRef,
  ReflectApply,
  SymbolHasInstance,
} = primordials;

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { SymbolDispose } = require('internal/util');
const { validateFunction } = require('internal/validators');

// A channel lives while it is referenced or has subscribers. Programs use few names, so the first kMostKept channels
// are held strongly forever; only further ones are referenced weakly.
const kMostKept = 512;
const kept = new SafeMap();
const subscribed = new SafeSet();
let weak;

function find(name) {
  return kept.get(name) ?? weak?.get(name)?.deref();
}

function throwLater(error) {
  process.nextTick(() => {
    throw error;
  });
}

// Enters the channel's stores with the published `data`, and restores their previous values when disposed.
class RunStoresScope {
  #scopes = [];

  constructor(active, data) {
    if (active._stores !== undefined) {
      active._stores.forEach((transform, store) => {
        let value = data;
        if (transform) {
          try {
            value = transform(data);
          } catch (error) {
            throwLater(error);
            return;
          }
        }
        ArrayPrototypePush(this.#scopes, store.withScope(value));
      });
    }
    active.publish(data);
  }

  [SymbolDispose]() {
    for (let i = this.#scopes.length - 1; i >= 0; i--) this.#scopes[i][SymbolDispose]();
    this.#scopes = [];
  }
}

class Channel {
  constructor(name) {
    this._subscribers = undefined;
    this._stores = undefined;
    this.name = name;
    this._index = undefined;
    if (kept.size < kMostKept) {
      kept.set(name, this);
    } else {
      weak ??= new SafeMap();
      weak.set(name, new SafeWeakRef(this));
    }
  }

  // Only objects created by channel() are instances; null and undefined throw, as in Node.
  static [SymbolHasInstance](instance) {
    return ObjectGetPrototypeOf(instance) === Channel.prototype;
  }

  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    subscribed.add(this);
    // Replace the array instead of changing it: a publish() in progress iterates over the old one.
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
    subscribed.add(this);
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
    if (!this.hasSubscribers) subscribed.delete(this);
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
        // An exception in a listener must not reach the publisher: report it as uncaught.
        throwLater(error);
      }
    }
  }

  withStoreScope(data) {
    if (this.hasSubscribers) return new RunStoresScope(this, data);
    return { [SymbolDispose]() {} };
  }

  runStores(data, fn, thisArg, ...args) {
    const scope = this.withStoreScope(data);
    try {
      return ReflectApply(fn, thisArg, args);
    } finally {
      scope[SymbolDispose]();
    }
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

let classes;
function lazyClasses() {
  classes ??= require('internal/tracing_channel')(channel, Channel);
  return classes;
}

function tracingChannel(nameOrChannels) {
  return new (lazyClasses().TracingChannel)(nameOrChannels);
}

function boundedChannel(nameOrChannels) {
  return new (lazyClasses().BoundedChannel)(nameOrChannels);
}

module.exports = {
  channel,
  hasSubscribers,
  subscribe,
  tracingChannel,
  unsubscribe,
  boundedChannel,
  Channel,
};
ObjectDefineProperty(module.exports, 'BoundedChannel', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return lazyClasses().BoundedChannel; },
});
