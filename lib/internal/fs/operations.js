'use strict';
// Operations of the binding as promises: one call into native code, whose callback settles the promise.
//
// opN(operation, ..., convert): N is the number of arguments after the first; `convert` makes the value of what the binding
// gave. It runs in the callback, as what stat() gives is overwritten by the next operation.

const { ErrorCaptureStackTrace, Promise, PromisePrototypeThen, PromiseResolve } = primordials;
const { bindListener, hooks } = require('internal/async_hooks');

function noListener() {}

// The callback of an operation that settles a promise, as hooks and traces know it.
function settler(callback) {
  return hooks.active ? bindListener('FSREQPROMISE', callback, noListener) : callback;
}

function throwWithStack(error) {
  ErrorCaptureStackTrace(error, throwWithStack);
  throw error;
}

// Rejects the promise that `resolve` belongs to. An error of the binding is made in a callback, where there is no stack: it
// gets one in a microtask, as V8 knows there which async functions wait for the promise. Operations that succeed pay nothing.
function rejectWithStack(resolve, error) {
  const rejected = PromisePrototypeThen(PromiseResolve(), () => { throw error; });
  resolve(PromisePrototypeThen(rejected, undefined, throwWithStack));
}

function op0(operation, a, convert) {
  return new Promise((resolve) => {
    operation(a, settler((error, value) => {
      if (error !== null) rejectWithStack(resolve, error);
      else resolve(convert === undefined ? value : convert(value));
    }));
  });
}

function op1(operation, a, b, convert) {
  return new Promise((resolve) => {
    operation(a, b, settler((error, value) => {
      if (error !== null) rejectWithStack(resolve, error);
      else resolve(convert === undefined ? value : convert(value));
    }));
  });
}

function op2(operation, a, b, c, convert) {
  return new Promise((resolve) => {
    operation(a, b, c, settler((error, value) => {
      if (error !== null) rejectWithStack(resolve, error);
      else resolve(convert === undefined ? value : convert(value));
    }));
  });
}

module.exports = { op0, op1, op2, rejectWithStack, settler };
