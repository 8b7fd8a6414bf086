'use strict';
// How a Transform takes what is written to it: the next chunk is asked for when what came of the last one is read.
const { Symbol } = primordials;
const { Stream: { Transform } } = require('vendor/readable-stream');

const kWaiting = Symbol('waiting callback');

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
      // Nobody will read it. What went wrong is told first.
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
