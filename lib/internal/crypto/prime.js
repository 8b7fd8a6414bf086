'use strict';

// generatePrime() and checkPrime().

const { ArrayBufferIsView, BigInt, BigIntPrototypeToString } = primordials;

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE },
} = require('internal/errors');
const { bindCallback } = require('internal/async_hooks');
const { FastBuffer } = require('internal/buffer/fast');
const { fromString } = require('internal/buffer/create');
const { hasFlag } = require('internal/options');
const { kEmptyObject } = require('internal/util');
const { isAnyArrayBuffer } = require('internal/util/types');
const { validateBoolean, validateFunction, validateInt32, validateObject } = require('internal/validators');
const { randomBytes } = require('internal/crypto/random');

const binding = internalBinding('crypto_prime');

const kinds = ['ArrayBuffer', 'TypedArray', 'Buffer', 'DataView', 'bigint'];

// Returns a number, given as bytes or as a BigInt, as bytes with the most significant first.
function bytesOf(value, name) {
  if (typeof value === 'bigint') {
    if (value < 0n) throw new ERR_OUT_OF_RANGE(name, '>= 0', value);
    const hex = BigIntPrototypeToString(value, 16);
    return fromString(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  }
  if (!isAnyArrayBuffer(value) && !ArrayBufferIsView(value)) throw new ERR_INVALID_ARG_TYPE(name, kinds, value);
  return value;
}

function toBigInt(bytes) {
  return BigInt(`0x${new FastBuffer(bytes).hexSlice()}`);
}

// With --seed, the search starts at random bytes that depend on the seed, so the prime does, too.
function startOf(size) {
  return hasFlag('seed') ? randomBytes((size + 7) >>> 3) : undefined;
}

function readOptions(options) {
  validateObject(options, 'options');
  const { safe = false, bigint = false, add, rem } = options;
  validateBoolean(safe, 'options.safe');
  validateBoolean(bigint, 'options.bigint');
  return {
    safe,
    bigint,
    add: add === undefined ? undefined : bytesOf(add, 'options.add'),
    rem: rem === undefined ? undefined : bytesOf(rem, 'options.rem'),
  };
}

// Returns the callback for native code. As in Node, the error argument is undefined on success.
function whenDone(type, callback, convert) {
  const bound = bindCallback(type, callback);
  return (isDone, result) => {
    if (isDone) bound(undefined, convert(result));
    else bound(result);
  };
}

const same = (value) => value;

function generatePrime(size, options, callback) {
  validateInt32(size, 'size', 1);
  if (typeof options === 'function') {
    callback = options;
    options = kEmptyObject;
  }
  validateFunction(callback, 'callback');
  const { safe, bigint, add, rem } = readOptions(options);
  binding.generate(
    size, safe, add, rem, startOf(size), whenDone('RANDOMPRIMEREQUEST', callback, bigint ? toBigInt : same));
}

function generatePrimeSync(size, options = kEmptyObject) {
  validateInt32(size, 'size', 1);
  const { safe, bigint, add, rem } = readOptions(options);
  const prime = binding.generate(size, safe, add, rem, startOf(size));
  return bigint ? toBigInt(prime) : prime;
}

function readChecks(options) {
  validateObject(options, 'options');
  const { checks = 0 } = options;
  validateInt32(checks, 'options.checks', 0);
  return checks + 0; // Turns -0 into 0.
}

function checkPrime(candidate, options = kEmptyObject, callback) {
  candidate = bytesOf(candidate, 'candidate');
  if (typeof options === 'function') {
    callback = options;
    options = kEmptyObject;
  }
  validateFunction(callback, 'callback');
  binding.check(candidate, readChecks(options), whenDone('CHECKPRIMEREQUEST', callback, same));
}

function checkPrimeSync(candidate, options = kEmptyObject) {
  candidate = bytesOf(candidate, 'candidate');
  return binding.check(candidate, readChecks(options));
}

module.exports = { checkPrime, checkPrimeSync, generatePrime, generatePrimeSync };
