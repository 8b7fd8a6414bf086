'use strict';

// createSlidingWindowHistogram(): a histogram of only the latest values. They are in chunks; the oldest chunk is
// cleared and reused after some time, or after a number of values.

const { MathFloor, MathMin, Symbol } = primordials;

const { codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_VALUE, ERR_INVALID_THIS } } = require('internal/errors');
const { validateInteger, validateObject } = require('internal/validators');
const { checkValue, makeReadOnly, validateRange } = require('internal/histogram');
const { Hdr } = require('internal/perf/hdr');
const { now } = internalBinding('clock');

const kConstruct = Symbol('kConstruct');
const kMostChunks = 1024;
const kLongestChunk = 18_446_744_073_709;

class SlidingWindowHistogram {
  #range;
  #chunks = [];
  #current = 0;
  // True if #limit is in milliseconds; otherwise it is a number of values.
  #isTimed;
  #limit;
  #begun = 0;
  #recorded = 0;

  constructor(key = undefined, range = undefined, count = 0, isTimed = false, limit = 0) {
    if (key !== kConstruct) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this.#range = range;
    for (let i = 0; i < count; i++) this.#chunks[i] = new Hdr(range);
    this.#isTimed = isTimed;
    this.#limit = limit;
    this.#begun = now();
  }

  #rotate(steps) {
    const { length } = this.#chunks;
    for (let i = 0; i < MathMin(steps, length); i++) {
      this.#current = (this.#current + 1) % length;
      this.#chunks[this.#current].reset();
    }
    this.#recorded = 0;
  }

  // Drops chunks whose time has passed, even if no values were recorded meanwhile.
  #advance() {
    if (!this.#isTimed) return;
    const steps = MathFloor((now() - this.#begun) / this.#limit);
    if (steps <= 0) return;
    this.#begun += steps * this.#limit;
    this.#rotate(steps);
  }

  record(val) {
    if (!(#chunks in this)) throw new ERR_INVALID_THIS('SlidingWindowHistogram');
    const value = checkValue(val);
    this.#advance();
    if (!this.#isTimed && this.#recorded >= this.#limit) this.#rotate(1);
    this.#recorded++;
    this.#chunks[this.#current].record(value);
  }

  snapshot() {
    if (!(#chunks in this)) throw new ERR_INVALID_THIS('SlidingWindowHistogram');
    this.#advance();
    const all = new Hdr(this.#range);
    for (let i = 0; i < this.#chunks.length; i++) all.add(this.#chunks[i]);
    return makeReadOnly(all);
  }

  reset() {
    if (!(#chunks in this)) throw new ERR_INVALID_THIS('SlidingWindowHistogram');
    for (let i = 0; i < this.#chunks.length; i++) this.#chunks[i].reset();
    this.#recorded = 0;
    this.#begun = now();
  }
}

function createSlidingWindowHistogram(options) {
  validateObject(options, 'options');
  const { chunks, chunkDuration, recordsPerChunk } = options;
  validateInteger(chunks, 'options.chunks', 1, kMostChunks);
  const range = validateRange(options);
  const isTimed = chunkDuration !== undefined;
  if (isTimed === (recordsPerChunk !== undefined)) {
    throw new ERR_INVALID_ARG_VALUE('options', options,
      'must specify exactly one of "chunkDuration" or "recordsPerChunk"');
  }
  if (isTimed) validateInteger(chunkDuration, 'options.chunkDuration', 1, kLongestChunk);
  else validateInteger(recordsPerChunk, 'options.recordsPerChunk', 1);
  return new SlidingWindowHistogram(kConstruct, range, chunks, isTimed, isTimed ? chunkDuration : recordsPerChunk);
}

module.exports = { createSlidingWindowHistogram };
