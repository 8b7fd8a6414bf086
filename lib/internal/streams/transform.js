'use strict';
// Transform and PassThrough. The next chunk is transformed once the output of the last one has been read.
const { FunctionPrototypeCall, ObjectSetPrototypeOf, Symbol } = primordials;
const { codes: { ERR_METHOD_NOT_IMPLEMENTED } } = require('internal/errors');
const { Duplex } = require('internal/streams/duplex');
const { getHighWaterMark } = require('internal/streams/high_water_mark');

// The callback of a write that waits for the reader.
const kWaiting = Symbol('waiting callback');

function Transform(options) {
  if (!(this instanceof Transform)) return new Transform(options);
  // With a readable high-water mark of 0, the writable side does not buffer either.
  if (options && getHighWaterMark(this, options, 'readableHighWaterMark', true) === 0) {
    options = {
      ...options,
      highWaterMark: null,
      readableHighWaterMark: 0,
      writableHighWaterMark: options.writableHighWaterMark || 0,
    };
  }
  FunctionPrototypeCall(Duplex, this, options);
  // No read precedes the first write, so chunks that it pushes are emitted synchronously.
  this._readableState.sync = false;
  this[kWaiting] = null;
  if (options) {
    if (typeof options.transform === 'function') this._transform = options.transform;
    if (typeof options.flush === 'function') this._flush = options.flush;
  }
  this.on('prefinish', onPrefinish);
}
ObjectSetPrototypeOf(Transform.prototype, Duplex.prototype);
ObjectSetPrototypeOf(Transform, Duplex);

// For subclasses that override _final(): pushes the end after it.
function onPrefinish() {
  if (this._final !== final) FunctionPrototypeCall(final, this);
}

function final(callback) {
  const finish = (value) => {
    if (value !== null && value !== undefined) this.push(value);
    this.push(null);
    if (callback) callback();
  };
  if (typeof this._flush !== 'function' || this.destroyed) {
    finish();
    return;
  }
  this._flush((error, value) => {
    if (!error) finish(value);
    else if (callback) callback(error);
    else this.destroy(error);
  });
}
Transform.prototype._final = final;

Transform.prototype._transform = function(chunk, encoding, callback) {
  throw new ERR_METHOD_NOT_IMPLEMENTED('_transform()');
};

Transform.prototype._write = function(chunk, encoding, callback) {
  const readable = this._readableState;
  const { length } = readable;
  this._transform(chunk, encoding, (error, value) => {
    if (error) {
      callback(error);
      return;
    }
    if (value !== null && value !== undefined) this.push(value);
    if (readable.ended) {
      // The readable side has ended, so there is nothing to wait for. In a tick, so that errors are reported first.
      process.nextTick(callback);
    } else if (this._writableState.ended || length === readable.length || readable.length < readable.highWaterMark) {
      callback();
    } else {
      this[kWaiting] = callback;
    }
  });
};

Transform.prototype._read = function() {
  const callback = this[kWaiting];
  if (!callback) return;
  this[kWaiting] = null;
  callback();
};

function PassThrough(options) {
  if (!(this instanceof PassThrough)) return new PassThrough(options);
  FunctionPrototypeCall(Transform, this, options);
}
ObjectSetPrototypeOf(PassThrough.prototype, Transform.prototype);
ObjectSetPrototypeOf(PassThrough, Transform);

PassThrough.prototype._transform = function(chunk, encoding, callback) {
  callback(null, chunk);
};

module.exports = { PassThrough, Transform };
