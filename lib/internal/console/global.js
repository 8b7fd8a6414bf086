'use strict';

// globalThis.console. It is not created by `new Console`: as the standard requires, its prototype is an empty object
// and the methods are its own properties.

const {
  Error,
  FunctionPrototypeBind,
  ObjectAssign,
  ObjectCreate,
  ObjectDefineProperty,
  ReflectGetOwnPropertyDescriptor,
  ReflectOwnKeys,
} = primordials;

const { Console, kBindProperties, kBindStreamsLazy } = require('internal/console/constructor');

const console = ObjectCreate({});

const keys = ReflectOwnKeys(Console.prototype);
for (let i = 0; i < keys.length; i++) {
  const key = keys[i];
  if (key === 'constructor') continue;
  const descriptor = ReflectGetOwnPropertyDescriptor(Console.prototype, key);
  if (typeof descriptor.value === 'function') {
    descriptor.value = FunctionPrototypeBind(descriptor.value, console);
    // The standard requires that their length is 0.
    if (typeof key === 'string') {
      ObjectDefineProperty(descriptor.value, 'name', { __proto__: null, value: key });
      ObjectDefineProperty(descriptor.value, 'length', { __proto__: null, value: 0 });
    }
  }
  ObjectDefineProperty(console, key, { __proto__: null, ...descriptor });
}
console[kBindProperties](true, 'auto');
console.Console = Console;

// Methods for a debugger, which do nothing here. A task only runs its function.
const forDebuggers = {
  profile() {},
  profileEnd() {},
  timeStamp() {},
  context(name) { return ObjectAssign({}, forDebuggers); },
  createTask(...args) {
    if (typeof args[0] !== 'string' || args[0] === '') throw new Error('First argument must be a non-empty string.');
    return {
      run(fn) {
        if (typeof fn !== 'function') throw new Error('First argument must be a function.');
        return fn();
      },
    };
  },
};
ObjectAssign(console, forDebuggers);

console[kBindStreamsLazy]({
  get stdout() { return process.stdout; },
  get stderr() { return process.stderr; },
});

module.exports = console;
