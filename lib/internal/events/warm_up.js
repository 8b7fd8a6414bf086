'use strict';

// Runs while the snapshot is made, so that it contains the bytecode for common uses of events and for errors about
// arguments.

const EventEmitter = require('events');
const { codes } = require('internal/errors');
const validators = require('internal/validators');
// Loaded, but not run, because running them would use up async ids.
require('internal/async_context/storage');
require('internal/async_context/hooks');

function warmEmitter() {
  class Sub extends EventEmitter {}
  for (const emitter of [new EventEmitter(), new Sub()]) {
    const listener = () => {};
    const other = () => {};
    emitter.on('newListener', other);
    emitter.on('removeListener', other);
    emitter.on('x', listener);
    emitter.emit('x');
    emitter.emit('x', 1);
    emitter.once('x', other);
    emitter.prependListener('x', other);
    emitter.prependOnceListener('y', other);
    emitter.emit('x', 1, 2, 3);
    emitter.emit('y', 1, 2, 3, 4);
    emitter.listeners('x');
    emitter.rawListeners('x');
    emitter.listenerCount('x');
    emitter.eventNames();
    emitter.setMaxListeners(emitter.getMaxListeners());
    emitter.off('x', listener);
    emitter.off('x', other);
    emitter.on('error', listener);
    emitter.emit('error', undefined);
    emitter.removeAllListeners('newListener');
    emitter.removeAllListeners();
  }
}

function warmErrors() {
  const attempts = [
    () => validators.validateString(1, 'name'),
    () => validators.validateFunction('text', 'options.name'),
    () => validators.validateInteger(1.5, 'name', 0, 1),
    () => validators.validateNumber(-1, 'name', 0),
    () => validators.validateOneOf('x', 'name', ['a', 1]),
    () => validators.validateObject(null, 'name'),
    () => validators.validateBoolean({}, 'name'),
    () => {
      throw new codes.ERR_INVALID_ARG_TYPE('name', ['string', 'Buffer', 'URL'], undefined);
    },
  ];
  for (const attempt of attempts) {
    try {
      attempt();
    } catch (error) {
      if (error.code === undefined) throw error;
    }
  }
}

warmEmitter();
warmErrors();
