'use strict';
// The module `timers`, and what the globals setTimeout, setInterval and setImmediate are.
const { ObjectDefineProperties } = primordials;
const {
  TIMEOUT_MAX,
  Timeout,
  insertNew,
  insertGuarded,
  clearTimeout,
  unenroll,
} = require('internal/timers');
const { Immediate, clearImmediate } = require('internal/timers/immediates');
const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { promisify, deprecate } = require('internal/util');

let promises; // `timers/promises`, which few programs need.
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

function setTimeout(callback, after, a, b, c) { // As many as Node's `length` says.
  validateFunction(callback, 'callback');
  const timer = new Timeout(callback, after, rest(arguments), false, true);
  insertNew(timer);
  return timer;
}

function setInterval(callback, repeat, a, b, c) {
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

for (const [owner, name] of [[setTimeout, 'setTimeout'], [setImmediate, 'setImmediate']]) {
  ObjectDefineProperties(owner, {
    __proto__: null,
    [promisify.custom]: {
      __proto__: null,
      enumerable: true,
      get() { return lazyPromises()[name]; },
    },
  });
}

// The old way: any object can be a timer, whose _onTimeout is called.
function enroll(item, msecs) {
  const { validateNumber } = require('internal/validators');
  validateNumber(msecs, 'msecs');
  if (!(msecs >= 0 && msecs < Infinity)) {
    throw new ERR_OUT_OF_RANGE('msecs', 'a non-negative finite number', msecs);
  }
  if (msecs > TIMEOUT_MAX) {
    process.emitWarning(`${msecs} does not fit into a 32-bit signed integer.\nTimer duration was truncated to ${TIMEOUT_MAX}.`,
      'TimeoutOverflowWarning');
    msecs = TIMEOUT_MAX;
  }
  if (item._idleNext) unenroll(item);
  item._idleTimeout = msecs;
  item._idleNext = null;
  item._idlePrev = null;
}

function active(item) {
  insertGuarded(item, true);
}

function unrefActive(item) {
  insertGuarded(item, false);
}

module.exports = {
  setTimeout,
  clearTimeout,
  setImmediate,
  clearImmediate,
  setInterval,
  clearInterval,
  _unrefActive: deprecate(unrefActive,
    'timers._unrefActive() is deprecated. Please use timeout.refresh() instead.', 'DEP0127'),
  active: deprecate(active, 'timers.active() is deprecated. Please use timeout.refresh() instead.', 'DEP0126'),
  enroll: deprecate(enroll, 'timers.enroll() is deprecated. Please use setTimeout instead.', 'DEP0095'),
  unenroll: deprecate(unenroll, 'timers.unenroll() is deprecated. Please use clearTimeout instead.', 'DEP0096'),
};
ObjectDefineProperties(module.exports, {
  promises: { __proto__: null, configurable: true, enumerable: true, get: lazyPromises },
});
