'use strict';
// node:tty: the streams of process.stdin, stdout and stderr when they are connected to a terminal.
const { FunctionPrototypeCall, NumberIsInteger, ObjectSetPrototypeOf } = primordials;
const { kind, windowSize } = internalBinding('stdio');
const { UV_EINVAL } = internalBinding('uv');
const { codes: { ERR_INVALID_FD, ERR_TTY_INIT_FAILED }, ErrnoException } = require('internal/errors');
const { getColorDepth, hasColors } = require('internal/tty');
const { SyncWriteStream } = require('internal/process/std_writer');
const { Socket } = require('net');
const { StreamHandle, kTty } = require('internal/net/stream_handle');

const kMostDescriptor = 2147483647;

// Loaded lazily: programs that only print do not move the cursor.
const cursor = () => require('internal/readline/callbacks');

function isatty(fd) {
  return NumberIsInteger(fd) && fd >= 0 && fd <= kMostDescriptor && kind(fd) === 'tty';
}

function checkDescriptor(fd) {
  if (fd >> 0 !== fd || fd < 0) throw new ERR_INVALID_FD(fd);
  if (kind(fd) !== 'tty') {
    throw new ERR_TTY_INIT_FAILED({
      errno: UV_EINVAL, code: 'EINVAL', message: 'invalid argument', syscall: 'uv_tty_init',
    });
  }
}

function ReadStream(fd, options) {
  if (!(this instanceof ReadStream)) return new ReadStream(fd, options);
  checkDescriptor(fd);
  const handle = new StreamHandle(kTty);
  const status = handle.open(fd);
  if (status < 0) throw new ErrnoException(status, 'open');
  FunctionPrototypeCall(Socket, this, { highWaterMark: 0, handle, manualStart: true, ...options });
  this.isRaw = false;
  this.isTTY = true;
}
ObjectSetPrototypeOf(ReadStream.prototype, Socket.prototype);
ObjectSetPrototypeOf(ReadStream, Socket);

ReadStream.prototype.setRawMode = function(flag) {
  flag = !!flag;
  const status = this._handle ? this._handle.setRawMode(flag) : 0;
  if (status < 0) this.emit('error', new ErrnoException(status, 'setRawMode'));
  else this.isRaw = flag;
  return this;
};

function WriteStream(fd) {
  if (!(this instanceof WriteStream)) return new WriteStream(fd);
  checkDescriptor(fd);
  FunctionPrototypeCall(SyncWriteStream, this, fd, { emitClose: false });
  const size = windowSize(fd);
  if (size !== undefined) {
    this.columns = size[0];
    this.rows = size[1];
  }
}
ObjectSetPrototypeOf(WriteStream.prototype, SyncWriteStream.prototype);
ObjectSetPrototypeOf(WriteStream, SyncWriteStream);

WriteStream.prototype.isTTY = true;
WriteStream.prototype.getColorDepth = getColorDepth;
WriteStream.prototype.hasColors = hasColors;

WriteStream.prototype._refreshSize = function() {
  const size = windowSize(this.fd);
  if (size === undefined) return;
  const { columns, rows } = this;
  this.columns = size[0];
  this.rows = size[1];
  if (columns !== size[0] || rows !== size[1]) this.emit('resize');
};

WriteStream.prototype.cursorTo = function(x, y, callback) {
  return cursor().cursorTo(this, x, y, callback);
};
WriteStream.prototype.moveCursor = function(dx, dy, callback) {
  return cursor().moveCursor(this, dx, dy, callback);
};
WriteStream.prototype.clearLine = function(direction, callback) {
  return cursor().clearLine(this, direction, callback);
};
WriteStream.prototype.clearScreenDown = function(callback) {
  return cursor().clearScreenDown(this, callback);
};
WriteStream.prototype.getWindowSize = function() {
  return [this.columns, this.rows];
};

module.exports = { isatty, ReadStream, WriteStream };
