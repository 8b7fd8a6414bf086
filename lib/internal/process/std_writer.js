'use strict';
// The streams process.stdout and process.stderr. They write synchronously, whatever the descriptor is, so that the
// output is complete when the process ends. Node documents this for files, terminals and (on Linux) pipes.
const { ErrorCaptureStackTrace, FunctionPrototypeCall, ObjectSetPrototypeOf, Symbol } = primordials;
const { Writable } = require('stream');
const binding = internalBinding('stdio');
const { ErrnoException } = require('internal/errors');

const kWritesAtOnce = Symbol('kWritesAtOnce');

// The stream for everything except terminals, which use tty.WriteStream.
function SyncWriteStream(fd, options) {
  FunctionPrototypeCall(Writable, this, { autoDestroy: true, ...options, decodeStrings: false });
  this.fd = fd;
  this.readable = false;
}
ObjectSetPrototypeOf(SyncWriteStream.prototype, Writable.prototype);
ObjectSetPrototypeOf(SyncWriteStream, Writable);
SyncWriteStream.prototype[kWritesAtOnce] = true;

function writeChunk(fd, chunk, encoding) {
  if (typeof chunk !== 'string') return binding.writeBytes(fd, chunk);
  if (encoding === 'utf8' || encoding === 'utf-8' || encoding === 'buffer') return binding.writeString(fd, chunk);
  const { Buffer } = require('buffer');
  return binding.writeBytes(fd, Buffer.from(chunk, encoding));
}

function write(chunk, encoding, callback) {
  const result = writeChunk(this.fd, chunk, encoding);
  if (result < 0) {
    const error = new ErrnoException(result, 'write');
    ErrorCaptureStackTrace(error, plainWrite);
    callback(error);
  } else {
    callback();
  }
}
SyncWriteStream.prototype._write = write;
SyncWriteStream.prototype.ref = function ref() { return this; };
SyncWriteStream.prototype.unref = function unref() { return this; };

// Destroying the stream does not close the descriptor, which the whole process shares, and the stream stays usable.
function destroyNothing(error, callback) {
  callback(error);
  this._undestroy();
  if (!this._writableState.emitClose) process.nextTick(() => this.emit('close'));
}

function makeStdio(stream, type) {
  stream._type = type;
  stream._isStdio = true;
  stream.destroySoon = stream.destroy;
  stream._destroy = destroyNothing;
  return stream;
}

function makeStdout(fd) {
  const kind = binding.kind(fd);
  if (kind !== 'tty') {
    return makeStdio(new SyncWriteStream(fd, { emitClose: kind === 'file' }), kind === 'pipe' ? 'pipe' : 'fs');
  }
  const { WriteStream } = require('tty');
  const stream = makeStdio(new WriteStream(fd), 'tty');
  process.on('SIGWINCH', () => stream._refreshSize());
  return stream;
}

const plainWrite = Writable.prototype.write;

// True if a line can bypass the stream: the program has not replaced its methods, and nothing is queued.
function writesAtOnce(stream) {
  return stream[kWritesAtOnce] === true && stream.write === plainWrite && stream._write === write &&
    stream._writableState.length === 0 && stream.writableCorked === 0 && stream.writable;
}

function nop() {}

// Writes a line for console, without a callback in a later tick. A failure emits 'error', which is ignored if there is
// no listener.
function writeLine(stream, text) {
  const result = binding.writeString(stream.fd, text);
  if (result >= 0) return;
  process.nextTick(() => {
    const isGuarded = stream.listenerCount('error') === 0;
    if (isGuarded) stream.once('error', nop);
    stream.emit('error', new ErrnoException(result, 'write'));
    if (isGuarded) stream.removeListener('error', nop);
  });
}

module.exports = { SyncWriteStream, makeStdio, makeStdout, writeLine, writesAtOnce };
