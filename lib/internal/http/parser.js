'use strict';
// The native parsers of HTTP/1, and how their results become messages. A parser belongs to one connection at a time;
// free ones are kept for the next.

const { ArrayPrototypePop, ArrayPrototypePush, ArrayPrototypeShift } = primordials;

const binding = internalBinding('http_parser');
const { FastBuffer } = require('internal/buffer/fast');
const {
  asyncIdSymbol,
  bindCallback,
  defaultTriggerAsyncId,
  emit,
  emitDestroy,
  hooks,
  listenerOf,
  popAsyncContext,
  pushAsyncContext,
} = require('internal/async_hooks');
const { genericNodeError } = require('internal/errors');
const { getFlag } = require('internal/options');
const { runNextTicks } = require('internal/process/task_queues');
const {
  IncomingMessage,
  kFlags,
  kNotParsed,
  setReceivedHeaders,
  startReading,
  stopReading,
} = require('internal/http/incoming');
const { observed } = require('internal/http/observe');
const { toRawHeaders } = require('internal/http/received_headers');
const { kBuffer, kTimeout } = require('internal/net/symbols');
const { isPlain, runAs, StreamHandle } = require('internal/net/stream_handle');
const { kData } = require('internal/trace/events');
const { lenientFlags } = require('internal/http/validate');
const { kListener, kListens, kWhat } = require('internal/trace/events');

const {
  allMethods,
  kBusy,
  kHasBody,
  kHasEnded,
  kIsUpgrade,
  kReports,
  kRequest,
  kResponse,
  kShouldKeepAlive,
} = binding;

const { executeRead } = binding;

let debug = require('internal/util/debuglog').debuglog('http', (fn) => { debug = fn; });

const kDefaultMostHeaders = 2000;
let isReady = false;

// Native code calls the functions below; `this` is the parser.

function onHeaders(flags, major, minor, code, text, head, ends) {
  if (this.receiver !== undefined) return this.receiver.onHead(flags, code, text, head, ends);
  const { socket } = this;
  const Message = this.Message ?? IncomingMessage;
  const message = this.incoming = new Message(socket);
  message.httpVersionMajor = major;
  message.httpVersionMinor = minor;
  message.httpVersion = major === 1 && minor === 1 ? '1.1' : `${major}.${minor}`;
  message.joinDuplicateHeaders = this.joinDuplicateHeaders;
  message.upgrade = (flags & kIsUpgrade) !== 0;
  if (ends !== undefined) {
    setReceivedHeaders(message, head, ends, this.mostHeaders > 0 ? this.mostHeaders : Infinity);
  }
  if (this.type !== kRequest) {
    message.statusCode = code;
    message.statusMessage = text;
    return this.onIncoming(message, (flags & kShouldKeepAlive) !== 0);
  }
  message.url = text;
  const method = message.method = allMethods[code];
  if (Message === IncomingMessage) message[kFlags] = flags;
  const next = this.onIncoming(message, (flags & kShouldKeepAlive) !== 0);
  // The rest is for onExecuted().
  if (message.upgrade || socket._paused || method === 'PRI') return next | kReports;
  // Without a body, the end of the message follows at once. A listener for 'readable' may see in the list of
  // connections whether native code knows that.
  if ((flags & (kHasBody | kIsUpgrade)) !== 0 || this.incoming !== message || Message !== IncomingMessage ||
      message._events.readable !== undefined) return next;
  const { asyncId } = this;
  const hasIds = enter(this);
  endMessage(socket, message);
  if (hasIds) popAsyncContext(asyncId);
  return next | kHasEnded;
}

// If the program uses async ids, callbacks on data of the stream of consume() have those of the parser.
function enter(parser) {
  if (!hooks.isUsed || !parser.isConsuming || parser.asyncId === null) return false;
  pushAsyncContext(parser.asyncId, parser.triggerId, parser.resource);
  return true;
}

function onBody(buffer, offset, size, isRead) {
  if (this.receiver !== undefined) {
    this.receiver.onBody(new FastBuffer(buffer, offset, size));
    return;
  }
  const message = this.incoming;
  if (isRead && this.socket[kTimeout] !== null) this.socket._unrefTimer();
  if (message === null || message[kNotParsed] || message._dumped) return;
  if (observed.isOn) observed.bodyArrived(message);
  const { asyncId } = this;
  const hasIds = enter(this);
  if (!message.push(new FastBuffer(buffer, offset, size))) stopReading(this.socket);
  if (hasIds) popAsyncContext(asyncId);
  // As in Node, each part of a body is a callback of its own if the parser reads from the socket itself.
  if (isRead) runNextTicks();
}

function onMessageEnd(head, ends) {
  if (this.receiver !== undefined) {
    this.receiver.onEnd();
    return;
  }
  const message = this.incoming;
  if (message === null || message[kNotParsed]) {
    startReading(this.socket);
    return;
  }
  if (ends !== undefined) {
    message.complete = true;
    const raw = toRawHeaders(head, ends, Infinity);
    message._addHeaderLines(raw, raw.length);
  }
  const { asyncId } = this;
  const hasIds = enter(this);
  endMessage(this.socket, message);
  if (hasIds) popAsyncContext(asyncId);
}

function endMessage(socket, message) {
  message.complete = true;
  if (observed.isOn) observed.bodyEnded(message);
  message.push(null);
  startReading(socket);
}

// Called instead of parsing in native code if the read must be reported to hooks, or runs in a frame: parses the data
// of consume()'s stream as a callback of the handle.
function onRead() {
  const { _handle: handle } = this.socket;
  if (isPlain(handle)) {
    parseRead(this);
  } else {
    runAs(handle, kData, parseRead, this);
  }
}

function parseRead(parser) {
  if (parser.socket[kTimeout] !== null) parser.socket._unrefTimer();
  const parsed = executeRead(parser);
  // Null if a callback has released the parser.
  if (parser.onParsed !== null) parser.onParsed(parsed);
}

// Native code has parsed data of consume()'s stream, and lib has to handle the result.
function onExecuted(parsed) {
  if (this.socket !== null && this.socket[kTimeout] !== null) this.socket._unrefTimer();
  this.onParsed(parsed);
}

// Returns the data of the current read.
function readData(parser) {
  const { 0: buffer, 1: offset, 2: size } = binding.readData(parser);
  return new FastBuffer(buffer, offset, size);
}

// Lets native code read from the socket. `onParsed(parsed)` is called with the results of execute() that need more to
// be done, and with the parser as `this`. Does nothing for sockets that are not native.
function consume(parser, socket, onParsed) {
  const { _handle: handle } = socket;
  if (!(handle instanceof StreamHandle) || socket[kBuffer] !== null) return false;
  const byLib = handle.frame !== undefined;
  const stream = handle.transport ?? handle; // The stream of a TLSSocket.
  if (emit.beginningOf === null) {
    parser.isConsuming = binding.consume(parser, stream, byLib);
  } else {
    const { word, place, id } = emit.beginningOf(handle, kData);
    parser.isConsuming = binding.consume(parser, stream, byLib, word, place, id);
  }
  if (parser.isConsuming) parser.onParsed = onParsed;
  return parser.isConsuming;
}

function unconsume(parser) {
  if (!parser.isConsuming) return;
  parser.isConsuming = false;
  binding.unconsume(parser);
}

// A listener of a message can make a socket of the program deliver more: it waits until the parser has returned.
function isWaiting(parser, parsed, data) {
  if (parsed === kBusy) ArrayPrototypePush(parser.waiting ??= [], data);
  return parsed === kBusy;
}

// The next of the data that waits, or undefined.
function takeWaiting(parser) {
  return parser.waiting === null ? undefined : ArrayPrototypeShift(parser.waiting);
}

function clear(parser) {
  parser.type = 0;
  parser.socket = null;
  parser.incoming = null;
  parser.outgoing = null;
  parser.mostHeaders = kDefaultMostHeaders;
  parser.Message = undefined;
  parser.isConsuming = false;
  parser.onParsed = null;
  parser.waiting = null;
  parser.joinDuplicateHeaders = undefined;
  parser.onIncoming = null;
  parser.receiver = undefined;
  parser.resource = null;
}

// The resources that async_hooks see. They have Node's names.
class HTTPServerAsyncResource {
  constructor(socket) {
    this.type = 'HTTPINCOMINGMESSAGE';
    this.socket = socket;
  }

  // For traces.
  get [kWhat]() { return 'http request'; }
  [kListener]() { return listenerOf(this.socket?.server, 'request'); }
}

class HTTPClientAsyncResource {
  constructor(request) {
    this.type = 'HTTPINCOMINGMESSAGE';
    this.req = request;
  }

  get [kWhat]() { return 'http response'; }
  [kListener]() { return listenerOf(this.req, 'response'); }
}

// The class of parsers: programs see them as `socket.parser`.
class HTTPParser {
  // Called when the use of the parser has ended.
  free() {
    const { asyncId } = this;
    this.asyncId = null;
    if (asyncId !== null) emitDestroy(asyncId);
  }

  close() {
    binding.close(this);
  }
}

function setUp() {
  isReady = true;
  binding.setHooks({ __proto__: null, onHeaders, onBody, onMessageEnd, onRead, onExecuted });
  const pattern = binding.makePattern(HTTPParser.prototype);
  pattern.asyncId = null;
  pattern.triggerId = 0;
  clear(pattern);
}

function create() {
  if (!isReady) setUp();
  return binding.createParser();
}

// Objects that are kept for reuse. With Node's names: programs find `parsers` in `_http_common`.
class FreeList {
  constructor(name, max, ctor) {
    this.name = name;
    this.ctor = ctor;
    this.max = max;
    this.list = [];
  }

  alloc() {
    return this.list.length === 0 ? this.ctor() : ArrayPrototypePop(this.list);
  }

  free(object) {
    const hasRoom = this.list.length < this.max;
    if (hasRoom) ArrayPrototypePush(this.list, object);
    return hasRoom;
  }
}

const parsers = new FreeList('parsers', 1000, create);

// Returns a parser for the messages of `socket`. `onIncoming(message, keepsAlive)` is called when the header fields of
// a message have arrived, with the parser as `this`. `options` are those of the server or the request.
function acquireParser(type, socket, options, onIncoming, connections) {
  const parser = parsers.alloc();
  clear(parser);
  parser.type = type;
  parser.socket = socket;
  if (typeof options.maxHeadersCount === 'number') parser.mostHeaders = options.maxHeadersCount * 2;
  const isRequest = type === kRequest;
  const resource = isRequest ? new HTTPServerAsyncResource(socket) : new HTTPClientAsyncResource(options);
  parser.onIncoming = bindCallback(isRequest ? 'HTTPINCOMINGMESSAGE' : 'HTTPCLIENTREQUEST', onIncoming, true, kListens,
    resource);
  parser.asyncId = parser.onIncoming[asyncIdSymbol] ?? null;
  parser.triggerId = defaultTriggerAsyncId();
  if (parser.asyncId !== null) parser.resource = resource;
  binding.initialize(parser, type, options.maxHeaderSize || defaultMaxHeaderSize(), lenientFlags(options), connections,
    parser.mostHeaders > 0 ? parser.mostHeaders : 0);
  socket.parser = parser;
  return parser;
}

// Returns a parser for responses that calls onHead(), onBody() and onEnd() of `receiver` instead of making messages.
function acquireResponseParser(receiver) {
  const parser = create();
  clear(parser);
  parser.type = kResponse;
  parser.receiver = receiver;
  binding.initialize(parser, kResponse, defaultMaxHeaderSize(), binding.kLenientNone, undefined, 0);
  return parser;
}

function releaseResponseParser(parser) {
  clear(parser);
  binding.remove(parser);
  binding.close(parser);
}

// Ends the use of a parser, possibly from inside one of its callbacks.
function releaseParser(parser, request, socket) {
  if (parser) {
    clear(parser);
    binding.remove(parser);
    const isKept = parsers.free(parser);
    parser.free();
    if (!isKept) binding.close(parser);
  }
  if (request) request.parser = null;
  if (socket) socket.parser = null;
}

function setMostFreeParsers(count) {
  parsers.max = count;
}

const kDefaultMaxHeaderSize = 16 * 1024;
function defaultMaxHeaderSize() {
  const value = getFlag('max-http-header-size');
  return value === undefined ? kDefaultMaxHeaderSize : +value;
}

// The error of a parser after execute() or finish() gave a negative number, with Node's properties.
function parseError(parser, packet) {
  const { code, reason, bytesParsed } = binding.lastError(parser);
  debug('parse error', code, reason);
  // At the end of a connection there is no packet, and Node's message has no reason.
  if (packet === undefined) return genericNodeError('Parse Error', { bytesParsed, code, reason });
  const error = genericNodeError(`Parse Error: ${reason}`, { bytesParsed, code, reason });
  error.rawPacket = packet;
  return error;
}

module.exports = {
  acquireParser,
  acquireResponseParser,
  consume,
  defaultMaxHeaderSize,
  execute: binding.execute,
  finish: binding.finish,
  isWaiting,
  kRequest,
  kResponse,
  lastError: binding.lastError,
  parseError,
  parsers,
  pause: binding.pause,
  readData,
  releaseParser,
  releaseResponseParser,
  resume: binding.resume,
  setMostFreeParsers,
  takeWaiting,
  unconsume,
};
