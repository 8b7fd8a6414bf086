'use strict';
// node:timers, and the globals setTimeout, setInterval and setImmediate.
const { ObjectDefineProperties, SafeArrayIterator } = primordials;
const {
  Timeout,
  insertNew,
  clearTimeout,
} = require('internal/timers');
const { Immediate, clearImmediate } = require('internal/timers/immediates');
const { validateFunction } = require('internal/validators');
const { promisify } = require('internal/util');

let promises; // The module `timers/promises`, loaded on first use.
function lazyPromises() {
  return promises ??= require('timers/promises');
}

// The arguments from the third on, or undefined if there are none.
function rest(args) {
  const count = args.length;
  if (count <= 2) return undefined;
  const extra = [];
  for (let i = 2; i < count; i++) extra[i - 2] = args[i];
  return extra;
}

function setTimeout(callback, after) {
  validateFunction(callback, 'callback');
  const timer = new Timeout(callback, after, rest(arguments), false, true);
  insertNew(timer);
  return timer;
}

function setInterval(callback, repeat) {
  validateFunction(callback, 'callback');
  const timer = new Timeout(callback, repeat, rest(arguments), true, true);
  insertNew(timer);
  return timer;
}

function clearInterval(timer) {
  clearTimeout(timer);
}

function setImmediate(callback, a, b, c) {
  validateFunction(callback, 'callback');
  let args;
  switch (arguments.length) {
    case 1: break;
    case 2: args = [a]; break;
    case 3: args = [a, b]; break;
    case 4: args = [a, b, c]; break;
    default:
      args = [];
      for (let i = 1; i < arguments.length; i++) args[i - 1] = arguments[i];
  }
  return new Immediate(callback, args);
}

// Arguments for the callback are not counted in `length`.
ObjectDefineProperties(setImmediate, { length: { __proto__: null, value: 1, configurable: true } });

for (const { 0: owner, 1: name } of new SafeArrayIterator([
  [setTimeout, 'setTimeout'], [setImmediate, 'setImmediate'],
])) {
  ObjectDefineProperties(owner, {
    __proto__: null,
    [promisify.custom]: {
      __proto__: null,
      enumerable: true,
      get() { return lazyPromises()[name]; },
    },
  });
}

module.exports = {
  setTimeout,
  clearTimeout,
  setImmediate,
  clearImmediate,
  setInterval,
  clearInterval,
};
ObjectDefineProperties(module.exports, {
  promises: { __proto__: null, configurable: true, enumerable: true, get: lazyPromises },
});
