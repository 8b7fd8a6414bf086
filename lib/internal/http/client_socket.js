'use strict';
// A ClientRequest on its socket: sends the request, parses the response, and gives the socket back.

const { FunctionPrototypeCall } = primordials;

const { asyncIdSymbol, defaultTriggerAsyncIdScope } = require('internal/async_hooks');
const { channel } = require('diagnostics_channel');
const { ConnResetException } = require('internal/errors');
const { stopPerf, hasObserver } = require('internal/perf/observe');
const { finished } = require('stream');
const { detachSignal, kNotParsed } = require('internal/http/incoming');
const {
  acquireParser,
  execute,
  finish,
  isWaiting,
  kResponse,
  parseError,
  releaseParser,
  takeWaiting,
} = require('internal/http/parser');
const { observed } = require('internal/http/observe');
const { kErrored, kNeedDrain, kStatistics } = require('internal/http/symbols');

let debug = require('internal/util/debuglog').debuglog('http', (fn) => { debug = fn; });

const requestErrors = channel('http.client.request.error');
const responseFinishes = channel('http.client.response.finish');

// Results of the parser's callback for header fields.
const kHasBody = 0;
const kHasNoBody = 1;
const kIsUpgrade = 2;

function emitError(request, error) {
  debug('request failed', error.code);
  if (observed.isOn) observed.clientEnded(request, true);
  if (requestErrors.hasSubscribers) requestErrors.publish({ request, error });
  request.emit('error', error);
}

function emitClose(request) {
  if (observed.isOn) observed.clientEnded(request, !request.upgradeOrConnect);
  request._closed = true;
  request.emit('close');
}

function isInformational(status) {
  return status >= 100 && status < 200 && status !== 101;
}

// Called in the tick after the request got its socket.
function startOnSocket(request, socket, error) {
  if (!request.destroyed && !error) {
    attach(request, socket);
    request._flush();
    return;
  }
  request.destroyed = true;
  if (!socket) {
    failBeforeStart(request, socket, error || request[kErrored]);
  } else if (!error && request.agent && !socket.destroyed) {
    // Nothing was sent, so another request may use the socket.
    socket.emit('free');
    socket.removeListener('error', onSocketError);
    failBeforeStart(request, socket, request[kErrored]);
  } else {
    finished(socket.destroy(error || request[kErrored]), (problem) => {
      if (problem?.code === 'ERR_STREAM_PREMATURE_CLOSE') problem = null;
      failBeforeStart(request, socket, problem || error);
    });
  }
}

function failBeforeStart(request, socket, error) {
  if (!request.aborted && !error) error = new ConnResetException('socket hang up');
  // Errors that are already reported: the agent reports a failed tunnel, a listener of the socket the errors of that.
  if (error && error.code !== 'ERR_PROXY_TUNNEL' && !socket?._hadError) emitError(request, error);
  emitClose(request);
}

function attach(request, socket) {
  request.socket = socket;
  const parser = acquireParser(kResponse, socket, request, onIncoming);
  parser.outgoing = request;
  request.parser = parser;
  socket._httpMessage = request;
  parser.joinDuplicateHeaders = request.joinDuplicateHeaders;
  socket.on('data', onData);
  socket.on('end', onEnd);
  socket.on('close', onClose);
  socket.on('drain', onDrain);
  if (request.timeout !== undefined || request.agent?.options?.timeout) listenForTimeout(request);
  request.emit('socket', socket);
}

function listenForTimeout(request) {
  if (request.timeoutCb) return;
  request.timeoutCb = emitRequestTimeout;
  if (request.socket) {
    request.socket.once('timeout', emitRequestTimeout);
  } else {
    request.on('socket', (socket) => socket.once('timeout', emitRequestTimeout));
  }
}

// The header fields of a response have arrived. Called by the parser.
function onIncoming(response, keepsAlive) {
  const { socket } = this;
  const request = socket._httpMessage;
  if (request.res) {
    // A second response to one request is discarded.
    socket.destroy();
    if (socket.parser) {
      socket.parser.incoming = request.res;
      request.res[kNotParsed] = true;
    }
    return kHasBody;
  }
  debug('response', response.statusCode);
  request.res = response;
  if (response.upgrade) return kIsUpgrade;
  const { method } = request;
  if (method === 'CONNECT') {
    response.upgrade = true;
    return kIsUpgrade;
  }
  if (isInformational(response.statusCode)) {
    emitInformation(request, response);
    return kHasNoBody;
  }
  if (!keepsAlive && !request.upgradeOrConnect) request.shouldKeepAlive = false;
  if (observed.isOn) observed.clientContinues(request);
  reportResponse(request, response);
  request.res = response;
  response.req = request;
  // These listeners run before those of the program.
  response.on('end', onResponseEnd);
  request.on('finish', onRequestFinish);
  socket.on('timeout', emitResponseTimeout);
  // Without a listener the program cannot read it.
  if (request.aborted || !request.emit('response', response)) response._dump();
  if (method === 'HEAD') return kHasNoBody;
  if (response.statusCode === 304) {
    response.complete = true;
    return kHasNoBody;
  }
  return kHasBody;
}

function emitInformation(request, response) {
  request.res = null; // The real response is still to come.
  if (response.statusCode === 100) request.emit('continue');
  const { headers, httpVersion, httpVersionMajor, httpVersionMinor, rawHeaders, statusCode, statusMessage } = response;
  request.emit('information',
    { statusCode, statusMessage, httpVersion, httpVersionMajor, httpVersionMinor, headers, rawHeaders });
}

function reportResponse(request, response) {
  if (request[kStatistics] && hasObserver('http')) {
    const { headers, statusCode, statusMessage } = response;
    stopPerf(request, kStatistics, { detail: { res: { statusCode, statusMessage, headers } } });
  }
  if (responseFinishes.hasSubscribers) responseFinishes.publish({ request, response });
}

// Listeners of the socket.

function stopListening(socket) {
  socket.removeListener('data', onData);
  socket.removeListener('end', onEnd);
}

function endParser(request, socket) {
  const { parser } = socket;
  if (!parser) return;
  finish(parser);
  releaseParser(parser, request, socket);
}

function onData(data) {
  const request = this._httpMessage;
  const { parser } = this;
  if (observed.isOn) observed.clientContinues(request);
  const parsed = execute(parser, data);
  if (isWaiting(parser, parsed, data)) return;
  const response = parser.incoming;
  if (parsed < 0) {
    const error = parseError(parser, data);
    releaseParser(parser, request, this);
    stopListening(this);
    this.destroy();
    request.socket._hadError = true;
    emitError(request, error);
  } else if (response?.upgrade) {
    upgrade(this, request, response, data.slice(parsed, data.length));
  } else if (response?.complete && !isInformational(response.statusCode)) {
    stopListening(this);
    this.removeListener('drain', onDrain);
    releaseParser(parser, request, this);
  }
  const next = takeWaiting(parser);
  if (next !== undefined && this.parser === parser) FunctionPrototypeCall(onData, this, next);
}

function upgrade(socket, request, response, head) {
  request.res = response;
  stopListening(socket);
  socket.removeListener('drain', onDrain);
  if (request.timeoutCb) socket.removeListener('timeout', request.timeoutCb);
  socket.removeListener('timeout', emitResponseTimeout);
  endParser(request, socket);
  const event = request.method === 'CONNECT' ? 'connect' : 'upgrade';
  if (request.listenerCount(event) === 0) {
    socket.destroy();
    return;
  }
  request.upgradeOrConnect = true;
  socket.emit('agentRemove');
  socket.removeListener('close', onClose);
  socket.removeListener('error', onSocketError);
  socket._httpMessage = null;
  socket.readableFlowing = null;
  request.emit(event, response, socket, head);
  request.destroyed = true;
  emitClose(request);
}

function onEnd() {
  const request = this._httpMessage;
  hangUp(request);
  endParser(request, this);
  this.destroy();
}

// The connection ended before there was a response.
function hangUp(request) {
  if (request.res || request.socket._hadError) return;
  request.socket._hadError = true;
  emitError(request, new ConnResetException('socket hang up'));
}

function onClose() {
  const request = this._httpMessage;
  // A listener may release it.
  const { parser } = this;
  const response = request.res;
  request.destroyed = true;
  if (response) {
    if (!response.complete) response.destroy(new ConnResetException('aborted'));
    emitClose(request);
    if (!response.aborted && response.readable) response.push(null);
  } else {
    hangUp(request);
    emitClose(request);
  }
  if (request.outputData) request.outputData.length = 0;
  if (parser) {
    finish(parser);
    releaseParser(parser, request, this);
  }
}

function onSocketError(error) {
  const request = this._httpMessage;
  if (request) {
    // Report the error only once.
    this._hadError = true;
    emitError(request, error);
  }
  endParser(request, this);
  stopListening(this);
  this.destroy();
}

function onDrain() {
  const request = this._httpMessage;
  if (!request || request.finished || !request[kNeedDrain]) return;
  request[kNeedDrain] = false;
  request.emit('drain');
}

function emitRequestTimeout() {
  this._httpMessage?.emit('timeout');
}

function emitResponseTimeout() {
  this._httpMessage?.res?.emit('timeout');
}

// Listeners of the response and the request.

function onResponseEnd() {
  const request = this.req;
  const { socket } = request;
  if (observed.isOn) observed.clientEnded(request, false);
  detachSignal(this);
  if (socket) {
    if (request.timeoutCb) socket.removeListener('timeout', emitRequestTimeout);
    socket.removeListener('timeout', emitResponseTimeout);
  }
  request._ended = true;
  if (!request.shouldKeepAlive) {
    if (socket.writable) {
      if (typeof socket.destroySoon === 'function') {
        socket.destroySoon();
      } else {
        socket.end();
      }
    }
  } else if (request.writableFinished && !this.aborted) {
    giveBack(request);
  }
}

// The response may be complete before the request has been sent.
function onRequestFinish() {
  if (this.shouldKeepAlive && this._ended && !this.destroyed) giveBack(this);
}

function giveBack(request) {
  const { socket } = request;
  if (request.timeoutCb) {
    socket.setTimeout(0, request.timeoutCb);
    request.timeoutCb = null;
  }
  socket.removeListener('close', onClose);
  socket.removeListener('error', onSocketError);
  stopListening(socket);
  // Runs after the program's listeners for 'end'.
  defaultTriggerAsyncIdScope(socket._handle ? socket[asyncIdSymbol] : undefined, process.nextTick, free, request);
  request.destroyed = true;
  // destroy() of the response must not reach a socket that belongs to another request.
  if (request.res) request.res.socket = null;
}

function free(request) {
  emitClose(request);
  request.socket?.emit('free');
}

module.exports = { emitError, listenForTimeout, onSocketError, startOnSocket };
