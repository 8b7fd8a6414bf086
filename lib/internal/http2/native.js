'use strict';
// The native objects of sessions and streams (src/bindings/http2), and the functions that native code calls. Each has
// an `owner`: the Http2Session or Http2Stream of the program. Callbacks run in the async context of the native object.

const {
  ArrayPrototypePush,
  ArrayPrototypeShift,
  Float64Array,
  NumberIsNaN,
  ObjectAssign,
  TypedArrayPrototypeFill,
  Uint32Array,
} = primordials;

const { FastBuffer } = require('internal/buffer/fast');
const asyncHooks = require('internal/async_hooks');
const { checkRemoteIds } = require('internal/http2/settings');

const binding = internalBinding('http2');
const sessions = internalBinding('http2_sessions');
const streams = internalBinding('http2_streams');
const { kOptionCount, optionIndexes } = binding;
const { hooks } = asyncHooks;

// Runs `fn(a...)` as a callback of `handle`.
function runAs(handle, fn, a, b, c, d, e, f) {
  if (handle.frame === undefined && !hooks.tracksIds) return fn(a, b, c, d, e, f);
  const outer = asyncHooks.getFrame();
  asyncHooks.setFrame(handle.frame);
  asyncHooks.emitBefore(handle.asyncId, handle.triggerId, handle);
  const result = fn(a, b, c, d, e, f);
  asyncHooks.setFrame(outer);
  asyncHooks.emitAfter(handle.asyncId);
  return result;
}

// Makes a new native object an asynchronous resource.
function begin(handle, isOfPeer) {
  handle.asyncId = asyncHooks.newAsyncId();
  handle.triggerId = asyncHooks.defaultTriggerAsyncId();
  // A stream of the peer has no cause in the program.
  handle.frame = isOfPeer ? undefined : asyncHooks.getFrame();
  if (hooks.active) asyncHooks.emitInit(handle.asyncId, handle.typeName, handle.triggerId, handle);
}

class SessionHandle {
  get typeName() {
    return 'HTTP2SESSION';
  }

  getAsyncId() {
    return this.asyncId;
  }

  // False if too many settings wait for an answer. Calls callback(acknowledged, milliseconds).
  settings(pairs, callback) {
    callback = asyncHooks.bindCallback('HTTP2SETTINGS', callback);
    if (!this.submitSettings(pairs)) {
      callback(false, 0);
      return false;
    }
    ArrayPrototypePush(this.waiting.settings, callback);
    return true;
  }

  // False if too many pings wait for an answer. Calls callback(acknowledged, milliseconds, payload).
  ping(payload, callback) {
    callback = asyncHooks.bindCallback('HTTP2PING', callback);
    if (!this.submitPing(payload)) {
      callback(false, 0, undefined);
      return false;
    }
    ArrayPrototypePush(this.waiting.pings, callback);
    return true;
  }

  // Ends the session; onDone follows. Pings without an answer are cancelled.
  destroy(code, isSocketClosed) {
    const { pings } = this.waiting;
    this.waiting.pings = [];
    this.close(code, isSocketClosed);
    if (pings.length === 0) return;
    require('timers').setImmediate(() => {
      for (let i = 0; i < pings.length; i++) pings[i](false, 0, undefined);
    });
  }
}

class StreamHandle {
  get typeName() {
    return 'HTTP2STREAM';
  }

  getAsyncId() {
    return this.asyncId;
  }

  // Returns the number of bytes, or a negative errno. If it is not negative, callback(status) is called later.
  send(data, isLatin1, callback) {
    const size = this.write(data, isLatin1);
    if (size < 0) return size;
    callback = asyncHooks.bindCallback('WRITEWRAP', callback);
    this.writes ??= [];
    ArrayPrototypePush(this.writes, callback);
    return size;
  }
}

// Sets the functions that native code calls: those of a session get its owner as the first argument, those of a stream
// the native object.
let isReady = false;
function setUp(events) {
  if (isReady) return;
  isReady = true;
  const ofSession = (fn) => function(a, b, c, d, e) {
    runAs(this, fn, this.owner, a, b, c, d, e);
  };
  binding.setHooks({
    __proto__: null,
    onError: ofSession(events.onError),
    onFrameError: ofSession(events.onFrameError),
    onSettings: ofSession(events.onSettings),
    onPriority: ofSession(events.onPriority),
    onAltsvc: ofSession(events.onAltsvc),
    onOrigin: ofSession(events.onOrigin),
    onClosedGently: ofSession(events.onClosedGently),
    onHeaders(stream, id, category, flags, list, sensitive) {
      if (stream.asyncId === 0) begin(stream, true);
      const { owner } = this;
      runAs(this, () => events.onHeaders(owner, stream, id, category, flags, list, sensitive));
    },
    onGoaway(code, lastStreamId, bytes) {
      runAs(this, events.onGoaway, this.owner, code, lastStreamId,
        bytes === undefined ? undefined : new FastBuffer(bytes));
    },
    onPing(bytes) {
      runAs(this, events.onPing, this.owner, new FastBuffer(bytes));
    },
    onPong(duration, bytes) {
      ArrayPrototypeShift(this.waiting.pings)?.(true, duration, new FastBuffer(bytes));
    },
    onAcknowledged(duration) {
      ArrayPrototypeShift(this.waiting.settings)?.(true, duration);
    },
    onOutgoing(bytes, sizes) {
      this.transport.send(new FastBuffer(bytes), sizes);
    },
    onDone() {
      const { onDone } = this;
      this.onDone = null;
      if (onDone !== null) runAs(this, onDone);
      if (hooks.active) asyncHooks.emitDestroy(this.asyncId);
    },
    onRead(size, buffer, offset) {
      runAs(this, events.onRead, this, size, size > 0 ? new FastBuffer(buffer, offset, size) : undefined);
    },
    onWantTrailers() {
      runAs(this, events.onWantTrailers, this);
    },
    onClosed(code, isReset) {
      return runAs(this, events.onClosed, this, code, isReset);
    },
    onWritten(status) {
      ArrayPrototypeShift(this.writes)?.(status);
    },
  });
  const { 0: session, 1: stream } = binding.makePatterns(SessionHandle.prototype, StreamHandle.prototype);
  setFields(session);
  session.waiting = null;
  session.transport = null;
  session.onDone = null;
  session.chunksSentSinceLastWrite = 0;
  setFields(stream);
  stream.writes = undefined;
}

function setFields(pattern) {
  pattern.owner = undefined;
  pattern.asyncId = 0;
  pattern.triggerId = 0;
  pattern.frame = undefined;
}

// The value of an option as native code gets it; NaN if it is not set.
function numberOf(name, value) {
  if (name === 'strictFieldWhitespaceValidation') return typeof value === 'boolean' ? +value : NaN;
  if (typeof value !== 'number' || NumberIsNaN(value)) return NaN;
  switch (name) {
    case 'maxOutstandingSettings':
    case 'maxSessionMemory':
    case 'maxSettings':
    case 'streamResetRate':
    case 'streamResetBurst':
      return value > 1 ? value : 1;
  }
  return value;
}

const numbers = new Float64Array(kOptionCount);
const noIds = new Uint32Array(0);

function createSession(isServer, options) {
  TypedArrayPrototypeFill(numbers, NaN);
  for (const name in optionIndexes) numbers[optionIndexes[name]] = numberOf(name, options[name]);
  const ids = options.remoteCustomSettings ? checkRemoteIds(options.remoteCustomSettings) : noIds;
  const handle = binding.createSession(isServer, numbers, ids);
  handle.waiting = { settings: [], pings: [] };
  begin(handle, false);
  return handle;
}

ObjectAssign(SessionHandle.prototype, {
  attach: sessions.attach,
  attachToLib: sessions.attachToLib,
  chunksSent: sessions.chunksSent,
  close: sessions.close,
  closeGently: sessions.closeGently,
  hasPendingData: sessions.hasPendingData,
  readSettings: sessions.readSettings,
  readState: sessions.readState,
  readStatistics: sessions.readStatistics,
  receive: sessions.receive,
  request: sessions.request,
  sent: sessions.sent,
  setLocalWindowSize: sessions.setLocalWindowSize,
  setNextStreamId: sessions.setNextStreamId,
  submitAltsvc: sessions.submitAltsvc,
  submitGoaway: sessions.submitGoaway,
  submitOrigin: sessions.submitOrigin,
  submitPing: sessions.submitPing,
  submitSettings: sessions.submitSettings,
});
ObjectAssign(StreamHandle.prototype, {
  destroy: streams.destroy,
  endWriting: streams.endWriting,
  id: streams.id,
  readStart: streams.readStart,
  readState: streams.readState,
  readStatistics: streams.readStatistics,
  readStop: streams.readStop,
  reset: streams.reset,
  respond: streams.respond,
  submitInfo: streams.submitInfo,
  submitPush: streams.submitPush,
  submitTrailers: streams.submitTrailers,
  write: streams.write,
});

module.exports = { beginStream: begin, createSession, setUp };
