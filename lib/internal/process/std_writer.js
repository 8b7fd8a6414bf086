'use strict';
// What process.stdout and process.stderr are: a writable that writes at once, whatever the
// descriptor is. Node documents this for files, terminals and (on Linux) pipes; it is what makes
// output complete when the process ends.
const { ErrorCaptureStackTrace, FunctionPrototypeCall, ObjectSetPrototypeOf } = primordials;
const EventEmitter = require('events');
const binding = internalBinding('stdio');
const {
  codes: {
    ERR_INVALID_ARG_TYPE,
    ERR_STREAM_NULL_VALUES,
    ERR_STREAM_WRITE_AFTER_END,
    ERR_STREAM_DESTROYED,
    ERR_UNKNOWN_ENCODING,
  },
  ErrnoException,
} = require('internal/errors');

function StdWriter(fd) {
  FunctionPrototypeCall(EventEmitter, this);
  this.fd = fd;
  this._type = binding.kind(fd);
  this._isStdio = true;
  this.writable = true;
  this.writableEnded = false;
  this.writableFinished = false;
  this.writableLength = 0;
  this.writableHighWaterMark = 16384;
  this.writableObjectMode = false;
  this.writableCorked = 0;
  this.writableNeedDrain = false;
  this.destroyed = false;
  this.errored = null;
  this.closed = false;
  this._defaultEncoding = 'utf8';
  if (this._type === 'tty') {
    this.isTTY = true;
    readWindowSize(this);
  }
}
ObjectSetPrototypeOf(StdWriter.prototype, EventEmitter.prototype);
ObjectSetPrototypeOf(StdWriter, EventEmitter);

function readWindowSize(stream) {
  const size = binding.windowSize(stream.fd);
  if (size === undefined) return;
  stream.columns = size[0];
  stream.rows = size[1];
}

function fail(stream, error, callback) {
  process.nextTick(() => {
    if (typeof callback === 'function') callback(error);
    if (stream.listenerCount('error') > 0 || callback === undefined) stream.emit('error', error);
  });
  return false;
}

StdWriter.prototype.write = function write(chunk, encoding, callback) {
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = undefined;
  }
  let result;
  if (chunk === null) throw new ERR_STREAM_NULL_VALUES();
  if (this.writableEnded) return fail(this, new ERR_STREAM_WRITE_AFTER_END(), callback);
  if (this.destroyed) return fail(this, new ERR_STREAM_DESTROYED('write'), callback);
  if (typeof chunk === 'string') {
    if (encoding === undefined || encoding === 'utf8' || encoding === 'utf-8' || encoding === 'buffer') {
      result = binding.writeString(this.fd, chunk);
    } else {
      const { Buffer } = require('buffer');
      if (!Buffer.isEncoding(encoding)) throw new ERR_UNKNOWN_ENCODING(encoding);
      result = binding.writeBytes(this.fd, Buffer.from(chunk, encoding));
    }
  } else if (ArrayBuffer.isView(chunk)) {
    result = binding.writeBytes(this.fd, chunk);
  } else {
    throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'Uint8Array'], chunk);
  }
  if (result < 0) {
    const error = new ErrnoException(result, 'write');
    ErrorCaptureStackTrace(error, StdWriter.prototype.write);
    this.errored = error;
    return fail(this, error, callback);
  }
  if (typeof callback === 'function') process.nextTick(callback, null);
  return true;
};

StdWriter.prototype.end = function end(chunk, encoding, callback) {
  if (typeof chunk === 'function') {
    callback = chunk;
    chunk = undefined;
  } else if (typeof encoding === 'function') {
    callback = encoding;
    encoding = undefined;
  }
  if (chunk !== undefined && chunk !== null) this.write(chunk, encoding);
  if (this.writableEnded) {
    if (typeof callback === 'function') process.nextTick(callback, new ERR_STREAM_WRITE_AFTER_END());
    return this;
  }
  this.writableEnded = true;
  this.writable = false;
  process.nextTick(() => {
    this.writableFinished = true;
    if (typeof callback === 'function') callback();
    this.emit('finish');
  });
  return this;
};

// The descriptors are everybody's: closing the stream leaves them open, as in Node.
StdWriter.prototype.destroy = function destroy(error, callback) {
  this._destroy(error ?? null, (problem) => {
    if (typeof callback === 'function') callback(problem);
  });
  return this;
};
StdWriter.prototype._destroy = function _destroy(error, callback) {
  callback(error);
  process.nextTick(() => this.emit('close'));
};
StdWriter.prototype.destroySoon = StdWriter.prototype.destroy;
StdWriter.prototype.cork = function cork() { this.writableCorked++; };
StdWriter.prototype.uncork = function uncork() { if (this.writableCorked > 0) this.writableCorked--; };
StdWriter.prototype.setDefaultEncoding = function setDefaultEncoding(encoding) {
  const { Buffer } = require('buffer');
  if (!Buffer.isEncoding(encoding)) throw new ERR_UNKNOWN_ENCODING(encoding);
  this._defaultEncoding = encoding;
  return this;
};
StdWriter.prototype.ref = function ref() { return this; };
StdWriter.prototype.unref = function unref() { return this; };
StdWriter.prototype._refreshSize = function _refreshSize() {
  const { columns, rows } = this;
  readWindowSize(this);
  if (columns !== this.columns || rows !== this.rows) this.emit('resize');
};

// Terminals.
StdWriter.prototype.getWindowSize = function getWindowSize() {
  return [this.columns, this.rows];
};
StdWriter.prototype.getColorDepth = function getColorDepth(env) {
  return require('internal/tty').getColorDepth(env);
};
StdWriter.prototype.hasColors = function hasColors(count, env) {
  return require('internal/tty').hasColors(this, count, env);
};

StdWriter.prototype.cursorTo = function cursorTo(x, y, callback) {
  if (typeof y === 'function') {
    callback = y;
    y = undefined;
  }
  return this.write(typeof y === 'number' ? `\x1b[${y + 1};${x + 1}H` : `\x1b[${x + 1}G`, callback);
};
StdWriter.prototype.moveCursor = function moveCursor(dx, dy, callback) {
  let text = '';
  if (dx < 0) text += `\x1b[${-dx}D`;
  else if (dx > 0) text += `\x1b[${dx}C`;
  if (dy < 0) text += `\x1b[${-dy}A`;
  else if (dy > 0) text += `\x1b[${dy}B`;
  return this.write(text, callback);
};
StdWriter.prototype.clearLine = function clearLine(direction, callback) {
  return this.write(direction < 0 ? '\x1b[1K' : direction > 0 ? '\x1b[0K' : '\x1b[2K', callback);
};
StdWriter.prototype.clearScreenDown = function clearScreenDown(callback) {
  return this.write('\x1b[0J', callback);
};

// For console: a line at once, without a callback in a later tick. A failure is told to those who listen for errors, and
// to nobody else.
function writeLine(stream, text) {
  const result = binding.writeString(stream.fd, text);
  if (result < 0) fail(stream, stream.errored = new ErrnoException(result, 'write'), () => {});
}

module.exports = { StdWriter, writeLine };
