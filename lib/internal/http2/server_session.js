'use strict';
// The session of a server.

const { ArrayPrototypePush, RegExpPrototypeExec, hardenRegExp } = primordials;

const {
  codes: {
    ERR_HTTP2_ALTSVC_INVALID_ORIGIN,
    ERR_HTTP2_ALTSVC_LENGTH,
    ERR_HTTP2_INVALID_ORIGIN,
    ERR_HTTP2_INVALID_SESSION,
    ERR_HTTP2_ORIGIN_LENGTH,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_CHAR,
    ERR_OUT_OF_RANGE,
  },
} = require('internal/errors');
const { validateString } = require('internal/validators');
const { getURLOrigin } = require('internal/url');
const { constants } = require('internal/http2/constants');
const { Http2Session } = require('internal/http2/session');
const { kHandle, kServer, kSessions } = require('internal/http2/util');

// The length of what ALTSVC and ORIGIN frames carry, without their own two bytes.
const kMostFrameText = 2 ** 14 - 2;
const quotedText = hardenRegExp(/^[\x09\x20-\x5b\x5d-\x7e\x80-\xff]*$/);

class ServerHttp2Session extends Http2Session {
  constructor(options, socket, server) {
    super(constants.NGHTTP2_SESSION_SERVER, options, socket);
    this[kServer] = server;
    server?.[kSessions].add(this);
  }

  get server() {
    return this[kServer];
  }

  altsvc(alt, originOrStream) {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
    let stream = 0;
    let origin;
    if (typeof originOrStream === 'string') {
      origin = getURLOrigin(originOrStream);
      if (origin === 'null') throw new ERR_HTTP2_ALTSVC_INVALID_ORIGIN();
    } else if (typeof originOrStream === 'number') {
      if (originOrStream >>> 0 !== originOrStream || originOrStream === 0) {
        throw new ERR_OUT_OF_RANGE('originOrStream', `> 0 && < ${2 ** 32}`, originOrStream);
      }
      stream = originOrStream;
    } else if (originOrStream !== undefined) {
      origin = originOrStream?.origin;
      if (typeof originOrStream !== 'object' || typeof origin !== 'string') {
        throw new ERR_INVALID_ARG_TYPE('originOrStream', ['string', 'number', 'URL', 'object'], originOrStream);
      }
      if (origin === 'null' || origin.length === 0) throw new ERR_HTTP2_ALTSVC_INVALID_ORIGIN();
    }
    validateString(alt, 'alt');
    if (RegExpPrototypeExec(quotedText, alt) === null) throw new ERR_INVALID_CHAR('alt');
    origin ??= '';
    if (alt.length + origin.length > kMostFrameText) throw new ERR_HTTP2_ALTSVC_LENGTH();
    this[kHandle].submitAltsvc(stream, origin, alt);
  }

  origin(...origins) {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
    if (origins.length === 0) return;
    const list = [];
    let size = 0;
    for (let i = 0; i < origins.length; i++) {
      let origin = origins[i];
      if (typeof origin === 'string') {
        origin = getURLOrigin(origin);
      } else if (origin != null && typeof origin === 'object') {
        ({ origin } = origin);
      }
      validateString(origin, 'origin');
      if (origin === 'null') throw new ERR_HTTP2_INVALID_ORIGIN();
      ArrayPrototypePush(list, origin);
      size += origin.length;
    }
    if (size > kMostFrameText) throw new ERR_HTTP2_ORIGIN_LENGTH();
    this[kHandle].submitOrigin(list);
  }
}

module.exports = { ServerHttp2Session };
