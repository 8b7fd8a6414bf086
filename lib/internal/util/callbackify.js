'use strict';

// util.callbackify(): a function that returns a promise, as one that takes a callback.

const {
  ArrayPrototypePop,
  ErrorCaptureStackTrace,
  FunctionPrototypeBind,
  ObjectDefineProperties,
  ObjectGetOwnPropertyDescriptors,
  ObjectSetPrototypeOf,
  PromisePrototypeThen,
  ReflectApply,
  ReflectOwnKeys,
} = primordials;

const { codes: { ERR_FALSY_VALUE_REJECTION } } = require('internal/errors');
const { validateFunction } = require('internal/validators');

// The first argument of the callback must not be falsy after a failure: that would mean success.
function callWithReason(reason, callback) {
  if (!reason) {
    const error = new ERR_FALSY_VALUE_REJECTION(reason);
    ErrorCaptureStackTrace(error, callWithReason);
    reason = error;
  }
  return callback(reason);
}

function callbackify(original) {
  validateFunction(original, 'original');

  function callbackified(...args) {
    const last = ArrayPrototypePop(args);
    validateFunction(last, 'last argument');
    const callback = FunctionPrototypeBind(last, this);
    // Call it in a tick, so that an exception in the callback is uncaught and not a rejection.
    const promise = ReflectApply(original, this, args);
    const onValue = (value) => process.nextTick(callback, null, value);
    const onReason = (reason) => process.nextTick(callWithReason, reason, callback);
    if (require('internal/util/types').isPromise(promise)) PromisePrototypeThen(promise, onValue, onReason);
    else promise.then(onValue, onReason);
  }

  const descriptors = ObjectGetOwnPropertyDescriptors(original);
  if (typeof descriptors.length.value === 'number') descriptors.length.value++;
  if (typeof descriptors.name.value === 'string') descriptors.name.value += 'Callbackified';
  const keys = ReflectOwnKeys(descriptors);
  for (let i = 0; i < keys.length; i++) ObjectSetPrototypeOf(descriptors[keys[i]], null);
  ObjectDefineProperties(callbackified, descriptors);
  return callbackified;
}

module.exports = { callbackify };
