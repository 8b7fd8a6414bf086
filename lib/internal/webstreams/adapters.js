'use strict';
// Readable.toWeb() and the other adapters: a stream of one kind as one of the other.
const { PromisePrototypeThen, SafePromiseAll, TypedArrayPrototypeGetBuffer, Uint8Array } = primordials;
const { Duplex, Readable, Writable, finished } = require('stream');
const { destroyer } = require('internal/streams/destroy');
const { isDestroyed, isReadable, isWritable, isWritableEnded } = require('internal/streams/utils');
const {
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  ReadableStream,
  WritableStream,
} = require('internal/webstreams/classes');
const {
  AbortError,
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_STREAM_PREMATURE_CLOSE },
} = require('internal/errors');
const { validateBoolean, validateObject, validateOneOf } = require('internal/validators');
const { createDeferredPromise, kEmptyObject } = require('internal/util');
const { isAnyArrayBuffer } = require('internal/util/types');
const { getDeprecationWarningEmitter } = require('internal/util/deprecate');
const { resultOf } = require('internal/streams/end_of_stream');
const { isCompressionError, kCheckChunk, webErrorOf } = require('internal/webstreams/compression_errors');
const { coreOfDefaultReader, isReadableStream } = require('internal/webstreams/readable');
const { resolved } = require('internal/webstreams/util');
const { coreOfWriter, isWritableStream } = require('internal/webstreams/writable');
const { Buffer } = require('buffer');

const nop = () => {};

// Reports an exception of the program's callback as uncaught, because there is no promise to reject.
function callSafely(callback, error) {
  try {
    callback(error);
  } catch (problem) {
    process.nextTick(() => { throw problem; });
  }
}

// The end of a stream as seen by web streams: a premature close is an abort.
function reasonOf(error) {
  if (error?.code === 'ERR_STREAM_PREMATURE_CLOSE') return new AbortError(undefined, { cause: error });
  return isCompressionError(error) ? webErrorOf(error) : error;
}

function strategyOf(objectMode, highWaterMark) {
  return new (objectMode ? CountQueuingStrategy : ByteLengthQueuingStrategy)({ highWaterMark });
}

// A chunk of a writable may be a string, so one that is no object counts one.
function writableStrategyOf(objectMode, highWaterMark) {
  return objectMode ? new CountQueuingStrategy({ highWaterMark }) : { highWaterMark };
}

function viewOf(buffer) {
  return new Uint8Array(TypedArrayPrototypeGetBuffer(buffer), buffer.byteOffset, buffer.byteLength);
}

function newReadableStreamFromStreamReadable(streamReadable, options = kEmptyObject) {
  if (typeof streamReadable?._readableState !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('streamReadable', 'stream.Readable', streamReadable);
  }
  validateObject(options, 'options');
  validateOneOf(options.type, 'options.type', ['bytes', undefined]);
  const isBytes = options.type === 'bytes';
  const objectMode = streamReadable.readableObjectMode;
  const highWaterMark = streamReadable.readableHighWaterMark;
  const isOpen = isReadable(streamReadable) === true;
  let controller;
  let isOver = false;

  const source = {
    __proto__: null,
    type: options.type,
    start(given) { controller = given; },
    cancel(reason) {
      isOver = true;
      destroyer(streamReadable, reason);
    },
  };
  let strategy;
  if (isOpen) {
    source.pull = () => { streamReadable.resume(); };
    strategy = isBytes ? { highWaterMark } : options.strategy ?? strategyOf(objectMode, highWaterMark);
  }
  const readableStream = new ReadableStream(source, strategy);

  function onFinished(error) {
    error = reasonOf(error);
    // Ignore errors that the stream reports from now on.
    streamReadable.on('error', nop);
    if (isOver) return;
    isOver = true;
    if (error) {
      controller.error(error);
      return;
    }
    controller.close();
    if (isBytes) controller.byobRequest?.respond(0);
  }

  // Of a Duplex only the readable side counts.
  const ends = { __proto__: null, writable: false };
  const result = resultOf(streamReadable, ends);
  if (result !== undefined) {
    onFinished(result);
    return readableStream;
  }
  const cleanup = finished(streamReadable, ends, (error) => {
    cleanup();
    onFinished(error);
  });
  if (isOpen) {
    streamReadable.pause();
    streamReadable.on('data', (chunk) => {
      // A destroyed stream may still deliver chunks that it is emitting at the moment.
      if (isOver) return;
      if (!objectMode && Buffer.isBuffer(chunk)) chunk = new Uint8Array(chunk);
      controller.enqueue(chunk);
      if (controller.desiredSize <= 0) streamReadable.pause();
    });
  }
  return readableStream;
}

// Pushes chunks of a web stream into a Readable, which getStream() returns: it is made after this object. There is one
// read at a time, whose request this object is.
class Pump {
  #reader;
  #getStream;
  #chunk = undefined;
  #forward = () => {
    const chunk = this.#chunk;
    this.#chunk = undefined;
    this.#getStream().push(chunk);
  };

  constructor(reader, getStream) {
    this.#reader = coreOfDefaultReader(reader);
    this.#getStream = getStream;
  }

  read() {
    this.#reader.core.read(this);
  }

  // Later: an error, or destroy(), may come first.
  onChunk(chunk) {
    this.#chunk = chunk;
    PromisePrototypeThen(resolved, this.#forward);
  }

  onClose() {
    this.#getStream().push(null);
  }

  onError(error) {
    destroyer(this.#getStream(), error);
  }
}

function newStreamReadableFromReadableStream(readableStream, options = kEmptyObject) {
  if (!isReadableStream(readableStream)) {
    throw new ERR_INVALID_ARG_TYPE('readableStream', 'ReadableStream', readableStream);
  }
  validateObject(options, 'options');
  const { highWaterMark, encoding, objectMode = false, signal } = options;
  if (encoding !== undefined && !Buffer.isEncoding(encoding)) {
    throw new ERR_INVALID_ARG_VALUE(encoding, 'options.encoding');
  }
  validateBoolean(objectMode, 'options.objectMode');
  const reader = readableStream.getReader();
  const pump = new Pump(reader, () => readable);
  let isClosed = false;
  const readable = new Readable({
    objectMode,
    highWaterMark,
    encoding,
    signal,
    read() { pump.read(); },
    destroy(error, callback) {
      const done = () => callSafely(callback, error);
      if (isClosed) return done();
      PromisePrototypeThen(reader.cancel(error), done, done);
    },
  });
  PromisePrototypeThen(
    reader.closed,
    () => { isClosed = true; },
    (error) => {
      isClosed = true;
      destroyer(readable, error);
    });
  return readable;
}

function newWritableStreamFromStreamWritable(streamWritable, options = kEmptyObject) {
  // Also a message of `http`, which is no Writable.
  if (typeof streamWritable?.write !== 'function' || typeof streamWritable.on !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('streamWritable', 'stream.Writable', streamWritable);
  }
  if (isDestroyed(streamWritable) || !isWritable(streamWritable)) {
    const writable = new WritableStream();
    writable.close();
    return writable;
  }
  const strategy = writableStrategyOf(streamWritable.writableObjectMode, streamWritable.writableHighWaterMark);
  let controller;
  let drained;
  let closed;

  const cleanup = finished(streamWritable, (error) => {
    error = reasonOf(error);
    cleanup();
    streamWritable.on('error', nop);
    if (error) {
      drained?.reject(error);
      if (closed !== undefined) {
        closed.reject(error);
        closed = undefined;
      }
      controller?.error(error);
      controller = undefined;
      return;
    }
    if (closed !== undefined) {
      closed.resolve();
      closed = undefined;
      return;
    }
    // The stream ended by itself.
    controller?.error(new AbortError());
    controller = undefined;
  });
  streamWritable.on('drain', () => {
    drained?.resolve();
    drained = undefined;
  });

  return new WritableStream({
    start(given) { controller = given; },
    write(chunk) {
      let isTaken;
      try {
        options[kCheckChunk]?.(chunk);
        if (!streamWritable.writableObjectMode && isAnyArrayBuffer(chunk)) chunk = new Uint8Array(chunk);
        isTaken = !streamWritable.writableNeedDrain && streamWritable.write(chunk);
      } catch (error) {
        if (options[kCheckChunk] !== undefined) destroyer(streamWritable, error);
        throw error;
      }
      if (isTaken) return undefined;
      // The stream has failed: its error is reported separately, and there is no 'drain'.
      if (!streamWritable.writableNeedDrain) return undefined;
      drained = createDeferredPromise();
      return drained.promise;
    },
    abort(reason) { destroyer(streamWritable, reason); },
    close() {
      if (closed !== undefined || isWritableEnded(streamWritable)) {
        controller = undefined;
        return undefined;
      }
      closed = createDeferredPromise();
      streamWritable.end();
      return closed.promise;
    },
  }, strategy);
}

// The writes of one call of write() or writev(). The callback is called when the sink has taken all of them. This
// object is the request of each write.
class Writes {
  #writer;
  #getStream;
  #callback = undefined;
  #pending = 0;
  #isAdding = false;
  // { error } of the first write that failed or was not accepted.
  #failed = undefined;
  #refused = undefined;

  constructor(writer, getStream) {
    this.#writer = coreOfWriter(writer);
    this.#getStream = getStream;
  }

  start(callback) {
    this.#callback = callback;
    this.#isAdding = true;
  }

  add(chunk) {
    this.#pending++;
    const refused = this.#writer.core.addChunk(this.#writer, chunk, this);
    if (refused === undefined) return;
    this.#pending--;
    this.#refused = refused;
  }

  end() {
    this.#isAdding = false;
    this.#settleIfDone();
  }

  resolve() {
    this.#pending--;
    this.#settleIfDone();
  }

  reject(error) {
    this.#pending--;
    this.#failed ??= { error };
    this.#settleIfDone();
  }

  #settleIfDone() {
    if (this.#isAdding || this.#pending > 0 || this.#callback === undefined) return;
    const callback = this.#callback;
    const failure = this.#failed ?? this.#refused;
    this.#callback = this.#failed = this.#refused = undefined;
    // Later: the callback destroys the stream, which may be in the middle of its own end.
    if (failure?.error === undefined) this.#call(callback, undefined);
    else PromisePrototypeThen(resolved, () => this.#call(callback, failure.error));
  }

  #call(callback, error) {
    try {
      callback(error);
    } catch (problem) {
      process.nextTick(() => destroyer(this.#getStream(), problem));
    }
  }
}

// The methods of a Writable or Duplex that forward its writes.
function writerMethods(writer, getStream, state, decodeStrings, objectMode) {
  const writes = new Writes(writer, getStream);
  function convert(chunk, encoding) {
    if (typeof chunk !== 'string' || !decodeStrings || objectMode) return chunk;
    return viewOf(Buffer.from(chunk, encoding));
  }
  return {
    write(chunk, encoding, callback) {
      writes.start(callback);
      writes.add(convert(chunk, encoding));
      writes.end();
    },
    writev(chunks, callback) {
      writes.start(callback);
      for (let i = 0; i < chunks.length; i++) writes.add(convert(chunks[i].chunk, chunks[i].encoding));
      writes.end();
    },
    final(callback) {
      if (state.isClosed) return callSafely(callback);
      PromisePrototypeThen(writer.close(), () => callSafely(callback), (error) => callSafely(callback, error));
    },
  };
}

function newStreamWritableFromWritableStream(writableStream, options = kEmptyObject) {
  if (!isWritableStream(writableStream)) {
    throw new ERR_INVALID_ARG_TYPE('writableStream', 'WritableStream', writableStream);
  }
  validateObject(options, 'options');
  const { highWaterMark, decodeStrings = true, objectMode = false, signal } = options;
  validateBoolean(objectMode, 'options.objectMode');
  validateBoolean(decodeStrings, 'options.decodeStrings');
  const writer = writableStream.getWriter();
  const state = { isClosed: false };
  const writable = new Writable({
    ...writerMethods(writer, () => writable, state, decodeStrings, objectMode),
    highWaterMark,
    objectMode,
    decodeStrings,
    signal,
    destroy(error, callback) {
      const done = () => callSafely(callback, error);
      if (state.isClosed) return done();
      PromisePrototypeThen(error !== null && error !== undefined ? writer.abort(error) : writer.close(), done, done);
    },
  });
  PromisePrototypeThen(
    writer.closed,
    () => {
      state.isClosed = true;
      if (!isWritableEnded(writable)) destroyer(writable, new ERR_STREAM_PREMATURE_CLOSE());
    },
    (error) => {
      state.isClosed = true;
      destroyer(writable, error);
    });
  return writable;
}

const warnOfType = getDeprecationWarningEmitter(
  'DEP0201',
  "Passing 'options.type' to Duplex.toWeb() is deprecated. Please use 'options.readableType' instead.");

function newReadableWritablePairFromDuplex(duplex, options = kEmptyObject) {
  if (typeof duplex?._writableState !== 'object' || typeof duplex?._readableState !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('duplex', 'stream.Duplex', duplex);
  }
  validateObject(options, 'options');
  let type = options.readableType ?? undefined;
  if (type === undefined && options.type != null) {
    warnOfType();
    type = options.type;
  }
  if (isDestroyed(duplex)) {
    const writable = new WritableStream();
    const readable = new ReadableStream({ type });
    writable.close();
    readable.cancel();
    return { readable, writable };
  }
  // A side that has already ended is handled by these functions.
  const writable = newWritableStreamFromStreamWritable(duplex, options);
  const readable = newReadableStreamFromStreamReadable(duplex, { __proto__: null, type });
  return { writable, readable };
}

function newStreamDuplexFromReadableWritablePair(pair = kEmptyObject, options = kEmptyObject) {
  validateObject(pair, 'pair');
  const { readable: readableStream, writable: writableStream } = pair;
  if (!isReadableStream(readableStream)) {
    throw new ERR_INVALID_ARG_TYPE('pair.readable', 'ReadableStream', readableStream);
  }
  if (!isWritableStream(writableStream)) {
    throw new ERR_INVALID_ARG_TYPE('pair.writable', 'WritableStream', writableStream);
  }
  validateObject(options, 'options');
  const { allowHalfOpen = false, objectMode = false, encoding, decodeStrings = true, highWaterMark, signal } = options;
  validateBoolean(objectMode, 'options.objectMode');
  if (encoding !== undefined && !Buffer.isEncoding(encoding)) {
    throw new ERR_INVALID_ARG_VALUE(encoding, 'options.encoding');
  }
  const writer = writableStream.getWriter();
  const reader = readableStream.getReader();
  const state = { isClosed: false };
  let isReadClosed = false;
  const pump = new Pump(reader, () => duplex);
  const duplex = new Duplex({
    ...writerMethods(writer, () => duplex, state, decodeStrings, objectMode),
    allowHalfOpen,
    highWaterMark,
    objectMode,
    encoding,
    decodeStrings,
    signal,
    read() { pump.read(); },
    destroy(error, callback) {
      const done = () => callSafely(callback, error);
      const ends = [];
      if (!state.isClosed) ends[0] = writer.abort(error);
      if (!isReadClosed) ends[ends.length] = reader.cancel(error);
      if (ends.length === 0) return done();
      PromisePrototypeThen(SafePromiseAll(ends), done, done);
    },
  });
  PromisePrototypeThen(
    writer.closed,
    () => {
      state.isClosed = true;
      if (!isWritableEnded(duplex)) destroyer(duplex, new ERR_STREAM_PREMATURE_CLOSE());
    },
    (error) => {
      state.isClosed = true;
      isReadClosed = true;
      destroyer(duplex, error);
    });
  PromisePrototypeThen(
    reader.closed,
    () => { isReadClosed = true; },
    (error) => {
      state.isClosed = true;
      isReadClosed = true;
      destroyer(duplex, error);
    });
  return duplex;
}

module.exports = {
  newReadableStreamFromStreamReadable,
  newReadableWritablePairFromDuplex,
  newStreamDuplexFromReadableWritablePair,
  newStreamReadableFromReadableStream,
  newStreamWritableFromWritableStream,
  newWritableStreamFromStreamWritable,
};
