'use strict';

// navigator.locks: Web Locks, by which the threads of a process take turns. The native table decides which request gets
// its lock, and says so in events; here each request waits for its own.

const {
  ArrayPrototypePushApply,
  ArrayPrototypeShift,
  ObjectDefineProperties,
  PromisePrototypeThen,
  PromiseResolve,
  PromiseWithResolvers,
  SafeMap,
  Symbol,
  SymbolToStringTag,
} = primordials;

const binding = internalBinding('locks');
const { threadId } = internalBinding('worker');
const { channel } = require('diagnostics_channel');
const { getFrame, setFrame } = require('internal/async_hooks');
const { codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS } } = require('internal/errors');
const { kEnumerableProperty, lazyDOMException } = require('internal/util');
const { isPromise } = require('internal/util/types');
const { queueMicrotask } = require('internal/process/task_queues');
const { validateAbortSignal, validateFunction } = require('internal/validators');
const { toDOMString, toDictionary, toEnum, toObject } = require('internal/webidl');

const starts = channel('locks.request.start');
const grants = channel('locks.request.grant');
const misses = channel('locks.request.miss');
const ends = channel('locks.request.end');

// LockTable::Outcome in src/base/threads/lock_table.h.
const kGranted = 0;
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
let listens = false;

// Events that were taken and not handled yet. A callback may ask for a lock in turn: the older events come first then.
const events = [];

function onEvents() {
  ArrayPrototypePushApply(events, binding.take());
  while (events.length !== 0) {
    const outcome = ArrayPrototypeShift(events);
    const id = ArrayPrototypeShift(events);
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

// From asking for a lock until it is given back. The callback is called as soon as the lock is granted: before start()
// returns, if the lock is free.
class LockRequest {
  #id;
  #options;
  #callback;
  #frame = getFrame();
  // Settles when the request is over.
  #ended = PromiseWithResolvers();

  constructor(name, options, callback) {
    this.name = name;
    this.mode = options.mode;
    this.#options = options;
    this.#callback = callback;
  }

  start() {
    if (!listens) {
      listens = true;
      binding.onEvents(onEvents);
    }
    const { ifAvailable, steal } = this.#options;
    this.#id = binding.request(this.name, this.mode === 'shared', steal, ifAvailable);
    waiting.set(this.#id, this);
    onEvents();
    return this.#ended.promise;
  }

  // The lock was granted or missed. The callback runs in the async context of request().
  answer(outcome) {
    const isGranted = outcome === kGranted;
    const outer = getFrame();
    setFrame(this.#frame);
    let value;
    try {
      value = this.#callback(isGranted);
    } catch (error) {
      this.#end(isGranted, this.#ended.reject, error);
      return;
    } finally {
      setFrame(outer);
    }
    if (!isPromise(value)) {
      this.#end(isGranted, this.#ended.resolve, value);
      return;
    }
    PromisePrototypeThen(value,
      (result) => this.#end(isGranted, this.#ended.resolve, result),
      (error) => this.#end(isGranted, this.#ended.reject, error));
  }

  lose(error) {
    this.#ended.reject(error);
  }

  // A request that waits no longer, or a lock that is not wanted any more. The next callback runs in a microtask, since
  // this is called from where the program aborts a signal.
  withdraw() {
    this.#forget();
    queueMicrotask(onEvents);
  }

  #forget() {
    waiting.delete(this.#id);
    held.delete(this.#id);
    binding.release(this.#id);
  }

  #end(isGranted, settle, value) {
    settle(value);
    if (!isGranted) return;
    this.#forget();
    onEvents();
  }
}

function publish(to, message) {
  if (to.hasSubscribers) to.publish(message);
}

// A request that the signal can end while it waits. The callback begins in a microtask after the lock was granted.
function requestWithSignal(name, options, callback) {
  const { ifAvailable, mode, signal, steal } = options;
  const { promise, reject, resolve } = PromiseWithResolvers();
  let hasBegun = false;
  const request = new LockRequest(name, options, () => PromisePrototypeThen(PromiseResolve(), () => {
    if (signal.aborted) return undefined;
    hasBegun = true;
    publish(grants, { name, mode });
    return callback(new Lock(kConstruct, name, mode));
  }));
  const onAbort = () => {
    if (hasBegun) return;
    request.withdraw();
    reject(signal.reason);
  };
  signal.addEventListener('abort', onAbort, { __proto__: null, once: true });
  const end = (settle, value, error) => {
    signal.removeEventListener('abort', onAbort);
    publish(ends, { name, mode, ifAvailable, steal, error });
    settle(value);
  };
  PromisePrototypeThen(request.start(), (value) => end(resolve, value), (error) => end(reject, error, error));
  return promise;
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
    publish(starts, { name, mode });
    if (signal !== undefined) return requestWithSignal(name, options, callback);
    const request = new LockRequest(name, options, (isGranted) => {
      publish(isGranted ? grants : misses, { name, mode });
      return callback(isGranted ? new Lock(kConstruct, name, mode) : null);
    });
    let error;
    try {
      return await request.start();
    } catch (thrown) {
      error = thrown;
      throw thrown;
    } finally {
      publish(ends, { name, mode, ifAvailable, steal, error });
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
