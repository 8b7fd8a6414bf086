'use strict';

// navigator.locks: Web Locks, by which the threads of a process take turns. The native table decides which request gets
// its lock, and says so in events; here each request waits for its own.

const {
  ObjectDefineProperties,
  PromisePrototypeThen,
  PromiseWithResolvers,
  SafeMap,
  Symbol,
  SymbolToStringTag,
} = primordials;

const binding = internalBinding('locks');
const { threadId } = internalBinding('worker');
const { channel } = require('diagnostics_channel');
const { codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS } } = require('internal/errors');
const { kEnumerableProperty, lazyDOMException } = require('internal/util');
const { validateAbortSignal, validateFunction } = require('internal/validators');
const { toDOMString, toDictionary, toEnum, toObject } = require('internal/webidl');

const starts = channel('locks.request.start');
const grants = channel('locks.request.grant');
const misses = channel('locks.request.miss');
const ends = channel('locks.request.end');

// LockTable::Outcome in src/base/lock_table.h.
const kGranted = 0;
const kMissed = 1;
const kStolen = 2;

const kConstruct = Symbol('kConstruct');
const modes = ['shared', 'exclusive'];

class Lock {
  #name;
  #mode;

  constructor(key = undefined, name, mode) {
    if (key !== kConstruct) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this.#name = name;
    this.#mode = mode;
  }

  get name() {
    if (!(#name in this)) throw new ERR_INVALID_THIS('Lock');
    return this.#name;
  }

  get mode() {
    if (!(#mode in this)) throw new ERR_INVALID_THIS('Lock');
    return this.#mode;
  }
}
ObjectDefineProperties(Lock.prototype, {
  name: kEnumerableProperty,
  mode: kEnumerableProperty,
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'Lock' },
});

// ---- Requests of this thread, by number

const held = new SafeMap();
const waiting = new SafeMap();
let hears = false;

function onEvents() {
  const events = binding.take();
  for (let i = 0; i < events.length; i += 2) {
    const outcome = events[i];
    const id = events[i + 1];
    if (outcome === kStolen) {
      const request = held.get(id);
      held.delete(id);
      request?.lose(lazyDOMException('The operation was aborted', 'AbortError'));
      continue;
    }
    const request = waiting.get(id);
    waiting.delete(id);
    // It may have been given up meanwhile.
    if (request === undefined) continue;
    if (outcome === kGranted) held.set(id, request);
    request.answer(outcome);
  }
}

// From asking for a lock until it is given back.
class LockRequest {
  #id;
  #options;
  #answered = PromiseWithResolvers();
  // Settles when the request is over.
  #ended = PromiseWithResolvers();
  #hasBegun = false;

  constructor(name, options) {
    this.name = name;
    this.mode = options.mode;
    this.#options = options;
  }

  start(callback) {
    if (!hears) {
      hears = true;
      binding.onEvents(onEvents);
    }
    const { ifAvailable, signal, steal } = this.#options;
    const { promise } = this.#ended;
    // Call it from a promise reaction, so that it runs in the async context of request().
    PromisePrototypeThen(this.#answered.promise, (outcome) => this.#run(callback, outcome));
    this.#id = binding.request(this.name, this.mode === 'shared', steal, ifAvailable);
    waiting.set(this.#id, this);
    onEvents();
    if (signal === undefined) return promise;
    const onAbort = () => this.#abort(signal.reason);
    const unlisten = () => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort, { __proto__: null, once: true });
    PromisePrototypeThen(promise, unlisten, unlisten);
    return promise;
  }

  answer(outcome) {
    this.#answered.resolve(outcome);
  }

  lose(error) {
    this.#ended.reject(error);
  }

  #abort(reason) {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#giveUp();
    this.#ended.reject(reason);
  }

  #giveUp() {
    waiting.delete(this.#id);
    held.delete(this.#id);
    binding.release(this.#id);
    onEvents();
  }

  async #run(callback, outcome) {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const { name, mode } = this;
    const isGranted = outcome !== kMissed;
    const told = isGranted ? grants : misses;
    if (told.hasSubscribers) told.publish({ name, mode });
    let settle;
    let value;
    try {
      value = await callback(isGranted ? new Lock(kConstruct, name, mode) : null);
      settle = this.#ended.resolve;
    } catch (error) {
      value = error;
      settle = this.#ended.reject;
    }
    // Release the lock before settling the promise, so that the next request is granted first.
    if (isGranted) this.#giveUp();
    settle(value);
  }
}

function readOptions(value) {
  const given = toDictionary(value);
  // In the order of Web IDL, which programs can see by getters.
  const ifAvailable = !!given?.ifAvailable;
  const mode = given?.mode;
  const signal = given?.signal;
  return {
    ifAvailable,
    mode: mode === undefined ? 'exclusive' : toEnum(mode, 'mode', 'LockMode', modes),
    signal: signal === undefined ? undefined : toObject(signal, 'signal'),
    steal: !!given?.steal,
  };
}

function refuse(message) {
  throw lazyDOMException(message, 'NotSupportedError');
}

class LockManager {
  constructor(key = undefined) {
    if (key !== kConstruct) throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  async request(name, options, callback = undefined) {
    if (callback === undefined) {
      callback = options;
      options = undefined;
    }
    name = toDOMString(name);
    validateFunction(callback, 'callback');
    options = readOptions(typeof options === 'function' ? undefined : options);
    const { ifAvailable, mode, signal, steal } = options;
    validateAbortSignal(signal, 'options.signal');
    signal?.throwIfAborted();
    if (name[0] === '-') refuse('Lock name may not start with hyphen');
    if (ifAvailable && steal) refuse('ifAvailable and steal are mutually exclusive');
    if (mode === 'shared' && steal) refuse('mode: "shared" and steal are mutually exclusive');
    if (signal !== undefined && (steal || ifAvailable)) refuse('signal cannot be used with steal or ifAvailable');
    if (starts.hasSubscribers) starts.publish({ name, mode });
    let error;
    try {
      return await new LockRequest(name, options).start(callback);
    } catch (thrown) {
      error = thrown;
      throw thrown;
    } finally {
      if (ends.hasSubscribers) ends.publish({ name, mode, ifAvailable, steal, error });
    }
  }

  // As in Node: those of this thread.
  async query() {
    if (!(this instanceof LockManager)) throw new ERR_INVALID_THIS('LockManager');
    return { held: describe(held), pending: describe(waiting) };
  }
}
ObjectDefineProperties(LockManager.prototype, {
  request: kEnumerableProperty,
  query: kEnumerableProperty,
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'LockManager' },
});

function describe(requests) {
  const clientId = `node-${process.pid}-${threadId()}`;
  const list = [];
  requests.forEach(({ name, mode }) => {
    list[list.length] = { name, mode, clientId };
  });
  return list;
}

module.exports = { Lock, LockManager, locks: new LockManager(kConstruct) };
