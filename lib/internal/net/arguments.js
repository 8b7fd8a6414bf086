'use strict';
// The ways in which connect() and listen() can be called, brought into one form.

const { Number, NumberParseInt, Symbol } = primordials;

const { getFlag, hasFlag } = require('internal/options');
const { validateAbortSignal, validateBoolean, validateInt32 } = require('internal/validators');

const normalizedArgsSymbol = Symbol('normalizedArgs');

// A number that a port, a backlog or a descriptor can be; false for anything else.
function toNumber(value) {
  const number = Number(value);
  return number >= 0 ? number : false;
}

function isPipeName(value) {
  return typeof value === 'string' && toNumber(value) === false;
}

// (options[, cb]), (path[, cb]) or (port[, host][, cb]) as [options, cb or null].
function normalizeArgs(args) {
  let options = {};
  let callback = null;
  if (args.length > 0) {
    const first = args[0];
    if (typeof first === 'object' && first !== null) {
      options = first;
    } else if (isPipeName(first)) {
      options.path = first;
    } else {
      options.port = first;
      if (args.length > 1 && typeof args[1] === 'string') options.host = args[1];
    }
    const last = args[args.length - 1];
    if (typeof last === 'function') callback = last;
  }
  const result = [options, callback];
  result[normalizedArgsSymbol] = true;
  return result;
}

// Defaults of autoSelectFamily and autoSelectFamilyAttemptTimeout, in milliseconds. They are undefined until first use,
// when the command line options are read: this file is part of the snapshot.
const kLeastAttemptTimeout = 10;
const kAttemptTimeout = 500;
let autoSelectFamily;
let attemptTimeout;

function getDefaultAutoSelectFamily() {
  autoSelectFamily ??= !hasFlag('no-network-family-autoselection');
  return autoSelectFamily;
}

function setDefaultAutoSelectFamily(value) {
  validateBoolean(value, 'value');
  autoSelectFamily = value;
}

function getDefaultAutoSelectFamilyAttemptTimeout() {
  attemptTimeout ??= NumberParseInt(getFlag('network-family-autoselection-attempt-timeout') ?? kAttemptTimeout, 10) ||
    0;
  return attemptTimeout;
}

function setDefaultAutoSelectFamilyAttemptTimeout(value) {
  validateInt32(value, 'value', 1);
  attemptTimeout = value < kLeastAttemptTimeout ? kLeastAttemptTimeout : value;
}

// Calls `onAbort` once, when `options.signal` is aborted; never from inside this call.
function onAbortSignal(options, onAbort) {
  const { signal } = options;
  if (signal === undefined) return;
  validateAbortSignal(signal, 'options.signal');
  if (signal.aborted) {
    process.nextTick(onAbort);
    return;
  }
  return require('events').addAbortListener(signal, onAbort);
}

module.exports = {
  getDefaultAutoSelectFamily,
  getDefaultAutoSelectFamilyAttemptTimeout,
  isPipeName,
  kLeastAttemptTimeout,
  normalizeArgs,
  normalizedArgsSymbol,
  onAbortSignal,
  setDefaultAutoSelectFamily,
  setDefaultAutoSelectFamilyAttemptTimeout,
  toNumber,
};
