'use strict';
// The module `http2`.

const { Http2ServerRequest, Http2ServerResponse } = require('internal/http2/compat');
const { constants } = require('internal/http2/constants');
const { connect, createSecureServer, createServer, performServerHandshake } = require('internal/http2/core');
const { getDefaultSettings, getPackedSettings, getUnpackedSettings } = require('internal/http2/settings');
const { kSensitiveHeaders } = require('internal/http2/util');

module.exports = {
  connect,
  constants,
  createServer,
  createSecureServer,
  getDefaultSettings,
  getPackedSettings,
  getUnpackedSettings,
  performServerHandshake,
  sensitiveHeaders: kSensitiveHeaders,
  Http2ServerRequest,
  Http2ServerResponse,
};
