'use strict';
// Readable. The order of events matches Node's to the tick, including the conditions that are checked again in ticks.
const {
  FunctionPrototypeCall,
  NumberIsInteger,
  NumberIsNaN,
  NumberParseInt,
  ObjectSetPrototypeOf,
  Promise,
  ReflectApply,
  SymbolAsyncDispose,
} = primordials;
const { Buffer } = require('buffer');
const { captureRejectionSymbol } = require('events');
const { StringDecoder } = require('string_decoder');
const {
  AbortError,
  codes: {
    ERR_INVALID_ARG_TYPE,
    ERR_METHOD_NOT_IMPLEMENTED,
    ERR_OUT_OF_RANGE,
    ERR_STREAM_PUSH_AFTER_EOF,
    ERR_STREAM_UNSHIFT_AFTER_END_EVENT,
  },
} = require('internal/errors');
const { addAbortSignal } = require('internal/streams/add_abort_signal');
const destroy = require('internal/streams/destroy');
const { eos } = require('internal/streams/end_of_stream');
const from = require('internal/streams/from_iterable');
const { Stream } = require('internal/streams/legacy');
const {
  ReadableState,
  appendChunk,
  clearChunks,
  fromList,
  kEndScheduled,
  kEndUnseen,
  kPaused,
  prependChunk,
} = require('internal/streams/readable_state');

const { errorOrDestroy } = destroy;

// A larger read() is treated as a mistake.
const kMostHighWaterMark = 0x40000000;

function Readable(options) {
  if (!(this instanceof Readable)) return new Readable(options);
  this._readableState = new ReadableState(options, this, false);
  if (options) {
    if (typeof options.read === 'function') this._read = options.read;
    if (typeof options.destroy === 'function') this._destroy = options.destroy;
    if (typeof options.construct === 'function') this._construct = options.construct;
    if (options.signal) addAbortSignal(options.signal, this);
  }
  FunctionPrototypeCall(Stream, this, options);
  if (this._construct !== undefined) destroy.construct(this, () => startReading(this));
}
module.exports = { Readable, startReading };
Readable.ReadableState = ReadableState;
ObjectSetPrototypeOf(Readable.prototype, Stream.prototype);
ObjectSetPrototypeOf(Readable, Stream);

// Called after the construction.
function startReading(stream) {
  if (stream._readableState.needReadable) maybeReadMore(stream, stream._readableState);
}

Readable.prototype.destroy = destroy.destroy;
Readable.prototype._undestroy = destroy.undestroy;
Readable.prototype._destroy = function(error, callback) {
  callback(error);
};

Readable.prototype[captureRejectionSymbol] = function(error) {
  this.destroy(error);
};

Readable.prototype[SymbolAsyncDispose] = function() {
  let error;
  if (!this.destroyed) {
    error = this.readableEnded ? null : new AbortError();
    this.destroy(error);
  }
  return new Promise((resolve, reject) => {
    eos(this, (reason) => (reason && reason !== error ? reject(reason) : resolve(null)));
  });
};

Readable.prototype.push = function(chunk, encoding) {
  const state = this._readableState;
  return state.objectMode ? addObject(this, state, chunk, encoding, false) :
    addBytes(this, state, chunk, encoding, false);
};

Readable.prototype.unshift = function(chunk, encoding) {
  const state = this._readableState;
  return state.objectMode ? addObject(this, state, chunk, encoding, true) :
    addBytes(this, state, chunk, encoding, true);
};

function canPushMore(state) {
  return !state.ended && (state.length < state.highWaterMark || state.length === 0);
}

// Returns true if a chunk comes too late to be accepted, and reports an error if it came after the end.
function isLate(stream, state, atFront) {
  if (atFront) {
    if (state.endEmitted) {
      errorOrDestroy(stream, new ERR_STREAM_UNSHIFT_AFTER_END_EVENT());
      return true;
    }
  } else if (state.ended) {
    errorOrDestroy(stream, new ERR_STREAM_PUSH_AFTER_EOF());
    return true;
  }
  return state.destroyed || state.errored !== null;
}

function addBytes(stream, state, chunk, encoding, atFront) {
  if (chunk === null) {
    state.reading = false;
    onEnd(stream, state);
    return false;
  }
  let isText = false;
  if (typeof chunk === 'string') {
    encoding = encoding || state.defaultEncoding;
    if (state.encoding === encoding) {
      isText = true;
    } else if (atFront && state.encoding) {
      // unshift() on a stream with an encoding: convert the text to that encoding, because it is not decoded again.
      chunk = Buffer.from(chunk, encoding).toString(state.encoding);
      isText = true;
    } else {
      chunk = Buffer.from(chunk, encoding);
    }
  } else if (!(chunk instanceof Buffer)) {
    if (Stream._isArrayBufferView(chunk)) {
      chunk = Stream._uint8ArrayToBuffer(chunk);
    } else if (chunk !== undefined) {
      errorOrDestroy(stream, new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk));
      return false;
    }
  }
  if (chunk === undefined || chunk.length === 0) {
    if (!atFront) {
      state.reading = false;
      maybeReadMore(stream, state);
    }
    return canPushMore(state);
  }
  if (isLate(stream, state, atFront)) return false;
  if (!atFront) {
    state.reading = false;
    if (state.decoder !== null && !isText) {
      chunk = state.decoder.write(chunk);
      if (chunk.length === 0) {
        maybeReadMore(stream, state);
        return canPushMore(state);
      }
    }
  }
  addChunk(stream, state, chunk, atFront);
  return canPushMore(state);
}

function addObject(stream, state, chunk, encoding, atFront) {
  if (chunk === null) {
    state.reading = false;
    onEnd(stream, state);
    return false;
  }
  if (isLate(stream, state, atFront)) return false;
  if (!atFront) {
    state.reading = false;
    if (state.decoder !== null && !encoding) chunk = state.decoder.write(chunk);
  }
  addChunk(stream, state, chunk, atFront);
  return canPushMore(state);
}

function addChunk(stream, state, chunk, atFront) {
  if (state.flowing && state.length === 0 && !state.sync && stream.listenerCount('data') > 0) {
    forgetDrains(state);
    state.dataEmitted = true;
    stream.emit('data', chunk);
  } else {
    state.length += state.objectMode ? 1 : chunk.length;
    if (atFront) prependChunk(state, chunk);
    else appendChunk(state, chunk);
    if (state.needReadable) emitReadable(stream);
  }
  maybeReadMore(stream, state);
}

function forgetDrains(state) {
  if (state.multiAwaitDrain) state.awaitDrainWriters.clear();
  else state.awaitDrainWriters = null;
}

Readable.prototype.isPaused = function() {
  const state = this._readableState;
  return state[kPaused] === true || state.flowing === false;
};

Readable.prototype.setEncoding = function(encoding) {
  const decoder = new StringDecoder(encoding);
  const state = this._readableState;
  state.decoder = decoder;
  state.encoding = decoder.encoding;
  let text = '';
  for (let i = state.bufferIndex; i < state.buffer.length; i++) text += decoder.write(state.buffer[i]);
  // At the end, flush an incomplete character.
  if (state.ended) text += decoder.end();
  clearChunks(state);
  if (text !== '') appendChunk(state, text);
  state.length = text.length;
  return this;
};

// Rounds up to a power of two, so that a slowly growing mark is not raised often.
function raiseHighWaterMark(n) {
  if (n > kMostHighWaterMark) throw new ERR_OUT_OF_RANGE('size', '<= 1GiB', n);
  return n <= 1 ? 1 : 2 ** (32 - primordials.MathClz32(n - 1));
}

function howMuchToRead(n, state) {
  if (n <= 0 || (state.length === 0 && state.ended)) return 0;
  if (state.objectMode) return 1;
  if (NumberIsNaN(n)) {
    // Chunks are returned as they arrived; only text that is read while paused is joined.
    if (state.length > 0 && (state.decoder === null || state.flowing)) return state.buffer[state.bufferIndex].length;
    return state.length;
  }
  if (n <= state.length) return n;
  return state.ended ? state.length : 0;
}

Readable.prototype.read = function(n) {
  if (n === undefined) n = NaN;
  else if (!NumberIsInteger(n)) n = NumberParseInt(n, 10);
  const state = this._readableState;
  const wanted = n;
  if (n > state.highWaterMark) state.highWaterMark = raiseHighWaterMark(n);
  if (n !== 0) {
    state.emittedReadable = false;
    state[kEndUnseen] = false;
  }

  // read(0) requests 'readable'. If there is enough data, or the stream has ended, emit without reading more.
  if (n === 0 && state.needReadable &&
      ((state.highWaterMark !== 0 ? state.length >= state.highWaterMark : state.length > 0) || state.ended)) {
    if (state.length === 0 && state.ended) endReadable(this);
    else emitReadable(this);
    return null;
  }
  n = howMuchToRead(n, state);
  if (n === 0 && state.ended) {
    if (state.length === 0) endReadable(this);
    return null;
  }

  const wantsMore = state.needReadable || state.length === 0 || state.length - n < state.highWaterMark;
  if (wantsMore && !state.ended && !state.reading && !state.destroyed && state.errored === null && state.constructed) {
    state.reading = true;
    state.sync = true;
    if (state.length === 0) state.needReadable = true;
    try {
      this._read(state.highWaterMark);
    } catch (error) {
      errorOrDestroy(this, error);
    }
    state.sync = false;
    // _read() pushed synchronously, so there may be more data.
    if (!state.reading) n = howMuchToRead(wanted, state);
  }

  const result = n > 0 ? fromList(n, state) : null;
  if (result === null) {
    if (state.length <= state.highWaterMark) state.needReadable = true;
    n = 0;
  } else {
    state.length -= n;
    forgetDrains(state);
  }
  if (state.length === 0) {
    if (!state.ended) state.needReadable = true;
    if (wanted !== n && state.ended) endReadable(this);
  }
  if (result !== null && !state.errorEmitted && !state.closeEmitted) {
    state.dataEmitted = true;
    this.emit('data', result);
  }
  return result;
};

function onEnd(stream, state) {
  if (state.ended) return;
  if (state.decoder !== null) {
    const rest = state.decoder.end();
    if (rest && rest.length > 0) {
      appendChunk(state, rest);
      state.length += state.objectMode ? 1 : rest.length;
    }
  }
  state.ended = true;
  if (state.sync) {
    if (state.flowing || state.needReadable || stream.listenerCount('readable') > 0) emitReadable(stream);
    else state[kEndUnseen] = true;
  } else {
    state.needReadable = false;
    state.emittedReadable = true;
    emitReadableNow(stream);
  }
}

function emitReadable(stream) {
  const state = stream._readableState;
  state.needReadable = false;
  if (state.emittedReadable) return;
  state.emittedReadable = true;
  process.nextTick(emitReadableNow, stream);
}

function emitReadableNow(stream) {
  const state = stream._readableState;
  if (!state.destroyed && state.errored === null && (state.length > 0 || state.ended)) {
    stream.emit('readable');
    state.emittedReadable = false;
  }
  if (!state.flowing && !state.ended && state.length <= state.highWaterMark) state.needReadable = true;
  flow(stream);
}

function maybeReadMore(stream, state) {
  if (state.readingMore || state.reading || !state.constructed) return;
  state.readingMore = true;
  process.nextTick(readMore, stream, state);
}

// Reads ahead up to the high-water mark. Stops at a read that is asynchronous: its push() continues reading ahead.
function readMore(stream, state) {
  while (!state.reading && !state.ended &&
         (state.length < state.highWaterMark || (state.flowing && state.length === 0))) {
    const { length } = state;
    stream.read(0);
    if (length === state.length) break;
  }
  state.readingMore = false;
}

Readable.prototype._read = function() {
  throw new ERR_METHOD_NOT_IMPLEMENTED('_read()');
};

const { pipe, unpipe } = require('internal/streams/readable_pipe');
Readable.prototype.pipe = pipe;
Readable.prototype.unpipe = unpipe;

Readable.prototype.on = function(event, listener) {
  const result = FunctionPrototypeCall(Stream.prototype.on, this, event, listener);
  const state = this._readableState;
  if (event === 'data') {
    if (this.listenerCount('readable') > 0) state.readableListening = true;
    if (state.flowing !== false) this.resume();
  } else if (event === 'readable' && !state.endEmitted && !state.readableListening) {
    state.readableListening = state.needReadable = true;
    state.flowing = false;
    state.emittedReadable = false;
    if (state.length > 0) {
      emitReadable(this);
    } else {
      if (state[kEndUnseen]) {
        state[kEndUnseen] = false;
        emitReadable(this);
      }
      if (!state.reading) process.nextTick(readNothing, this);
    }
  }
  return result;
};
Readable.prototype.addListener = Readable.prototype.on;

function readNothing(stream) {
  stream.read(0);
}

// Update in a tick, so that repeated once('readable') does not switch the stream's mode back and forth.
Readable.prototype.removeListener = function(event, listener) {
  const result = FunctionPrototypeCall(Stream.prototype.removeListener, this, event, listener);
  if (event === 'readable') process.nextTick(lookAtListeners, this);
  return result;
};
Readable.prototype.off = Readable.prototype.removeListener;

Readable.prototype.removeAllListeners = function(event) {
  const result = ReflectApply(Stream.prototype.removeAllListeners, this, arguments);
  if (event === 'readable' || event === undefined) process.nextTick(lookAtListeners, this);
  return result;
};

function lookAtListeners(stream) {
  const state = stream._readableState;
  state.readableListening = stream.listenerCount('readable') > 0;
  if (state.resumeScheduled && state[kPaused] === false) {
    state.flowing = true;
  } else if (stream.listenerCount('data') > 0) {
    stream.resume();
  } else if (!state.readableListening) {
    state.flowing = null;
  }
}

Readable.prototype.resume = function() {
  const state = this._readableState;
  if (state.destroyed) return this;
  if (!state.flowing) {
    // A listener for 'readable' must call read() itself.
    state.flowing = !state.readableListening;
    if (!state.resumeScheduled) {
      state.resumeScheduled = true;
      process.nextTick(resumeNow, this, state);
    }
  }
  state[kPaused] = false;
  return this;
};

function resumeNow(stream, state) {
  if (!state.reading) stream.read(0);
  state.resumeScheduled = false;
  stream.emit('resume');
  flow(stream);
  if (state.flowing && !state.reading) stream.read(0);
}

Readable.prototype.pause = function() {
  const state = this._readableState;
  if (state.destroyed) return this;
  if (state.flowing !== false) {
    state.flowing = false;
    this.emit('pause');
  }
  state[kPaused] = true;
  return this;
};

function flow(stream) {
  const state = stream._readableState;
  while (state.flowing && stream.read() !== null);
}

function endReadable(stream) {
  const state = stream._readableState;
  if (state.endEmitted || state[kEndScheduled]) return;
  state.ended = true;
  state[kEndScheduled] = true;
  process.nextTick(endNow, state, stream);
}

function endNow(state, stream) {
  // After unshift() or _undestroy(), 'end' is emitted again.
  state[kEndScheduled] = false;
  // Data may have been put back, or an error may have occurred, since the tick was scheduled.
  if (state.errored !== null || state.closeEmitted || state.endEmitted || state.length !== 0) return;
  state.endEmitted = true;
  stream.emit('end');
  if (stream.writable && stream.allowHalfOpen === false) {
    process.nextTick(endWritable, stream);
  } else if (state.autoDestroy) {
    // A Duplex is destroyed when its other side has finished, too.
    const other = stream._writableState;
    if (!other || (other.autoDestroy && (other.finished || other.writable === false))) stream.destroy();
  }
}

function endWritable(stream) {
  if (stream.writable && !stream.writableEnded && !stream.destroyed) stream.end();
}

Readable._fromList = fromList;
Readable.from = function(iterable, options) {
  return from(Readable, iterable, options);
};
require('internal/streams/readable_more');
