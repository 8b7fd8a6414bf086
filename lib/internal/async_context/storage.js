'use strict';
// AsyncLocalStorage: values that follow a chain of callbacks and promises. What all storages hold at one moment is a frame:
// a list of storage, value, storage, value..., which is never changed, only replaced. Promises carry it by themselves; who
// queues a callback keeps the frame and puts it back around the call.

const { ObjectIs, ReflectApply, Symbol } = primordials;

const core = require('internal/async_hooks');
const { AsyncResource } = require('internal/async_context/resource');

function lookUp(frame, storage) {
  if (frame === undefined) return undefined;
  if (frame[0] === storage) return frame[1];
  for (let i = 2; i < frame.length; i += 2) {
    if (frame[i] === storage) return frame[i + 1];
  }
  return undefined;
}

// The frame with `value` for `storage`, first, as who was set last is asked for most.
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

class AsyncLocalStorage {
  constructor() {
    this.kResourceStore = Symbol('kResourceStore');
    this.enabled = false;
  }

  static bind(fn) {
    return AsyncResource.bind(fn);
  }

  static snapshot() {
    return AsyncLocalStorage.bind((cb, ...args) => cb(...args));
  }

  disable() {
    this.enabled = false;
  }

  _enable() {
    this.enabled = true;
    if (core.hooks.usesFrames) return;
    core.useFrames();
    require('internal/async_context/hooks').refreshPromiseHooks();
  }

  enterWith(store) {
    this._enable();
    core.setFrame(withValue(core.getFrame(), this, store));
    core.entered.count++;
  }

  // Puts back what this storage held. Others may have been entered meanwhile, which outlasts this.
  #leave(frame, count, before) {
    if (core.entered.count === count) {
      core.leaveFrame(frame, before);
    } else {
      core.setFrame(withValue(core.getFrame(), this, lookUp(frame, this)));
    }
  }

  run(store, callback, ...args) {
    const frame = core.getFrame();
    if (ObjectIs(store, this.enabled ? lookUp(frame, this) : undefined)) return ReflectApply(callback, null, args);
    this._enable();
    const { count } = core.entered;
    const before = core.enterFrame(withValue(frame, this, store));
    try {
      return ReflectApply(callback, null, args);
    } finally {
      this.#leave(frame, count, before);
    }
  }

  exit(callback, ...args) {
    if (!this.enabled) return ReflectApply(callback, null, args);
    const frame = core.getFrame();
    const { count } = core.entered;
    const before = core.enterFrame(withValue(frame, this, undefined));
    try {
      return ReflectApply(callback, null, args);
    } finally {
      this.#leave(frame, count, before);
    }
  }

  getStore() {
    return this.enabled ? lookUp(core.getFrame(), this) : undefined;
  }
}

module.exports = { AsyncLocalStorage };
