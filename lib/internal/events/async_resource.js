'use strict';

// EventEmitterAsyncResource: an emitter whose listeners run in the async context in which the emitter was created.

const { ArrayPrototypeUnshift, ReflectApply, Symbol } = primordials;

const { codes: { ERR_INVALID_THIS } } = require('internal/errors');
const { validateString } = require('internal/validators');
const { AsyncResource } = require('internal/async_context/resource');

const kEventEmitter = Symbol('kEventEmitter');

class EventEmitterReferencingAsyncResource extends AsyncResource {
  constructor(emitter, type, options) {
    super(type, options);
    this[kEventEmitter] = emitter;
  }

  get eventEmitter() {
    if (this[kEventEmitter] === undefined) throw new ERR_INVALID_THIS('EventEmitterReferencingAsyncResource');
    return this[kEventEmitter];
  }
}

function define(EventEmitter) {
  return class EventEmitterAsyncResource extends EventEmitter {
    #asyncResource;

    // `options` is the name of the resource, or { name, triggerAsyncId, requireManualDestroy } with the options of the
    // emitter.
    constructor(options = undefined) {
      let name;
      let settings = options;
      if (typeof options === 'string') {
        name = options;
        settings = undefined;
      } else {
        if (new.target === EventEmitterAsyncResource) validateString(options?.name, 'options.name');
        name = options?.name || new.target.name;
      }
      super(settings);
      this.#asyncResource = new EventEmitterReferencingAsyncResource(this, name, settings);
    }

    emit(event, ...args) {
      const resource = this.#asyncResource;
      ArrayPrototypeUnshift(args, super.emit, this, event);
      return ReflectApply(resource.runInAsyncScope, resource, args);
    }

    emitDestroy() {
      this.#asyncResource.emitDestroy();
    }

    get asyncId() {
      return this.#asyncResource.asyncId();
    }

    get triggerAsyncId() {
      return this.#asyncResource.triggerAsyncId();
    }

    get asyncResource() {
      return this.#asyncResource;
    }
  };
}

module.exports = define;
