'use strict';
// Node's older name for parts of `http`.

const { ServerResponse } = require('internal/http/response');
const {
  Server,
  connectionListener: _connectionListener,
  httpServerPreClose,
  kConnectionsCheckingInterval,
  setupConnectionsTracking,
  storeHTTPOptions,
} = require('internal/http/server');
const STATUS_CODES = require('internal/http/status_codes');
const { kServerResponse } = require('internal/http/symbols');

module.exports = {
  STATUS_CODES,
  Server,
  ServerResponse,
  setupConnectionsTracking,
  storeHTTPOptions,
  _connectionListener,
  kServerResponse,
  httpServerPreClose,
  kConnectionsCheckingInterval,
};
