'use strict';
// Shared by all files of http2: symbols, checks of arguments, errors of nghttp2, and time-outs.

const { ArrayIsArray, Error, ReflectApply, SafeSet, Symbol } = primordials;

const {
  codes: {
    ERR_HTTP2_INVALID_PSEUDOHEADER,
    ERR_HTTP2_INVALID_SETTING_VALUE: { RangeError: InvalidSettingRange },
    ERR_INVALID_ARG_TYPE,
  },
  codes,
  hideStackFrames,
  kIsNodeError,
} = require('internal/errors');
const { Timeout, clearTimeout, insertNew } = require('internal/timers');
const { validateFunction } = require('internal/validators');
const { getTimerDuration } = require('internal/timers/duration');
const { constants } = require('internal/http2/constants');
const { errorText } = internalBinding('http2');

const kTimeout = Symbol('timeout');
const kSession = Symbol('session');
const kBoundSession = Symbol('kBoundSession');
const kUpdateTimer = Symbol('kUpdateTimer');

const pseudoHeaders = new SafeSet([':status', ':method', ':authority', ':scheme', ':path', ':protocol']);

class NghttpError extends Error {
  constructor(errno, code) {
    super(code ? new codes[code]().message : errorText(errno));
    this.code = code || 'ERR_HTTP2_ERROR';
    this.errno = errno;
  }

  get [kIsNodeError]() {
    return true;
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }
}

const assertIsObject = hideStackFrames((value, name, types) => {
  if (value !== undefined && (value === null || typeof value !== 'object' || ArrayIsArray(value))) {
    throw new ERR_INVALID_ARG_TYPE(name, types || 'Object', value);
  }
});

const assertIsArray = hideStackFrames((value, name, types) => {
  if (value !== undefined && !ArrayIsArray(value)) throw new ERR_INVALID_ARG_TYPE(name, types || 'Array', value);
});

const assertWithinRange = hideStackFrames((name, value, min = 0, max = Infinity) => {
  if (value !== undefined && (typeof value !== 'number' || value < min || value > max)) {
    throw new InvalidSettingRange(name, value, min, max);
  }
});

const assertValidPseudoHeader = hideStackFrames((name) => {
  if (!pseudoHeaders.has(name)) throw new ERR_HTTP2_INVALID_PSEUDOHEADER(name);
});

const assertValidPseudoHeaderResponse = hideStackFrames((name) => {
  if (name !== ':status') throw new ERR_HTTP2_INVALID_PSEUDOHEADER(name);
});

const assertValidPseudoHeaderTrailer = hideStackFrames((name) => {
  throw new ERR_HTTP2_INVALID_PSEUDOHEADER(name);
});

// For process.nextTick().
function emit(emitter, ...args) {
  ReflectApply(emitter.emit, emitter, args);
}

function onTimer(owner) {
  owner._onTimeout();
}

// setTimeout() of sessions and streams.
function setTimeout(msecs, callback) {
  if (this.destroyed) return this;
  this.timeout = msecs;
  msecs = getTimerDuration(msecs, 'msecs');
  clearTimeout(this[kTimeout]);
  if (msecs === 0) {
    if (callback !== undefined) {
      validateFunction(callback, 'callback');
      this.removeListener('timeout', callback);
    }
    return this;
  }
  this[kTimeout] = new Timeout(onTimer, msecs, [this], false, false);
  insertNew(this[kTimeout]);
  this[kSession]?.[kUpdateTimer]();
  // Last: the new time-out is in effect even if the callback is refused, as in Node.
  if (callback !== undefined) {
    validateFunction(callback, 'callback');
    this.once('timeout', callback);
  }
  return this;
}

function getAuthority(headers) {
  const authority = headers[constants.HTTP2_HEADER_AUTHORITY];
  return authority !== undefined ? authority : headers[constants.HTTP2_HEADER_HOST];
}

module.exports = {
  NghttpError,
  assertIsArray,
  assertIsObject,
  assertValidPseudoHeader,
  assertValidPseudoHeaderResponse,
  assertValidPseudoHeaderTrailer,
  assertWithinRange,
  emit,
  getAuthority,
  setTimeout,
  kAlpnProtocol: Symbol('alpnProtocol'),
  kAuthority: Symbol('authority'),
  kBoundSession,
  kEncrypted: Symbol('encrypted'),
  kHandle: Symbol('kHandle'),
  kID: Symbol('id'),
  kInfoHeaders: Symbol('sent-info-headers'),
  kInit: Symbol('init'),
  kLocalSettings: Symbol('local-settings'),
  kMaxOriginSetSize: Symbol('max-ORIGIN-set-size'),
  kMaybeDestroy: Symbol('kMaybeDestroy'),
  kOptions: Symbol('options'),
  kOrigin: Symbol('origin'),
  kProceed: Symbol('proceed'),
  kProtocol: Symbol('protocol'),
  kProxySocket: Symbol('proxySocket'),
  kRawHeaders: Symbol('raw-headers'),
  kRemoteSettings: Symbol('remote-settings'),
  kRequest: Symbol('request'),
  kRequestResource: Symbol('requestAsyncResource'),
  // As in Node's API: `headers[http2.sensitiveHeaders]` is a list of names.
  kSensitiveHeaders: Symbol('sensitiveHeaders'),
  kSentHeaders: Symbol('sent-headers'),
  kSentTrailers: Symbol('sent-trailers'),
  kServer: Symbol('server'),
  kSession,
  kSessions: Symbol('sessions'),
  kSocket: Symbol('socket'),
  kState: Symbol('state'),
  kStrictSingleValueFields: Symbol('strictSingleValueFields'),
  kTimeout,
  kType: Symbol('type'),
  kUpdateTimer,
};
