'use strict';
// Node's older name for parts of `http`.

const { OutgoingMessage } = require('internal/http/outgoing_headers');
const { kHighWaterMark, kUniqueHeaders } = require('internal/http/symbols');
const {
  readUniqueHeaders: parseUniqueHeadersOption,
  validateHeaderName,
  validateHeaderValue,
} = require('internal/http/validate');

module.exports = {
  kHighWaterMark,
  kUniqueHeaders,
  parseUniqueHeadersOption,
  validateHeaderName,
  validateHeaderValue,
  OutgoingMessage,
};
