'use strict';
// Http2Session: what the sessions of servers and clients have in common.

const {
  ArrayFrom,
  ArrayIsArray,
  Boolean,
  Float64Array,
  ObjectDefineProperty,
  Proxy,
  ReflectApply,
  SafeMap,
  SafeSet,
} = primordials;

const EventEmitter = require('events');
const {
  codes: {
    ERR_HTTP2_INVALID_SESSION,
    ERR_HTTP2_MAX_PENDING_SETTINGS_ACK,
    ERR_HTTP2_NO_MEM,
    ERR_HTTP2_PING_CANCEL,
    ERR_HTTP2_PING_LENGTH,
    ERR_HTTP2_SESSION_ERROR,
    ERR_HTTP2_SETTINGS_CANCEL,
    ERR_HTTP2_SOCKET_BOUND,
    ERR_OUT_OF_RANGE,
  },
} = require('internal/errors');
const { customInspectSymbol } = require('internal/util');
const { format } = require('internal/util/inspect');
const { validateBuffer, validateFunction, validateInt32, validateNumber } = require('internal/validators');
const { getURLOrigin } = require('internal/url');
const { closeSession, socketOnClose, socketOnError } = require('internal/http2/close_session');
const { constants } = require('internal/http2/constants');
const { debugSession } = require('internal/http2/debug');
const { createSession, setUp } = require('internal/http2/native');
const { packPairs, readSettings, validateSettings } = require('internal/http2/settings');
const socketProxyHandler = require('internal/http2/socket_proxy');
const { attach } = require('internal/http2/transport');
const {
  assertIsObject,
  emit,
  kAlpnProtocol,
  kBoundSession,
  kEncrypted,
  kHandle,
  kLocalSettings,
  kMaybeDestroy,
  kProxySocket,
  kRemoteSettings,
  kSocket,
  kState,
  kStrictSingleValueFields,
  kTimeout,
  kType,
  kUpdateTimer,
  setTimeout,
} = require('internal/http2/util');
const { kNoMemory } = internalBinding('http2');
const { kStateCount, stateIndexes } = internalBinding('http2_sessions');

const { NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR, NGHTTP2_SESSION_CLIENT } = constants;
const kMaxUint32 = 2 ** 32 - 1;

const stateNumbers = new Float64Array(kStateCount);

// The origins for which this connection is authoritative: at first that of the server.
function initOriginSet(session) {
  const state = session[kState];
  if (state.originSet !== undefined) return state.originSet;
  const socket = session[kSocket];
  let host = socket.servername;
  if (host === null || host === false) {
    host = socket.remoteFamily === 'IPv6' ? `[${socket.remoteAddress}]` : socket.remoteAddress;
  }
  const port = socket.remotePort != null ? `:${socket.remotePort}` : '';
  state.originSet = new SafeSet();
  state.originSet.add(getURLOrigin(`https://${host}${port}`));
  return state.originSet;
}

// Creates the native session. Called when the socket is connected.
function start(session, socket, options) {
  // Emit 'connect' even so: listeners of lib wait for it.
  if (session.destroyed) {
    process.nextTick(emit, session, 'connect', session, socket);
    return;
  }
  debugSession(session, 'setting up session handle');
  session[kState].isReady = true;
  setUp(require('internal/http2/events'));
  const handle = createSession(session[kType] !== NGHTTP2_SESSION_CLIENT, options);
  handle.owner = session;
  session[kHandle] = handle;
  attach(handle, socket);
  session[kEncrypted] = Boolean(socket.encrypted);
  session[kAlpnProtocol] = socket.encrypted ? socket.alpnProtocol : 'h2c';
  session.settings(typeof options.settings === 'object' ? options.settings : {});
  if (session[kType] !== NGHTTP2_SESSION_CLIENT && ArrayIsArray(options.origins)) {
    ReflectApply(session.origin, session, options.origins);
  }
  process.nextTick(emit, session, 'connect', session, socket);
}

// Processes the data that the socket had read before the session began.
function receiveBuffered(session, socket) {
  if (!socket.readableLength || session[kHandle]?.transport?.duplex !== undefined) return;
  for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
    session[kHandle]?.receive(chunk);
  }
}

function onAcknowledged(session, callback, isAcknowledged, duration) {
  session[kState].pendingAck--;
  session[kLocalSettings] = undefined;
  if (!isAcknowledged) {
    debugSession(session, 'settings canceled');
    if (typeof callback === 'function') callback(new ERR_HTTP2_SETTINGS_CANCEL());
    return;
  }
  debugSession(session, 'settings received');
  const settings = session.localSettings;
  if (typeof callback === 'function') callback(null, settings, duration);
  session.emit('localSettings', settings);
}

function submitSettings(session, settings, callback) {
  if (session.destroyed) return;
  debugSession(session, 'submitting settings');
  session[kUpdateTimer]();
  const isSubmitted = session[kHandle].settings(packPairs(settings),
    (isAcknowledged, duration) => onAcknowledged(session, callback, isAcknowledged, duration));
  if (!isSubmitted) session.destroy(new ERR_HTTP2_MAX_PENDING_SETTINGS_ACK());
}

function submitGoaway(session, code, lastStreamID, opaqueData) {
  if (session.destroyed) return;
  debugSession(session, 'submitting goaway');
  session[kUpdateTimer]();
  session[kHandle].submitGoaway(code, lastStreamID, opaqueData);
}

// True if a write of `owner` is in flight, and the session has sent something since the last call.
function hasProgress(owner, session) {
  if (owner[kState].writeQueueSize === 0) return false;
  const handle = session[kHandle];
  if (handle === undefined) return false;
  const before = handle.chunksSentSinceLastWrite;
  handle.chunksSentSinceLastWrite = handle.chunksSent();
  return before !== handle.chunksSentSinceLastWrite;
}

class Http2Session extends EventEmitter {
  constructor(type, options, socket) {
    super();
    if (socket[kBoundSession] !== undefined) throw new ERR_HTTP2_SOCKET_BOUND();
    socket[kBoundSession] = this;
    socket.on('error', socketOnError);
    socket.on('close', socketOnClose);
    this[kState] = {
      isReady: false,
      isClosed: false,
      isDestroyed: false,
      destroyCode: NGHTTP2_NO_ERROR,
      goawayCode: null,
      goawayLastStreamID: null,
      streams: new SafeMap(),
      pendingStreams: new SafeSet(),
      pendingAck: 0,
      writeQueueSize: 0,
      originSet: undefined,
      began: internalBinding('clock').now(),
    };
    this[kEncrypted] = undefined;
    this[kAlpnProtocol] = undefined;
    this[kType] = type;
    this[kProxySocket] = null;
    this[kSocket] = socket;
    this[kTimeout] = null;
    this[kHandle] = undefined;
    this[kStrictSingleValueFields] = options.strictSingleValueFields;
    if (typeof socket.setNoDelay === 'function') socket.setNoDelay();
    if (typeof socket.disableRenegotiation === 'function') socket.disableRenegotiation();
    if (socket.connecting || socket.secureConnecting) {
      socket.once(socket.encrypted ? 'secureConnect' : 'connect', () => {
        try {
          start(this, socket, options);
        } catch (error) {
          socket.destroy(error);
        }
      });
    } else {
      start(this, socket, options);
    }
    // In a tick, so that listeners that the program adds now get the first events.
    process.nextTick(receiveBuffered, this, socket);
    debugSession(this, 'created');
  }

  get encrypted() {
    return this[kEncrypted];
  }

  get alpnProtocol() {
    return this[kAlpnProtocol];
  }

  get originSet() {
    if (!this.encrypted || this.destroyed) return undefined;
    return ArrayFrom(initOriginSet(this));
  }

  get connecting() {
    return !this[kState].isReady;
  }

  get closed() {
    return this[kState].isClosed;
  }

  get destroyed() {
    return this[kState].isDestroyed;
  }

  [kUpdateTimer]() {
    if (!this.destroyed && this[kTimeout]) this[kTimeout].refresh();
  }

  setNextStreamID(id) {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
    validateNumber(id, 'id');
    if (id <= 0 || id > kMaxUint32) throw new ERR_OUT_OF_RANGE('id', `> 0 and <= ${kMaxUint32}`, id);
    this[kHandle].setNextStreamId(id);
  }

  setLocalWindowSize(windowSize) {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
    validateInt32(windowSize, 'windowSize', 0);
    if (this[kHandle].setLocalWindowSize(windowSize) === kNoMemory) this.destroy(new ERR_HTTP2_NO_MEM());
  }

  ping(payload, callback) {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
    if (typeof payload === 'function') {
      callback = payload;
      payload = undefined;
    }
    if (payload) {
      validateBuffer(payload, 'payload');
      if (payload.byteLength !== 8) throw new ERR_HTTP2_PING_LENGTH();
    }
    validateFunction(callback, 'callback');
    const onPong = (isAcknowledged, duration, answer) => {
      if (isAcknowledged) {
        callback(null, duration, answer);
      } else {
        callback(new ERR_HTTP2_PING_CANCEL());
      }
    };
    if (this.connecting || this.closed) {
      process.nextTick(onPong, false, 0.0, payload);
      return;
    }
    return this[kHandle].ping(payload, onPong);
  }

  [customInspectSymbol](depth, options) {
    if (typeof depth === 'number' && depth < 0) return this;
    return `Http2Session ${format({
      type: this[kType],
      closed: this.closed,
      destroyed: this.destroyed,
      state: this.state,
      localSettings: this.localSettings,
      remoteSettings: this.remoteSettings,
    })}`;
  }

  get socket() {
    const proxy = this[kProxySocket];
    if (proxy !== null) return proxy;
    return this[kProxySocket] = new Proxy(this, socketProxyHandler);
  }

  get type() {
    return this[kType];
  }

  get goawayCode() {
    return this[kState].goawayCode || NGHTTP2_NO_ERROR;
  }

  get goawayLastStreamID() {
    return this[kState].goawayLastStreamID || 0;
  }

  get pendingSettingsAck() {
    return this[kState].pendingAck > 0;
  }

  get state() {
    if (this.connecting || this.destroyed) return {};
    this[kHandle].readState(stateNumbers);
    const state = {};
    for (const name in stateIndexes) state[name] = stateNumbers[stateIndexes[name]];
    return state;
  }

  get localSettings() {
    if (this[kLocalSettings] !== undefined) return this[kLocalSettings];
    if (this.destroyed || this.connecting) return {};
    return this[kLocalSettings] = readSettings(this[kHandle], false);
  }

  get remoteSettings() {
    if (this[kRemoteSettings] !== undefined) return this[kRemoteSettings];
    if (this.destroyed || this.connecting) return {};
    return this[kRemoteSettings] = readSettings(this[kHandle], true);
  }

  settings(settings, callback) {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
    assertIsObject(settings, 'settings');
    validateSettings(settings);
    if (callback) validateFunction(callback, 'callback');
    debugSession(this, 'sending settings');
    this[kState].pendingAck++;
    settings = { ...settings };
    if (this.connecting) {
      this.once('connect', () => submitSettings(this, settings, callback));
    } else {
      submitSettings(this, settings, callback);
    }
  }

  goaway(code = NGHTTP2_NO_ERROR, lastStreamID = 0, opaqueData) {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
    if (opaqueData !== undefined) validateBuffer(opaqueData, 'opaqueData');
    validateNumber(code, 'code');
    validateNumber(lastStreamID, 'lastStreamID');
    if (this.connecting) {
      this.once('connect', () => submitGoaway(this, code, lastStreamID, opaqueData));
    } else {
      submitGoaway(this, code, lastStreamID, opaqueData);
    }
  }

  destroy(error = NGHTTP2_NO_ERROR, code) {
    if (this.destroyed) return;
    debugSession(this, 'destroying');
    if (typeof error === 'number') {
      code = error;
      error = code !== NGHTTP2_NO_ERROR ? new ERR_HTTP2_SESSION_ERROR(code) : undefined;
    }
    if (code === undefined && error != null) code = NGHTTP2_INTERNAL_ERROR;
    closeSession(this, code, error);
  }

  // Refuses new streams, and destroys the session when the last one has closed.
  close(callback) {
    if (this.closed || this.destroyed) return;
    debugSession(this, 'marking session closed');
    this[kState].isClosed = true;
    if (typeof callback === 'function') this.once('close', callback);
    this.goaway();
    this[kHandle]?.closeGently();
    this[kMaybeDestroy]();
  }

  [EventEmitter.captureRejectionSymbol](error, event, ...args) {
    if (event === 'stream') {
      args[0].destroy(error);
    } else {
      this.destroy(error);
    }
  }

  // Destroys the session if there is an error, or if it is closed and has nothing left to do.
  [kMaybeDestroy](error) {
    if (error == null) {
      const { streams, pendingStreams } = this[kState];
      if (!this.closed || streams.size > 0 || pendingStreams.size > 0 || this[kHandle]?.hasPendingData()) return;
    }
    this.destroy(error);
  }

  _onTimeout() {
    if (this.destroyed) return;
    if (hasProgress(this, this)) {
      this[kUpdateTimer]();
    } else {
      this.emit('timeout');
    }
  }

  ref() {
    this[kSocket]?.ref?.();
  }

  unref() {
    this[kSocket]?.unref?.();
  }
}

ObjectDefineProperty(Http2Session.prototype, 'setTimeout', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  value: setTimeout,
  writable: true,
});

module.exports = { Http2Session, hasProgress, initOriginSet };
