'use strict';
// AsyncLocalStorage: values that follow a chain of callbacks and promises. A frame holds the values of all storages as
// a list of storage, value, storage, value..., and is immutable. Promises carry their frame; code that queues a
// callback must keep the frame and set it around the call.

const { ArrayPrototypeSplice, ArrayPrototypeUnshift, ObjectIs, ReflectApply } = primordials;

const core = require('internal/async_hooks');
const { AsyncResource } = require('internal/async_context/resource');
const { SymbolDispose, kEmptyObject } = require('internal/util');
const { validateObject } = require('internal/validators');

function lookUp(frame, storage, defaultValue) {
  if (frame === undefined) return defaultValue;
  if (frame[0] === storage) return frame[1];
  for (let i = 2; i < frame.length; i += 2) {
    if (frame[i] === storage) return frame[i + 1];
  }
  return defaultValue;
}

// Returns a frame with `value` for `storage`. The new pair comes first, because the storage set last is read most
// often.
function withValue(frame, storage, value) {
  const result = [storage, value];
  if (frame !== undefined) {
    for (let i = 0; i < frame.length; i += 2) {
      if (frame[i] === storage) continue;
      result[result.length] = frame[i];
      result[result.length] = frame[i + 1];
    }
  }
  return result;
}

// Returned by withScope(): the storage has the new value until the scope is disposed.
class RunScope {
  #storage;
  #previous;
  #isDisposed = false;

  constructor(storage, store) {
    this.#storage = storage;
    this.#previous = storage.getStore();
    storage.enterWith(store);
  }

  dispose() {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#storage.enterWith(this.#previous);
  }

  [SymbolDispose]() {
    this.dispose();
  }
}

class AsyncLocalStorage {
  #defaultValue;
  #name;
  #isUsed = false;

  constructor(options = kEmptyObject) {
    validateObject(options, 'options');
    this.#defaultValue = options.defaultValue;
    if (options.name !== undefined) this.#name = `${options.name}`;
  }

  get name() {
    return this.#name || '';
  }

  static bind(fn) {
    return AsyncResource.bind(fn);
  }

  static snapshot() {
    return AsyncLocalStorage.bind((cb, ...args) => ReflectApply(cb, undefined, args));
  }

  // Changes the frame itself, as in Node: all code that shares the frame loses the value, too.
  disable() {
    const frame = core.getFrame();
    if (frame === undefined) return;
    for (let i = 0; i < frame.length; i += 2) {
      if (frame[i] === this) {
        ArrayPrototypeSplice(frame, i, 2);
        core.entered.count++; // Leaving an active scope now restores only its own value.
        return;
      }
    }
  }

  #use() {
    this.#isUsed = true;
    if (core.hooks.usesFrames) return;
    core.useFrames();
    require('internal/async_context/hooks').refreshPromiseHooks();
  }

  enterWith(store) {
    if (!this.#isUsed) this.#use();
    core.setFrame(withValue(core.getFrame(), this, store));
    core.entered.count++;
  }

  // Restores the previous value of this storage. Values that other storages entered meanwhile are kept.
  #leave(frame, count, before) {
    if (core.entered.count === count) {
      core.leaveFrame(frame, before);
    } else {
      core.setFrame(withValue(core.getFrame(), this, lookUp(frame, this, this.#defaultValue)));
    }
  }

  run(store, callback, ...args) {
    const frame = core.getFrame();
    if (ObjectIs(store, lookUp(frame, this, this.#defaultValue))) return ReflectApply(callback, null, args);
    if (!this.#isUsed) this.#use();
    const { count } = core.entered;
    const before = core.enterFrame(withValue(frame, this, store));
    try {
      return ReflectApply(callback, null, args);
    } finally {
      this.#leave(frame, count, before);
    }
  }

  exit(callback, ...args) {
    ArrayPrototypeUnshift(args, undefined, callback);
    return ReflectApply(this.run, this, args);
  }

  getStore() {
    return lookUp(core.getFrame(), this, this.#defaultValue);
  }

  withScope(store) {
    return new RunScope(this, store);
  }
}

module.exports = { AsyncLocalStorage };
