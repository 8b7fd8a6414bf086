'use strict';

// EventEmitterAsyncResource: an emitter whose listeners run in the asynchronous context in which it was made.

const { ReflectApply, Symbol } = primordials;

const { codes: { ERR_INVALID_THIS } } = require('internal/errors');
const { validateString } = require('internal/validators');
const { AsyncResource } = require('internal/async_context/resource');

const kAsyncResource = Symbol('kAsyncResource');
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
  function resourceOf(self) {
    if (self[kAsyncResource] === undefined) throw new ERR_INVALID_THIS('EventEmitterAsyncResource');
    return self[kAsyncResource];
  }

  return class EventEmitterAsyncResource extends EventEmitter {
    // The name of the resource alone, or { name, triggerAsyncId, requireManualDestroy } beside the emitter's own options.
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
      this[kAsyncResource] = new EventEmitterReferencingAsyncResource(this, name, settings);
    }

    emit(event, ...args) {
      const resource = resourceOf(this);
      return ReflectApply(resource.runInAsyncScope, resource, [super.emit, this, event, ...args]);
    }

    emitDestroy() {
      resourceOf(this).emitDestroy();
    }

    get asyncId() {
      return resourceOf(this).asyncId();
    }

    get triggerAsyncId() {
      return resourceOf(this).triggerAsyncId();
    }

    get asyncResource() {
      return resourceOf(this);
    }
  };
}

module.exports = define;
