'use strict';

// navigator.locks: Web Locks between the threads of a process. The native table decides which request gets its lock and
// reports it as an event; this file delivers each event to its request.

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

const { kGranted, kStolen } = binding;

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

// Events that are not handled yet. A callback may request a lock in turn; older events are handled first.
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
    // The request may have been withdrawn meanwhile.
    if (request === undefined) continue;
    if (outcome === kGranted) held.set(id, request);
    request.answer(outcome);
  }
}

// A lock request, until the lock is released. The callback is called as soon as the lock is granted: before start()
// returns, if the lock is free.
class LockRequest {
  #id;
  #options;
  #callback;
  #frame = getFrame();
  // Settles when the request has ended.
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

  // Called when the lock was granted or refused. The callback runs in the async context of request().
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

  // Cancels a pending request, or releases a granted lock that is no longer needed. The next callback runs in a
  // microtask, because this is called while the program aborts a signal.
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

// Requests a lock with a signal, which can cancel the request while it is pending. The callback runs in a microtask
// after the lock was granted.
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
  // Read in the order of Web IDL, which programs can observe with getters.
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

  // As in Node, lists only the locks of this thread.
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
