'use strict';
// The parts of http2 that undici uses. The module is loaded for the first connection that has agreed on HTTP/2.

const { requireBuiltin } = require('internal/bootstrap/realm');

module.exports = {
  // undici reads these when it is loaded. The names are those of RFC 9113 and RFC 8441, the numbers error codes of
  // RFC 9113.
  constants: {
    HTTP2_HEADER_AUTHORITY: ':authority',
    HTTP2_HEADER_METHOD: ':method',
    HTTP2_HEADER_PATH: ':path',
    HTTP2_HEADER_SCHEME: ':scheme',
    HTTP2_HEADER_CONTENT_LENGTH: 'content-length',
    HTTP2_HEADER_EXPECT: 'expect',
    HTTP2_HEADER_STATUS: ':status',
    HTTP2_HEADER_PROTOCOL: ':protocol',
    NGHTTP2_NO_ERROR: 0,
    NGHTTP2_REFUSED_STREAM: 7,
  },
  connect(authority, options, listener) { return requireBuiltin('http2').connect(authority, options, listener); },
};
