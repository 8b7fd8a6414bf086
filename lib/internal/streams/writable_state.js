'use strict';
// The state of a Writable. The names are Node's, because programs read them.
const { ArrayPrototypeSlice, ObjectDefineProperty } = primordials;
const { Buffer } = require('buffer');
const { codes: { ERR_UNKNOWN_ENCODING } } = require('internal/errors');
const { getDefaultHighWaterMark, getHighWaterMark } = require('internal/streams/high_water_mark');
const { onwrite } = require('internal/streams/write_queue');

function WritableState(options, stream, isDuplex) {
  const has = options !== undefined && options !== null;
  this.objectMode = has && (!!options.objectMode || (isDuplex && !!options.writableObjectMode));
  this.highWaterMark = has ?
    getHighWaterMark(this, options, 'writableHighWaterMark', isDuplex) :
    getDefaultHighWaterMark(false);
  this.finalCalled = false;
  this.needDrain = false;
  // end() was called; it has returned; 'finish' was emitted.
  this.ending = false;
  this.ended = false;
  this.finished = false;
  this.destroyed = false;
  this.decodeStrings = !has || options.decodeStrings !== false;
  this.defaultEncoding = 'utf8';
  if (has && options.defaultEncoding !== undefined && options.defaultEncoding !== null &&
      options.defaultEncoding !== 'utf8') {
    if (!Buffer.isEncoding(options.defaultEncoding)) throw new ERR_UNKNOWN_ENCODING(options.defaultEncoding);
    this.defaultEncoding = options.defaultEncoding;
  }
  // The size of unwritten chunks: the one passed to _write(), and those in the buffer.
  this.length = 0;
  this.writing = false;
  this.corked = 0;
  // True while _write() is on the stack.
  this.sync = true;
  this.bufferProcessing = false;
  this.onwrite = (error) => onwrite(stream, error);
  this.writecb = null;
  this.writelen = 0;
  this.afterWriteTickInfo = null;
  this.afterWritePending = false;
  this.buffered = [];
  this.bufferedIndex = 0;
  this.allBuffers = true;
  this.allNoop = true;
  // The number of pending callbacks, including 'finish'.
  this.pendingcb = 0;
  this.constructed = true;
  this.prefinished = false;
  this.errorEmitted = false;
  this.emitClose = !has || options.emitClose !== false;
  this.autoDestroy = !has || options.autoDestroy !== false;
  this.errored = null;
  this.closed = false;
  this.closeEmitted = false;
  // False for a Duplex that only reads.
  this.writable = undefined;
  // The callbacks of end().
  this.onFinished = null;
}

WritableState.prototype.getBuffer = function getBuffer() {
  return ArrayPrototypeSlice(this.buffered, this.bufferedIndex);
};
ObjectDefineProperty(WritableState.prototype, 'bufferedRequestCount', {
  __proto__: null,
  get() { return this.buffered.length - this.bufferedIndex; },
});

module.exports = { WritableState };
