'use strict';
// The state of a Readable, including its buffered chunks. The names are Node's, because programs read them. They are
// plain properties: an accessor over a bit costs a call wherever the optimizing compiler does not inline it.
const { ArrayPrototypeJoin, ArrayPrototypeSplice, ObjectDefineProperties, StringPrototypeSlice, Symbol } = primordials;
const { Buffer } = require('buffer');
const { StringDecoder } = require('string_decoder');
const { codes: { ERR_UNKNOWN_ENCODING } } = require('internal/errors');
const { getDefaultHighWaterMark, getHighWaterMark } = require('internal/streams/high_water_mark');

const kPaused = Symbol('kPaused');
// Set while 'end' is scheduled for the next tick.
const kEndScheduled = Symbol('kEndScheduled');
// The stream ended before there was a listener: 'readable' must be emitted when the first one is added.
const kEndUnseen = Symbol('kEndUnseen');

// At most this many consumed chunks stay in the array: removing them moves all remaining ones.
const kMostTaken = 1024;

function ReadableState(options, stream, isDuplex) {
  const has = options !== undefined && options !== null;
  this.objectMode = has && (!!options.objectMode || (isDuplex && !!options.readableObjectMode));
  this.highWaterMark = has ?
    getHighWaterMark(this, options, 'readableHighWaterMark', isDuplex) :
    getDefaultHighWaterMark(false);
  // The chunks from bufferIndex on are buffered; those before it are consumed.
  this.buffer = [];
  this.bufferIndex = 0;
  this.length = 0;
  this.pipes = [];
  // null until the mode, flowing or paused, is decided.
  this.flowing = null;
  this.ended = false;
  this.endEmitted = false;
  // True between the call of _read() and its push().
  this.reading = false;
  this.constructed = true;
  // True while _read() is on the stack: chunks that it pushes are emitted after it returns.
  this.sync = true;
  this.needReadable = false;
  this.emittedReadable = false;
  this.readableListening = false;
  this.resumeScheduled = false;
  this[kPaused] = null;
  this[kEndScheduled] = false;
  this[kEndUnseen] = false;
  this.errorEmitted = false;
  this.emitClose = !has || options.emitClose !== false;
  this.autoDestroy = !has || options.autoDestroy !== false;
  this.destroyed = false;
  this.errored = null;
  this.closed = false;
  this.closeEmitted = false;
  this.defaultEncoding = 'utf8';
  // One destination, or a set of them, that must drain before more is read.
  this.awaitDrainWriters = null;
  this.multiAwaitDrain = false;
  this.readingMore = false;
  this.dataEmitted = false;
  this.decoder = null;
  this.encoding = null;
  // False for a Duplex that only writes.
  this.readable = true;
  if (has) applyEncodings(this, options);
}

function applyEncodings(state, { defaultEncoding, encoding }) {
  if (defaultEncoding !== undefined && defaultEncoding !== null && defaultEncoding !== 'utf8' &&
      defaultEncoding !== 'utf-8') {
    if (!Buffer.isEncoding(defaultEncoding)) throw new ERR_UNKNOWN_ENCODING(defaultEncoding);
    state.defaultEncoding = defaultEncoding;
  }
  if (encoding) {
    state.decoder = new StringDecoder(encoding);
    state.encoding = encoding;
  }
}

ObjectDefineProperties(ReadableState.prototype, {
  pipesCount: { __proto__: null, get() { return this.pipes.length; } },
  paused: {
    __proto__: null,
    get() { return this[kPaused] !== false; },
    set(value) { this[kPaused] = !!value; },
  },
});

// Reuses an array whose only chunk has been consumed, because emptying it would free its memory each time. The first
// chunk gets a new array literal, because V8 allocates 17 elements when the first is added to an empty array.
function appendChunk(state, chunk) {
  const { buffer } = state;
  const { length } = buffer;
  if (length === 0) {
    state.buffer = [chunk];
  } else if (length === 1 && state.bufferIndex === 1) {
    buffer[0] = chunk;
    state.bufferIndex = 0;
  } else {
    buffer[length] = chunk;
  }
}

function prependChunk(state, chunk) {
  if (state.bufferIndex > 0) state.buffer[--state.bufferIndex] = chunk;
  else primordials.ArrayPrototypeUnshift(state.buffer, chunk);
}

function clearChunks(state) {
  state.buffer.length = 0;
  state.bufferIndex = 0;
}

function takeFirst(state) {
  const { buffer } = state;
  const chunk = buffer[state.bufferIndex];
  buffer[state.bufferIndex++] = null;
  if (state.bufferIndex === buffer.length) {
    if (state.bufferIndex > 1) clearChunks(state);
  } else if (state.bufferIndex > kMostTaken) {
    dropTaken(state);
  }
  return chunk;
}

function dropTaken(state) {
  ArrayPrototypeSplice(state.buffer, 0, state.bufferIndex);
  state.bufferIndex = 0;
}

// Removes and returns all chunks as one.
function takeAll(state) {
  const { buffer, bufferIndex } = state;
  if (buffer.length - bufferIndex === 1) return takeFirst(state);
  if (bufferIndex > 0) dropTaken(state);
  const whole = state.decoder !== null ? ArrayPrototypeJoin(state.buffer, '') :
    Buffer.concat(state.buffer, state.length);
  clearChunks(state);
  return whole;
}

// Removes and returns the first n bytes or characters, which are fewer than all.
function takePart(state, n) {
  const first = state.buffer[state.bufferIndex];
  if (first.length === n) return takeFirst(state);
  if (first.length > n) {
    if (typeof first === 'string') {
      state.buffer[state.bufferIndex] = StringPrototypeSlice(first, n);
      return StringPrototypeSlice(first, 0, n);
    }
    state.buffer[state.bufferIndex] = first.subarray(n);
    return first.subarray(0, n);
  }
  return state.decoder !== null ? gatherText(state, n) : gatherBytes(state, n);
}

function gatherText(state, n) {
  let text = '';
  while (n > 0) {
    const first = state.buffer[state.bufferIndex];
    if (first.length > n) {
      state.buffer[state.bufferIndex] = StringPrototypeSlice(first, n);
      return text + StringPrototypeSlice(first, 0, n);
    }
    text += takeFirst(state);
    n -= first.length;
  }
  return text;
}

function gatherBytes(state, n) {
  const bytes = Buffer.allocUnsafe(n);
  let at = 0;
  while (at < n) {
    const first = state.buffer[state.bufferIndex];
    const rest = n - at;
    if (first.length > rest) {
      bytes.set(first.subarray(0, rest), at);
      state.buffer[state.bufferIndex] = first.subarray(rest);
      return bytes;
    }
    bytes.set(takeFirst(state), at);
    at += first.length;
  }
  return bytes;
}

// Takes the result of read(n) from the buffer; 0 means everything.
function fromList(n, state) {
  if (state.length === 0) return null;
  if (state.objectMode) return takeFirst(state);
  return !n || n >= state.length ? takeAll(state) : takePart(state, n);
}

module.exports = {
  ReadableState,
  appendChunk,
  clearChunks,
  fromList,
  kEndScheduled,
  kEndUnseen,
  kPaused,
  prependChunk,
};
