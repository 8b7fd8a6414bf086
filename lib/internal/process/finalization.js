'use strict';
// process.finalization: functions that are called with an object at exit, unless the object was collected before.

const { SafeFinalizationRegistry, SafeSet, SafeWeakRef } = primordials;
const { emitExperimentalWarning } = require('internal/util');
const { validateObject, kValidateObjectAllowFunction } = require('internal/validators');

const events = ['exit', 'beforeExit'];

function makeFinalization() {
  const entries = { __proto__: null, exit: new SafeSet(), beforeExit: new SafeSet() };
  let registry;

  const listeners = { __proto__: null, exit: () => callAll('exit'), beforeExit: () => callAll('beforeExit') };

  function callAll(event) {
    entries[event].forEach(({ reference, call }) => {
      const object = reference.deref();
      if (object !== undefined) call(object, event);
    });
    entries[event].clear();
  }

  function remove(event, entry) {
    if (entries[event].delete(entry) && entries[event].size === 0) process.off(event, listeners[event]);
  }

  function add(event, object, call) {
    if (entries[event].size === 0) process.on(event, listeners[event]);
    const entry = { reference: new SafeWeakRef(object), call };
    registry ??= new SafeFinalizationRegistry((gone) => {
      for (let i = 0; i < events.length; i++) remove(events[i], gone);
    });
    registry.register(object, entry, object);
    entries[event].add(entry);
  }

  return {
    register(obj, fn) {
      emitExperimentalWarning('process.finalization.register');
      validateObject(obj, 'obj', kValidateObjectAllowFunction);
      add('exit', obj, fn);
    },
    registerBeforeExit(obj, fn) {
      emitExperimentalWarning('process.finalization.registerBeforeExit');
      validateObject(obj, 'obj', kValidateObjectAllowFunction);
      add('beforeExit', obj, fn);
    },
    unregister(obj) {
      emitExperimentalWarning('process.finalization.unregister');
      if (registry === undefined) return;
      registry.unregister(obj);
      for (let i = 0; i < events.length; i++) {
        entries[events[i]].forEach((entry) => {
          const object = entry.reference.deref();
          if (object === undefined || object === obj) remove(events[i], entry);
        });
      }
    },
  };
}

module.exports = { makeFinalization };
