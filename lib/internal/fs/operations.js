'use strict';
// Operations of the binding as promises: one native call, whose callback settles the promise.
//
// opN(operation, ..., convert, turns) takes N arguments after the first. `convert` turns the binding's result into the
// value of the promise. It runs in the callback, because the next operation overwrites the result of stat(). `turns` is
// for settle().

const { ErrorCaptureStackTrace, Promise, PromisePrototypeThen, PromiseResolve } = primordials;
const { kUsePromises } = internalBinding('fs');
const { bindListener, hooks } = require('internal/async_hooks');
const { kWaitingQueues, shared } = require('internal/shared');

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

// Resolves the promise of an operation. Node takes `turns` more microtasks to do so. A program can tell only if an
// exception has left microtasks in the queue, which then run in the same drain.
function settle(resolve, value, turns) {
  if (shared[kWaitingQueues] === 0) resolve(value);
  else settleLater(resolve, value, turns);
}

async function settleLater(resolve, value, turns) {
  while (turns-- > 0) await undefined;
  resolve(value);
}

function op0(operation, a, convert, turns = 1) {
  return new Promise((resolve) => {
    operation(a, settler((error, value) => {
      if (error !== null) rejectWithStack(resolve, error);
      else settle(resolve, convert === undefined ? value : convert(value), turns);
    }), kUsePromises);
  });
}

function op1(operation, a, b, convert, turns = 1) {
  return new Promise((resolve) => {
    operation(a, b, settler((error, value) => {
      if (error !== null) rejectWithStack(resolve, error);
      else settle(resolve, convert === undefined ? value : convert(value), turns);
    }), kUsePromises);
  });
}

function op2(operation, a, b, c, convert, turns = 1) {
  return new Promise((resolve) => {
    operation(a, b, c, settler((error, value) => {
      if (error !== null) rejectWithStack(resolve, error);
      else settle(resolve, convert === undefined ? value : convert(value), turns);
    }), kUsePromises);
  });
}

module.exports = { op0, op1, op2, rejectWithStack, settle, settler };
