'use strict';
// The parts of http that undici uses, without the rest of that module.

const { IncomingMessage } = require('internal/http/incoming');
const { defaultMaxHeaderSize } = require('internal/http/parser');
const STATUS_CODES = require('internal/http/status_codes');

module.exports = {
  IncomingMessage,
  STATUS_CODES,
  get maxHeaderSize() { return defaultMaxHeaderSize(); },
};
