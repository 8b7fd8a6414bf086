'use strict';
// A connection to an HTTP/1 server, for requests that are sent as one piece. A net.Socket makes the connection; then
// this reads from and writes to its native stream, without the queues of streams.
//
// A request is an object with `head`, `body` (bytes, text or null) and the functions onStart(connection),
// onHead(status, text, fields), onBody(chunk), onPartial() (more of the body will come later), onEnd()
// and onError(error). The last two end it. They must not throw.

const {
  FunctionPrototypeCall,
  MathMin,
  NumberParseInt,
  RegExpPrototypeExec,
} = primordials;

const { Buffer } = require('buffer');
const { errnoException } = require('internal/errors/system');
const {
  acquireResponseParser,
  execute,
  finish,
  lastError,
  releaseResponseParser,
} = require('internal/http/parser');
const { observed } = require('internal/http/observe');
const { toLowerCase, toRawHeaders } = require('internal/http/received_headers');
const { latin1Slice } = internalBinding('buffer');
const { kIsUpgrade, kShouldKeepAlive } = internalBinding('http_parser');
const { now } = internalBinding('timers');
const { UV_EOF: kEOF } = internalBinding('uv');
const { internals: { errors, util } } = require('vendor/undici');

// undici's defaults, in milliseconds.
const kHeadersTimeout = 300_000;
const kBodyTimeout = 300_000;
const kKeepAliveTimeout = 4_000;
const kMostKeepAliveTimeout = 600_000;
// Connections are closed this long before the server would do so.
const kKeepAliveThreshold = 2_000;

const kHasBody = 0;
const kHasNoBody = 1;
const kLengthField = /\ncontent-length:/i;
const kNotAscii = /[\x80-\xff]/;
const kTimeoutHint = /timeout=(\d+)/;

function onRead(handle, size, chunk) {
  const connection = handle.fetchConnection;
  if (size > 0) {
    connection.onData(chunk);
  } else {
    connection.onReadError(size);
  }
}

class Connection {
  constructor(pool, socket) {
    this.pool = pool;
    this.socket = socket;
    this.handle = null;
    this.parser = null;
    this.request = null;
    this.deadline = 0;
    this.keepAliveTimeout = kKeepAliveTimeout;
    this.status = 0; // 0 until the header fields of the response have arrived.
    this.keepsAlive = true;
    this.isPaused = false;
    this.isClosed = false;
  }

  // The socket is connected.
  open() {
    const { socket } = this;
    this.parser = acquireResponseParser(this);
    const handle = this.handle = socket._handle;
    handle.fetchConnection = this;
    handle.onread = onRead;
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new errors.SocketError('closed', util.getSocketInfo(socket))));
    handle.readStart();
  }

  start(request) {
    this.request = request;
    this.status = 0;
    this.keepsAlive = true;
    this.deadline = now() + kHeadersTimeout;
    const { handle } = this;
    handle.ref();
    request.onStart(this);
    const { head, body } = request;
    const status = body === null ? handle.send(head, true) : handle.send([head, true, body, false]);
    if (status < 0) {
      this.fail(errnoException(status, 'write'));
    } else {
      handle.awaitWrite(status, (result) => {
        if (result < 0) this.fail(errnoException(result, 'write'));
      });
    }
  }

  pause() {
    if (this.isPaused || this.isClosed) return;
    this.isPaused = true;
    this.handle.readStop();
  }

  resume() {
    if (!this.isPaused || this.isClosed) return;
    this.isPaused = false;
    this.deadline = now() + kBodyTimeout;
    this.handle.readStart();
  }

  onData(chunk) {
    if (this.request === null) {
      // Unrequested bytes must not become the response to the next request.
      this.fail(new errors.SocketError('bad response', util.getSocketInfo(this.socket)));
      return;
    }
    if (observed.isOn && this.request.exchange !== null) observed.exchangeContinues(this.request.exchange);
    const parsed = execute(this.parser, chunk);
    if (this.isClosed) return;
    if (parsed === chunk.length) {
      if (this.request !== null) this.request.onPartial();
      return;
    }
    this.fail(parsed < 0 ? this.parseError(chunk) :
      new errors.SocketError('bad response', util.getSocketInfo(this.socket)));
  }

  onReadError(size) {
    if (this.status !== 0 && !this.keepsAlive) {
      // The end of the connection may be the end of the body.
      const status = finish(this.parser);
      if (this.isClosed) return;
      if (status < 0) {
        this.fail(this.parseError());
        return;
      }
    }
    this.fail(size === kEOF ? new errors.SocketError('other side closed', util.getSocketInfo(this.socket)) :
      errnoException(size, 'read'));
  }

  parseError(chunk) {
    const { bytesParsed, code, reason } = lastError(this.parser);
    if (code === 'HPE_HEADER_OVERFLOW') return new errors.HeadersOverflowError();
    // As in undici, an error of a response with a length is reported as a wrong length, without a code.
    if (this.status === 0 && chunk !== undefined &&
        RegExpPrototypeExec(kLengthField, FunctionPrototypeCall(latin1Slice, chunk, 0, bytesParsed)) !== null) {
      return new errors.ResponseContentLengthMismatchError();
    }
    return new errors.HTTPParserError(`Response does not match the HTTP/1.1 protocol (${reason})`, undefined,
      chunk === undefined ? '' : chunk.subarray(bytesParsed));
  }

  // The parser calls these. A negative result of onHead() has no meaning for it, so failures end its use.
  onHead(flags, status, text, head, ends) {
    if (this.request === null) {
      // A second response in the bytes of the first one.
      this.fail(new errors.SocketError('bad response', util.getSocketInfo(this.socket)));
      return kHasNoBody;
    }
    if (status < 200) {
      if (status === 100 || (flags & kIsUpgrade) !== 0) {
        this.fail(new errors.SocketError(status === 100 ? 'bad response' : 'bad upgrade',
          util.getSocketInfo(this.socket)));
      }
      return kHasNoBody;
    }
    this.status = status;
    this.keepsAlive = (flags & kShouldKeepAlive) !== 0;
    this.deadline = now() + kBodyTimeout;
    const fields = ends === undefined ? [] : toRawHeaders(head, ends, Infinity);
    for (let i = 0; i < fields.length; i += 2) {
      const name = fields[i] = toLowerCase(fields[i]);
      if (name === 'keep-alive') this.readHint(fields[i + 1]);
    }
    // undici decodes this, but not the fields, as UTF-8.
    if (RegExpPrototypeExec(kNotAscii, text) !== null) text = Buffer.from(text, 'latin1').toString();
    this.request.onHead(status, text, fields);
    return kHasBody;
  }

  readHint(value) {
    const match = RegExpPrototypeExec(kTimeoutHint, value);
    if (match === null) return;
    this.keepAliveTimeout =
      MathMin(NumberParseInt(match[1], 10) * 1000 - kKeepAliveThreshold, kMostKeepAliveTimeout);
    if (this.keepAliveTimeout <= 0) this.keepsAlive = false;
  }

  onBody(chunk) {
    this.deadline = now() + kBodyTimeout;
    this.request.onBody(chunk);
  }

  onEnd() {
    if (this.status === 0) return; // Of an interim response.
    const { request } = this;
    this.request = null;
    this.resume();
    // The request was not sent completely: the connection cannot be reused.
    if (!this.keepsAlive || this.isClosed || this.handle.writeQueueSize > 0) {
      this.close();
    } else {
      this.deadline = now() + this.keepAliveTimeout;
      this.handle.unref();
      this.pool.release(this);
    }
    request.onEnd();
  }

  onDeadline() {
    if (this.request === null) {
      this.close();
    } else if (this.status === 0) {
      this.fail(new errors.HeadersTimeoutError());
    } else if (!this.isPaused) {
      this.fail(new errors.BodyTimeoutError());
    }
  }

  // Ends the connection and its request.
  fail(error) {
    if (this.isClosed) return;
    const { request } = this;
    this.request = null;
    this.close();
    if (request !== null) request.onError(error);
  }

  close() {
    if (this.isClosed) return;
    this.isClosed = true;
    if (observed.isOn && this.request !== null && this.request.exchange !== null) {
      observed.exchangeEnded(this.request.exchange, true);
    }
    releaseResponseParser(this.parser);
    this.pool.remove(this);
    this.socket.destroy();
  }
}

module.exports = { Connection };
