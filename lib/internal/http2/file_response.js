'use strict';
// respondWithFD() and respondWithFile(): a response whose data is read from a descriptor.

const { Boolean, MathMin, Number, ReflectApply } = primordials;

const fs = require('fs');
const {
  codes: {
    ERR_HTTP2_INVALID_STREAM,
    ERR_HTTP2_PAYLOAD_FORBIDDEN,
    ERR_HTTP2_SEND_FILE,
    ERR_HTTP2_SEND_FILE_NOSEEK,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
  },
} = require('internal/errors');
const { constants } = require('internal/http2/constants');
const { buildNgHeaderString, prepareResponseHeadersObject } = require('internal/http2/headers');
const { hasNoData } = require('internal/http2/server_stream');
const { debugStream } = require('internal/http2/debug');
const { trackWrite, untrackWrite } = require('internal/http2/stream_write');
const {
  NghttpError,
  assertIsObject,
  assertValidPseudoHeaderResponse,
  kHandle,
  kSentHeaders,
  kState,
  kStrictSingleValueFields,
  kUpdateTimer,
} = require('internal/http2/util');

const { NGHTTP2_INTERNAL_ERROR } = constants;
const kReadSize = 64 * 1024;

function nothing() {}

function closeOwn(stream, fd) {
  if (stream.ownsFd) fs.close(fd, nothing);
}

// Sends the data of a descriptor: the next part is read when the previous one is sent.
class FileSender {
  constructor(stream, fd, offset, length) {
    this.stream = stream;
    this.handle = stream[kHandle];
    this.fd = fd;
    this.position = offset >= 0 ? offset : null;
    this.left = length >= 0 ? length : Number.MAX_SAFE_INTEGER;
  }

  next() {
    const { stream } = this;
    if (stream.destroyed || stream[kHandle] !== this.handle) {
      this.finish();
      return;
    }
    const size = MathMin(kReadSize, this.left);
    if (size === 0) {
      this.end();
      return;
    }
    const { Buffer } = require('buffer');
    fs.read(this.fd, Buffer.allocUnsafeSlow(size), 0, size, this.position,
      (error, count, buffer) => this.onRead(error, count, buffer));
  }

  onRead(error, count, buffer) {
    const { stream } = this;
    if (stream.destroyed) {
      this.finish();
    } else if (error) {
      this.finish();
      stream.close(NGHTTP2_INTERNAL_ERROR);
    } else if (count === 0) {
      this.end();
    } else {
      this.left -= count;
      if (this.position !== null) this.position += count;
      this.send(count < buffer.length ? buffer.subarray(0, count) : buffer);
    }
  }

  send(chunk) {
    const { stream } = this;
    const size = this.handle.send(chunk, false, () => {
      if (!stream.destroyed) {
        stream[kUpdateTimer]();
        untrackWrite(stream, size);
      }
      this.next();
    });
    if (size < 0) {
      this.finish();
    } else {
      trackWrite(stream, size);
    }
  }

  end() {
    this.handle.endWriting();
    this.finish();
  }

  finish() {
    closeOwn(this.stream, this.fd);
  }
}

function send(stream, fd, headers, offset = 0, length = -1, hasTrailers = false) {
  stream[kState].headersSent = true;
  let headersList;
  try {
    headersList =
      buildNgHeaderString(headers, assertValidPseudoHeaderResponse, stream.session[kStrictSingleValueFields]);
  } catch (error) {
    closeOwn(stream, fd);
    stream.destroy(error);
    return;
  }
  stream[kSentHeaders] = headers;
  // End the writable side without _final(), which would end the native stream: that sends the file.
  stream._final = null;
  stream.end();
  const status = stream[kHandle].respond(headersList[0], headersList[1], false, hasTrailers);
  if (status < 0) {
    closeOwn(stream, fd);
    stream.destroy(new NghttpError(status));
    return;
  }
  new FileSender(stream, fd, offset, length).next();
}

// Checks the options of both functions, and returns a copy.
function prepare(stream, options) {
  assertIsObject(options, 'options');
  options = { ...options };
  if (options.offset !== undefined && typeof options.offset !== 'number') {
    throw new ERR_INVALID_ARG_VALUE('options.offset', options.offset);
  }
  if (options.length !== undefined && typeof options.length !== 'number') {
    throw new ERR_INVALID_ARG_VALUE('options.length', options.length);
  }
  if (options.statCheck !== undefined && typeof options.statCheck !== 'function') {
    throw new ERR_INVALID_ARG_VALUE('options.statCheck', options.statCheck);
  }
  if (options.waitForTrailers) stream[kState].hasTrailers = true;
  return options;
}

function prepareHeaders(stream, headersParam, options, ownsFd) {
  debugStream(stream, 'initiating response from file');
  stream[kUpdateTimer]();
  stream.ownsFd = ownsFd;
  const { headers, statusCode } = prepareResponseHeadersObject(headersParam, options);
  if (hasNoData(statusCode) || stream.headRequest) throw new ERR_HTTP2_PAYLOAD_FORBIDDEN(statusCode);
  return headers;
}

// True if the program has cancelled the response, or has already sent another one.
function isCancelled(stream, options, ...args) {
  if (typeof options.statCheck === 'function' &&
      ReflectApply(options.statCheck, stream, args) === false) {
    return true;
  }
  return stream[kState].headersSent;
}

function rangeOf(options) {
  return { offset: options.offset ?? 0, length: options.length ?? -1 };
}

function respondWithFD(stream, fd, headersParam, options) {
  options = prepare(stream, options);
  const { FileHandle } = require('internal/fs/file_handle');
  if (fd instanceof FileHandle) {
    fd = fd.fd;
  } else if (typeof fd !== 'number') {
    throw new ERR_INVALID_ARG_TYPE('fd', ['number', 'FileHandle'], fd);
  }
  const headers = prepareHeaders(stream, headersParam, options, false);
  const hasTrailers = Boolean(options.waitForTrailers);
  if (options.statCheck === undefined) {
    send(stream, fd, headers, options.offset, options.length, hasTrailers);
    return;
  }
  fs.fstat(fd, (error, stat) => {
    if (error) {
      stream.destroy(error);
    } else if (stream.destroyed || stream.closed) {
      stream.destroy(new ERR_HTTP2_INVALID_STREAM());
    } else {
      const range = rangeOf(options);
      if (!isCancelled(stream, options, stat, headers, range)) {
        send(stream, fd, headers, range.offset | 0, range.length | 0, hasTrailers);
      }
    }
  });
}

function fail(stream, options, error) {
  if (options.onError) {
    options.onError(error);
  } else {
    stream.destroy(error);
  }
}

// The file is open, and known to be of this kind.
function sendFile(stream, fd, headers, options, stat) {
  if (!stat.isFile()) {
    const isDirectory = stat.isDirectory();
    if (isDirectory || options.offset !== undefined || options.length !== undefined) {
      fs.close(fd, nothing);
      fail(stream, options, isDirectory ? new ERR_HTTP2_SEND_FILE() : new ERR_HTTP2_SEND_FILE_NOSEEK());
      return;
    }
    options.offset = -1;
    options.length = -1;
  }
  if (stream.destroyed || stream.closed) {
    fs.close(fd, nothing);
    stream.destroy(new ERR_HTTP2_INVALID_STREAM());
    return;
  }
  const range = rangeOf(options);
  if (isCancelled(stream, options, stat, headers)) {
    fs.close(fd, nothing);
    return;
  }
  if (stat.isFile()) {
    const most = stat.size - range.offset;
    range.length = range.length < 0 ? most : MathMin(most, range.length);
    headers['content-length'] = range.length;
  }
  send(stream, fd, headers, options.offset | 0, range.length | 0, Boolean(options.waitForTrailers));
}

function respondWithFile(stream, path, headersParam, options) {
  options = prepare(stream, options);
  const headers = prepareHeaders(stream, headersParam, options, true);
  fs.open(path, 'r', (error, fd) => {
    if (error) {
      fail(stream, options, error);
      return;
    }
    if (stream.destroyed || stream.closed) {
      fs.close(fd, nothing);
      return;
    }
    stream[kState].fd = fd;
    fs.fstat(fd, (failure, stat) => {
      if (failure) {
        fs.close(fd, nothing);
        fail(stream, options, failure);
      } else {
        sendFile(stream, fd, headers, options, stat);
      }
    });
  });
}

module.exports = { respondWithFD, respondWithFile };
