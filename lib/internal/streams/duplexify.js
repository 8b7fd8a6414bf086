'use strict';
// Duplex.from(): converts streams, iterables, promises, functions and other values to a Duplex.
const { FunctionPrototypeCall, PromiseWithResolvers } = primordials;
const { AbortController } = require('internal/abort_controller');
const { AbortError, codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_RETURN_VALUE } } = require('internal/errors');
const { destroyer } = require('internal/streams/destroy');
const { Duplex } = require('internal/streams/duplex');
const { eos } = require('internal/streams/end_of_stream');
const from = require('internal/streams/from_iterable');
const { PendingCallback } = require('internal/streams/pending_callback');
const { Readable } = require('internal/streams/readable');
const {
  isDuplexNodeStream,
  isIterable,
  isNodeStream,
  isReadable,
  isReadableNodeStream,
  isReadableStream,
  isWritable,
  isWritableNodeStream,
  isWritableStream,
} = require('internal/streams/utils');
const { Writable } = require('internal/streams/writable');

// The class of the results. Its name shows programs where a stream comes from.
class Duplexify extends Duplex {}

function duplexify(body, name) {
  if (isDuplexNodeStream(body)) return body;
  if (isReadableNodeStream(body)) return fromPair(body, undefined);
  if (isWritableNodeStream(body)) return fromPair(undefined, body);
  if (isNodeStream(body)) return fromPair(undefined, undefined);
  if (isReadableStream(body)) return fromPair(Readable.fromWeb(body), undefined);
  if (isWritableStream(body)) return fromPair(undefined, Writable.fromWeb(body));
  if (typeof body === 'function') return fromFunction(body, name);
  if (require('internal/blob').isBlob(body)) return duplexify(body.arrayBuffer());
  if (isIterable(body)) return from(Duplexify, body, { objectMode: true, writable: false });
  if (isReadableStream(body?.readable) && isWritableStream(body?.writable)) return Duplexify.fromWeb(body);
  if (typeof body?.writable === 'object' || typeof body?.readable === 'object') {
    const { readable, writable } = body;
    return fromPair(
      readable && !isReadableNodeStream(readable) ? duplexify(readable) : readable || undefined,
      writable && !isWritableNodeStream(writable) ? duplexify(writable) : writable || undefined,
    );
  }
  // Read once, because it may be a getter.
  const then = body?.then;
  if (typeof then === 'function') return fromPromise(body, then);
  throw new ERR_INVALID_ARG_TYPE(name, [
    'Blob', 'ReadableStream', 'WritableStream', 'Stream', 'Iterable', 'AsyncIterable', 'Function',
    '{ readable, writable } pair', 'Promise',
  ], body);
}

function fromPromise(promise, then) {
  let duplex;
  FunctionPrototypeCall(then, promise, (value) => {
    if (value !== undefined && value !== null) duplex.push(value);
    duplex.push(null);
  }, (error) => destroyer(duplex, error));
  return duplex = new Duplexify({ objectMode: true, writable: false, read() {} });
}

// ---- Functions

// Written chunks, as an async iterable for the function: one at a time. Taking a chunk calls the callback of its write.
class Input {
  constructor() {
    this.controller = new AbortController();
    this.expectChunk();
  }

  expectChunk() {
    const { promise, resolve } = PromiseWithResolvers();
    this.promise = promise;
    this.resolve = resolve;
  }

  async *chunks() {
    const { signal } = this.controller;
    for (;;) {
      const { promise } = this;
      this.promise = null;
      const { chunk, isLast, callback } = await promise;
      process.nextTick(callback);
      if (isLast) return;
      if (signal.aborted) throw new AbortError(undefined, { cause: signal.reason });
      this.expectChunk();
      yield chunk;
    }
  }

  give(item) {
    const { resolve } = this;
    this.resolve = null;
    resolve(item);
  }

  write(chunk, callback) {
    this.give({ __proto__: null, chunk, isLast: false, callback });
  }

  end(callback) {
    this.give({ __proto__: null, chunk: undefined, isLast: true, callback });
  }

  abort(error) {
    this.controller.abort(error);
    // The function may be waiting for a chunk.
    if (this.resolve !== null) this.end(() => {});
  }
}

function fromFunction(fn, name) {
  const input = new Input();
  const result = fn(input.chunks(), { signal: input.controller.signal });
  // The function was a constructor.
  if (isDuplexNodeStream(result)) return result;
  const options = {
    objectMode: true,
    write(chunk, encoding, callback) { input.write(chunk, callback); },
    final(callback) { input.end(callback); },
    destroy(error, callback) {
      input.abort(error);
      callback(error);
    },
  };
  if (isIterable(result)) return from(Duplexify, result, options);
  const then = result?.then;
  if (typeof then !== 'function') {
    throw new ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or AsyncFunction', name, result);
  }
  let duplex;
  let isEnded = false;
  const done = FunctionPrototypeCall(then, result, (value) => {
    if (value !== undefined && value !== null) throw new ERR_INVALID_RETURN_VALUE('nully', 'body', value);
    // The function returned before the end of its input: nothing will consume further chunks.
    if (!isEnded) destroyer(duplex);
  }, (error) => destroyer(duplex, error));
  options.readable = false;
  options.final = (callback) => {
    isEnded = true;
    input.end(async () => {
      try {
        await done;
        process.nextTick(callback, null);
      } catch (error) {
        process.nextTick(callback, error);
      }
    });
  };
  return duplex = new Duplexify(options);
}

// ---- Pairs

// Each of the two may be absent. The Duplex ends when both are done.
function fromPair(given, writable) {
  const readable = given && typeof given.read !== 'function' ? Readable.wrap(given) : given;
  const canRead = !!isReadable(readable);
  const canWrite = !!isWritable(writable);
  const duplex = new Duplexify({
    readableObjectMode: !!readable?.readableObjectMode,
    writableObjectMode: !!writable?.writableObjectMode,
    readable: canRead,
    writable: canWrite,
  });
  const onDrain = new PendingCallback();
  const onFinish = new PendingCallback();
  const onReadable = new PendingCallback();
  // One side is done; the callback of _destroy(), which waits for that.
  let isDone = false;
  let onDone = null;
  const finish = (error, other) => {
    if (error) destroyer(other, error);
    isDone = true;
    const callback = onDone;
    onDone = null;
    if (callback !== null) callback(error);
    else if (error) duplex.destroy(error);
  };

  if (canWrite) {
    eos(writable, (error) => finish(error, readable));
    duplex._write = function(chunk, encoding, callback) {
      if (writable.write(chunk, encoding)) callback();
      else onDrain.set(callback);
    };
    duplex._final = function(callback) {
      writable.end();
      onFinish.set(callback);
    };
    writable.on('drain', () => onDrain.call());
    writable.on('finish', () => onFinish.call());
  }
  if (canRead) {
    eos(readable, (error) => finish(error, writable));
    const read = () => {
      for (;;) {
        const chunk = readable.read();
        if (chunk === null) {
          onReadable.set(read);
          return;
        }
        if (!duplex.push(chunk)) return;
      }
    };
    duplex._read = read;
    readable.on('readable', () => onReadable.call());
    readable.on('end', () => duplex.push(null));
  }
  duplex._destroy = function(error, callback) {
    const reason = !error && !isDone ? new AbortError() : error;
    onReadable.set(null);
    onDrain.set(null);
    onFinish.set(null);
    if (isDone) {
      callback(reason);
    } else {
      onDone = callback;
      destroyer(writable, reason);
      destroyer(readable, reason);
    }
  };
  return duplex;
}

module.exports = { duplexify };
