'use strict';
// A connection of an http.Server: parses requests, keeps responses in the order of their requests, and closes.

const {
  ArrayPrototypePush,
  ArrayPrototypeShift,
  Boolean,
  FunctionPrototypeCall,
  NumberIsFinite,
  RegExpPrototypeExec,
  Symbol,
} = primordials;

const { Buffer } = require('buffer');
const { channel } = require('diagnostics_channel');
const {
  ConnResetException,
  errnoException,
  codes: { ERR_HTTP_REQUEST_TIMEOUT, ERR_HTTP_SOCKET_ENCODING },
} = require('internal/errors');
const { Socket } = require('internal/net/socket');
const { StreamHandle } = require('internal/net/stream_handle');
const { kTimeout } = require('internal/net/symbols');
const { detachSignal, hasField } = require('internal/http/incoming');
const { observed } = require('internal/http/observe');
const {
  acquireParser,
  consume,
  execute,
  finish,
  isWaiting,
  kRequest,
  parseError,
  pause,
  readData,
  releaseParser,
  resume,
  takeWaiting,
  unconsume,
} = require('internal/http/parser');
const { emitClose } = require('internal/http/response');
const STATUS_CODES = require('internal/http/status_codes');
const {
  kConnection,
  kConnections,
  kIncomingMessage,
  kNeedDrain,
  kServerResponse,
  kUniqueHeaders,
} = require('internal/http/symbols');
const { UpgradeStream } = require('internal/http/upgrade_stream');

const { kExpects, kHasHost } = internalBinding('http_parser');

let debug = require('internal/util/debuglog').debuglog('http', (fn) => { debug = fn; });

const requestStarts = channel('http.server.request.start');
const responseFinishes = channel('http.server.response.finish');
const continueWord = /(?:^|\W)100-continue(?:$|\W)/i;

const kAnswered = Symbol('kAnswered'); // The request of a response.
const kSkipsEmptyBodies = Symbol('OptimizeEmptyRequestsOption');

function nothing() {}

// A time of the server's options; `otherwise` if the value is invalid.
function timeOr(value, otherwise) {
  return NumberIsFinite(value) && value >= 0 ? value : otherwise;
}

class Connection {
  constructor(server, socket) {
    this.server = server;
    this.socket = socket;
    this.requests = []; // Requests whose responses have not finished.
    this.responses = []; // Responses that wait for an earlier one.
    this.queuedSize = 0; // The approximate number of bytes in waiting responses.
    this.requestCount = 0;
    this.waitsForRequest = false; // The timeout of the socket is keepAliveTimeout.
    this.upgradeStream = null;
    this.receivedAt = 0; // For internal/http/observe: when the first byte of the next request arrived.
    this.onPendingData = (size) => {
      this.queuedSize += size;
      this.onDrain();
    };
  }

  start() {
    const { server, socket } = this;
    debug('new connection');
    socket.server = server;
    socket[kConnection] = this;
    if (server.timeout && typeof socket.setTimeout === 'function') socket.setTimeout(server.timeout);
    socket.on('timeout', onTimeout);
    const parser = acquireParser(kRequest, socket, server, onIncoming, server[kConnections]);
    parser.Message = server[kIncomingMessage];
    parser.joinDuplicateHeaders = server.joinDuplicateHeaders;
    socket.on('data', onData);
    socket.on('error', onError);
    socket.on('end', onEnd);
    socket.on('close', onClose);
    socket.on('drain', onDrain);
    socket.on('resume', onResume);
    socket.on('pause', onPause);
    socket.setEncoding = refuseEncoding;
    socket._paused = false;
    if (consume(parser, socket, onParsed)) {
      socket.on = on;
      socket.addListener = addListener;
      socket.prependListener = prependListener;
    }
  }

  // Called when waiting responses hold more data than the socket would buffer, and when they hold less again.
  onDrain() {
    const { socket } = this;
    if (socket._paused && this.queuedSize <= socket.writableHighWaterMark) {
      socket._paused = false;
      if (socket.parser) resume(socket.parser);
      socket.resume();
    }
    const response = socket._httpMessage;
    if (response && !response.finished && response[kNeedDrain] && response.writableLength === 0) {
      response[kNeedDrain] = false;
      response.emit('drain');
    }
  }

  // A listener for 'data' of the socket. Not called while native code reads from the socket, unless the program emits
  // the event.
  onData(data) {
    const { socket } = this;
    const { parser } = socket;
    if (observed.isOn) observed.dataArrived(this);
    const parsed = execute(parser, data);
    if (!isWaiting(parser, parsed, data)) this.onParsed(parser, parsed, data);
  }

  // `data` is undefined for the data of the current read.
  onParsed(parser, parsed, data) {
    const { socket } = this;
    const request = parser.incoming;
    if (parsed < 0) {
      FunctionPrototypeCall(onError, socket, parseError(parser, data ?? readData(parser)));
    } else if (request?.upgrade) {
      this.upgrade(parser, request, data ?? readData(parser), parsed);
    } else if (request?.method === 'PRI') {
      // The preface of HTTP/2.
      socket.destroy();
    }
    if (socket._paused && socket.parser) pause(socket.parser);
    const next = takeWaiting(parser);
    if (next !== undefined && socket.parser === parser) this.onData(next);
  }

  // The first line and header fields of a request have arrived.
  onRequest(request, keepsAlive) {
    const { server, socket } = this;
    debug('request', request.method, request.url);
    if (this.waitsForRequest) {
      this.waitsForRequest = false;
      socket.setTimeout(server.timeout || 0);
    } else if (socket[kTimeout]) {
      socket._unrefTimer();
    }
    if (request.upgrade) {
      request.upgrade = request.method === 'CONNECT' || Boolean(server.shouldUpgradeCallback(request));
      if (request.upgrade) return;
    }
    ArrayPrototypePush(this.requests, request);
    // A client that sends requests but reads no responses must wait.
    if (!socket._paused &&
        (socket._writableState.needDrain || this.queuedSize >= socket.writableHighWaterMark)) {
      socket._paused = true;
      socket.pause();
    }
    const response = this.createResponse(request, keepsAlive);
    if (requestStarts.hasSubscribers) requestStarts.publish({ request, response, socket, server });
    if (server[kSkipsEmptyBodies] && !('content-length' in request.headers) &&
        !('transfer-encoding' in request.headers)) {
      request._dumpAndCloseReadable();
      request._read();
    }
    if (socket._httpMessage) {
      ArrayPrototypePush(this.responses, response);
    } else {
      response.assignSocket(socket);
    }
    response[kConnection] = this;
    response[kAnswered] = request;
    response.on('finish', onResponseFinish);
    if (observed.isOn) {
      observed.handle(this, request, response);
    } else {
      this.dispatch(request, response);
    }
  }

  dispatch(request, response) {
    if (request.httpVersionMajor !== 1 || request.httpVersionMinor !== 1 || !this.respondsItself(request, response)) {
      this.server.emit('request', request, response);
    }
  }

  createResponse(request, keepsAlive) {
    const { server, socket } = this;
    const { rejectNonStandardBodyWrites } = server;
    const response = new server[kServerResponse](request,
      { highWaterMark: socket.writableHighWaterMark, rejectNonStandardBodyWrites });
    response._keepAliveTimeout = server.keepAliveTimeout;
    response._maxRequestsPerSocket = server.maxRequestsPerSocket;
    response._onPendingData = this.onPendingData;
    response.shouldKeepAlive = keepsAlive;
    response[kUniqueHeaders] = server[kUniqueHeaders];
    return response;
  }

  // Handles HTTP/1.1 requests that lib answers, or that emit another event than 'request'. Returns false for others.
  respondsItself(request, response) {
    const { server, socket } = this;
    if (server.requireHostHeader && !hasField(request, kHasHost, 'host')) {
      response.writeHead(400, ['Connection', 'close']);
      response.end();
      return true;
    }
    const most = server.maxRequestsPerSocket;
    if (typeof most === 'number' && most > 0) {
      this.requestCount++;
      response.maxRequestsOnConnectionReached = most <= this.requestCount;
      if (most < this.requestCount) {
        server.emit('dropRequest', request, socket);
        response.writeHead(503);
        response.end();
        return true;
      }
    }
    if (!hasField(request, kExpects, 'expect')) return false;
    if (RegExpPrototypeExec(continueWord, request.headers.expect) !== null) {
      response._expect_continue = true;
      if (server.listenerCount('checkContinue') > 0) {
        server.emit('checkContinue', request, response);
        return true;
      }
      response.writeContinue();
      return false;
    }
    if (server.listenerCount('checkExpectation') > 0) {
      server.emit('checkExpectation', request, response);
    } else {
      response.writeHead(417);
      response.end();
    }
    return true;
  }

  onFinished(request, response) {
    const { server, socket } = this;
    debug('response sent', response.statusCode);
    if (observed.isOn) observed.responseEnded(response);
    if (responseFinishes.hasSubscribers) responseFinishes.publish({ request, response, socket, server });
    detachSignal(request);
    ArrayPrototypeShift(this.requests);
    // The program has not read the body, and it is not needed any more.
    if (!request._consuming && !request._readableState.resumeScheduled) request._dump();
    response.detachSocket(socket);
    forgetIncoming(request);
    process.nextTick(emitClose, response);
    if (response._last) {
      if (typeof socket.destroySoon === 'function') {
        socket.destroySoon();
      } else {
        socket.end();
      }
    } else if (this.responses.length !== 0) {
      this.sendNext();
    } else {
      const timeout = timeOr(server.keepAliveTimeout, 0);
      if (timeout && typeof socket.setTimeout === 'function') {
        // Longer than the response states, so that the client does not use the connection while it closes.
        socket.setTimeout(timeout + timeOr(server.keepAliveTimeoutBuffer, 1000));
        this.waitsForRequest = true;
      }
    }
  }

  // Waiting responses that are complete leave in one write, although each finishes by itself. Over TLS each is a record
  // of its own.
  sendNext() {
    const { responses, socket } = this;
    const response = ArrayPrototypeShift(responses);
    const { _handle } = socket;
    const handle = _handle instanceof StreamHandle && _handle.held !== undefined ? _handle : null;
    const isFollowed = response.finished && responses.length !== 0 && responses[0].finished;
    if (isFollowed) handle?.holdWrites();
    response.assignSocket(socket);
    if (isFollowed || handle === null || handle.held === null) return;
    const status = handle.sendHeld();
    if (status < 0) socket.destroy(errnoException(status, 'write'));
  }

  upgrade(parser, request, data, parsed) {
    const { server, socket } = this;
    const event = request.method === 'CONNECT' ? 'connect' : 'upgrade';
    let stream = socket;
    if (request.complete) {
      this.release();
      finish(parser);
      releaseParser(parser, request, socket);
    } else {
      // The stream exists already: this is more of the body.
      if (this.upgradeStream !== null) return;
      stream = this.upgradeStream = new UpgradeStream(socket, request);
    }
    if (server.listenerCount(event) === 0) {
      socket.destroy();
      return;
    }
    const head = data.slice(parsed, data.length);
    if (request.complete && this.upgradeStream !== null) {
      this.upgradeStream.requestBodyCompleted(head);
    } else {
      socket.readableFlowing = null;
      server.emit(event, request, stream, head);
    }
  }

  // From now on the socket is the program's.
  release() {
    const { socket } = this;
    socket.removeListener('data', onData);
    socket.removeListener('end', onEnd);
    socket.removeListener('close', onClose);
    socket.removeListener('drain', onDrain);
    socket.removeListener('error', onError);
    socket.removeListener('timeout', onTimeout);
    socket.removeListener('pause', onPause);
    socket.removeListener('resume', onResume);
    delete socket.setEncoding;
    delete socket.on;
    delete socket.addListener;
    delete socket.prependListener;
  }

  onEnd() {
    const { server, socket } = this;
    const { parser } = socket;
    if (parser && finish(parser) < 0) {
      FunctionPrototypeCall(onError, socket, parseError(parser));
    } else if (!server.httpAllowHalfOpen) {
      socket.end();
    } else if (this.responses.length !== 0) {
      this.responses[this.responses.length - 1]._last = true;
    } else if (socket._httpMessage) {
      socket._httpMessage._last = true;
    } else {
      socket.end();
    }
  }

  onClose() {
    if (observed.isOn) observed.connectionClosed(this);
    releaseParser(this.socket.parser, null, this.socket);
    while (this.requests.length !== 0) ArrayPrototypeShift(this.requests).destroy(new ConnResetException('aborted'));
    while (this.responses.length !== 0) ArrayPrototypeShift(this.responses).destroy(new ConnResetException('aborted'));
  }
}

// The parser keeps the request until its end, which may be later than that of the response.
function forgetIncoming(request = this) {
  const parser = request.socket?.parser;
  if (!parser || parser.incoming !== request) return;
  if (request.readableEnded) {
    parser.incoming = null;
  } else {
    request.on('end', onRequestEnd);
  }
}

function onResponseFinish() {
  this[kConnection].onFinished(this[kAnswered], this);
}

function onRequestEnd() {
  forgetIncoming(this);
}

// Called by the parser.
function onIncoming(request, keepsAlive) {
  this.socket[kConnection].onRequest(request, keepsAlive);
  return 0;
}

function onParsed(parsed) {
  this.socket[kConnection].onParsed(this, parsed, undefined);
}

// Returns a replacement for a method of the socket that adds listeners: a listener for 'data' or 'readable' ends the
// reading by native code, so that it gets the data.
function listenWith(name) {
  return function(event, listener) {
    const result = FunctionPrototypeCall(Socket.prototype[name], this, event, listener);
    if ((event === 'data' || event === 'readable') && this.parser) unconsume(this.parser);
    return result;
  };
}

const on = listenWith('on');
const addListener = listenWith('addListener');
const prependListener = listenWith('prependListener');

// Listeners of the socket.

function onData(data) { this[kConnection].onData(data); }
function onEnd() { this[kConnection].onEnd(); }
function onClose() { this[kConnection]?.onClose(); } // Programs may call the listener with another `this`.
function onDrain() { this[kConnection].onDrain(); }

function onTimeout() {
  const request = this.parser?.incoming;
  const isHandledByRequest = request && !request.complete && request.emit('timeout', this);
  const isHandledByResponse = this._httpMessage?.emit('timeout', this);
  const isHandledByServer = this.server.emit('timeout', this);
  if (!isHandledByRequest && !isHandledByResponse && !isHandledByServer) this.destroy();
}

// The event 'resume' is emitted in a tick, when the socket may have been paused again.
function onResume() {
  if (this._paused) {
    this.pause();
  } else if (this._handle && !this._handle.reading) {
    this._handle.readStart();
  }
}

function onPause() {
  if (this._handle?.reading) this._handle.readStop();
}

function refuseEncoding() {
  throw new ERR_HTTP_SOCKET_ENCODING();
}

let refusals;
function refusalFor(code) {
  refusals ??= {
    __proto__: null,
    HPE_HEADER_OVERFLOW: refusal(431),
    HPE_CHUNK_EXTENSIONS_OVERFLOW: refusal(413),
    ERR_HTTP_REQUEST_TIMEOUT: refusal(408),
  };
  return refusals[code] ?? refusal(400);
}

function refusal(status) {
  return Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`, 'latin1');
}

function onError(error) {
  this.removeListener('error', onError);
  // Later errors are ignored.
  if (this.listenerCount('error', nothing) === 0) this.on('error', nothing);
  if (this.server.emit('clientError', error, this)) return;
  // Only if no response has been started.
  if (this.writable && (!this._httpMessage || !this._httpMessage._headerSent)) this.write(refusalFor(error.code));
  this.destroy(error);
}

function failWithTimeout(socket) {
  FunctionPrototypeCall(onError, socket, new ERR_HTTP_REQUEST_TIMEOUT());
}

module.exports = { Connection, failWithTimeout, kSkipsEmptyBodies, timeOr };
