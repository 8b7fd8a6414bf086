'use strict';
// Operations of the binding as promises: one native call, whose callback settles the promise.
//
// opN(operation, ..., convert) takes N arguments after the first. `convert` turns the binding's result into the value
// of the promise. It runs in the callback, because the next operation overwrites the result of stat().

const { ErrorCaptureStackTrace, Promise, PromisePrototypeThen, PromiseResolve } = primordials;
const { kUsePromises } = internalBinding('fs');
const { bindListener, hooks } = require('internal/async_hooks');

function noListener() {}

// Makes a callback that settles a promise visible to async_hooks and traces.
function settler(callback) {
  return hooks.active ? bindListener('FSREQPROMISE', callback, noListener) : callback;
}

function throwWithStack(error) {
  ErrorCaptureStackTrace(error, throwWithStack);
  throw error;
}

// Rejects the promise of `resolve`. Errors of the binding are created in a callback, without a stack. They get one in a
// microtask, where V8 knows the async functions that await the promise. Operations that succeed pay nothing for this.
function rejectWithStack(resolve, error) {
  const rejected = PromisePrototypeThen(PromiseResolve(), () => { throw error; });
  resolve(PromisePrototypeThen(rejected, undefined, throwWithStack));
}

function op0(operation, a, convert) {
  return new Promise((resolve) => {
    operation(a, settler((error, value) => {
      if (error !== null) rejectWithStack(resolve, error);
      else resolve(convert === undefined ? value : convert(value));
    }), kUsePromises);
  });
}

function op1(operation, a, b, convert) {
  return new Promise((resolve) => {
    operation(a, b, settler((error, value) => {
      if (error !== null) rejectWithStack(resolve, error);
      else resolve(convert === undefined ? value : convert(value));
    }), kUsePromises);
  });
}

function op2(operation, a, b, c, convert) {
  return new Promise((resolve) => {
    operation(a, b, c, settler((error, value) => {
      if (error !== null) rejectWithStack(resolve, error);
      else resolve(convert === undefined ? value : convert(value));
    }), kUsePromises);
  });
}

module.exports = { op0, op1, op2, rejectWithStack, settler };
