'use strict';
// The process object. internal/process/pre_execution adds the properties that depend on the
// environment at start.
const {
  ArrayPrototypeForEach,
  ObjectCreate,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptors,
  ObjectSetPrototypeOf,
  SafeArrayIterator,
  SymbolToStringTag,
} = primordials;
const EventEmitter = require('events');

// The class `process` between the process object and EventEmitter, visible in inspect() and to instanceof.
const proto = ObjectCreate(EventEmitter.prototype, {
  constructor: {
    __proto__: null,
    value: { process: function() {} }.process,
    enumerable: false,
    writable: true,
    configurable: true,
  },
});
// `process instanceof process.constructor` holds.
proto.constructor.prototype = proto;
ObjectSetPrototypeOf(process, proto);
ObjectDefineProperty(process, SymbolToStringTag, {
  __proto__: null, value: 'process', enumerable: false, writable: true, configurable: false,
});
module.exports = process;

for (const part of new SafeArrayIterator([
  require('internal/process/basics'),
  require('internal/process/credentials'),
  require('internal/process/exit'),
  require('internal/process/warnings').methods,
  require('internal/process/env'),
  require('internal/process/stdio').own,
  require('internal/process/signals').methods,
])) {
  const descriptors = ObjectGetOwnPropertyDescriptors(part);
  for (const name of primordials.ReflectOwnKeys(descriptors)) {
    // Functions for lib alone are not enumerable.
    if (descriptors[name].enumerable) ObjectDefineProperty(process, name, descriptors[name]);
  }
}
ArrayPrototypeForEach(['arch', 'config', 'platform', 'release', 'version', 'versions'], (name) => {
  ObjectDefineProperty(process, name, { __proto__: null, writable: false });
});
process.nextTick = require('internal/process/task_queues').nextTick;
process.setUncaughtExceptionCaptureCallback =
  require('internal/process/execution').setUncaughtExceptionCaptureCallback;
process.addUncaughtExceptionCaptureCallback =
  require('internal/process/execution').addUncaughtExceptionCaptureCallback;
process._fatalException = require('internal/process/execution').fatalException;
process.hasUncaughtExceptionCaptureCallback =
  require('internal/process/execution').hasUncaughtExceptionCaptureCallback;
require('internal/process/signals').install(process);
// Not at start: the only emit() of a start would keep V8 from inlining the program's first listener.
process.on('warning', require('internal/process/warnings').onWarning);
// Rondo's own property, not enumerable.
ObjectDefineProperty(process, 'loop', {
  __proto__: null,
  configurable: true,
  enumerable: false,
  get() { return require('internal/loop/process_loop').loop; },
});
