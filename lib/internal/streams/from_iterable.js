'use strict';
// Readable.from(): a stream of the values of an iterable.
const { FunctionPrototypeCall, PromisePrototypeThen, SymbolAsyncIterator, SymbolIterator } = primordials;
const { Buffer } = require('buffer');
const { aggregateTwoErrors, codes: { ERR_INVALID_ARG_TYPE, ERR_STREAM_NULL_VALUES } } = require('internal/errors');

const isThenable = (value) => value && typeof value.then === 'function';

// Lets an iterator clean up.
async function closeIterator(iterator, error) {
  if (error !== undefined && error !== null && typeof iterator.throw === 'function') {
    const { value, done } = await iterator.throw(error);
    await value;
    if (done) return;
  }
  if (typeof iterator.return === 'function') {
    const { value } = await iterator.return();
    await value;
  }
}

// Reads from `iterator` until the stream has enough. Plain values are pushed synchronously; from the first promise on,
// values are awaited.
class Source {
  constructor(readable, iterator, isAsync) {
    this.readable = readable;
    this.iterator = iterator;
    this.isAsync = isAsync;
    this.hasPromises = false;
    this.reading = false;
  }

  read() {
    if (this.reading) return;
    this.reading = true;
    if (this.isAsync || this.hasPromises) this.readAsync();
    else this.readSync();
  }

  // Returns true if the stream needs more.
  push(value) {
    if (value === null) {
      this.reading = false;
      throw new ERR_STREAM_NULL_VALUES();
    }
    if (this.readable.push(value)) return true;
    this.reading = false;
    return false;
  }

  readSync() {
    try {
      for (;;) {
        const { value, done } = this.iterator.next();
        if (done) {
          this.readable.push(null);
          return;
        }
        if (isThenable(value)) {
          this.hasPromises = true;
          this.readAsync(value);
          return;
        }
        if (!this.push(value)) return;
      }
    } catch (error) {
      this.readable.destroy(error);
    }
  }

  // `first` is a promise that was already read.
  async readAsync(first) {
    try {
      if (first !== undefined && !this.push(await first)) return;
      for (;;) {
        const { value, done } = this.isAsync ? await this.iterator.next() : this.iterator.next();
        if (done) {
          this.readable.push(null);
          return;
        }
        if (!this.push(!this.isAsync && isThenable(value) ? await value : value)) return;
      }
    } catch (error) {
      this.readable.destroy(error);
    }
  }
}

function from(Readable, iterable, options) {
  if (typeof iterable === 'string' || iterable instanceof Buffer) {
    return new Readable({
      objectMode: true,
      ...options,
      read() {
        this.push(iterable);
        this.push(null);
      },
    });
  }
  const isAsync = !!iterable?.[SymbolAsyncIterator];
  if (!isAsync && !iterable?.[SymbolIterator]) throw new ERR_INVALID_ARG_TYPE('iterable', ['Iterable'], iterable);
  const iterator = isAsync ? iterable[SymbolAsyncIterator]() : iterable[SymbolIterator]();
  const readable = new Readable({ objectMode: true, highWaterMark: 1, ...options });
  const source = new Source(readable, iterator, isAsync);
  const destroy = readable._destroy;
  readable._read = function() {
    source.read();
  };
  readable._destroy = function(error, callback) {
    FunctionPrototypeCall(destroy, this, error, (destroyError) => {
      const first = destroyError || error;
      PromisePrototypeThen(
        closeIterator(iterator, first),
        () => process.nextTick(callback, first),
        // In a tick, because the callback may throw.
        (closeError) => process.nextTick(callback, aggregateTwoErrors(first, closeError)),
      );
    });
  };
  return readable;
}

module.exports = from;
