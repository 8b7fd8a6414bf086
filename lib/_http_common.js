'use strict';
// Node's older name for parts of `http`.

const { parsers, releaseParser: freeParser } = require('internal/http/parser');
const { hasForbiddenChar, isInsecureByDefault, isToken } = require('internal/http/validate');
const { kIncomingMessage } = require('internal/http/symbols');

const { methods } = internalBinding('http_parser');

module.exports = {
  _checkInvalidHeaderChar: hasForbiddenChar,
  _checkIsHttpToken: isToken,
  chunkExpression: /(?:^|\W)chunked(?:$|\W)/i,
  continueExpression: /(?:^|\W)100-continue(?:$|\W)/i,
  CRLF: '\r\n',
  freeParser,
  isLenient: isInsecureByDefault,
  kIncomingMessage,
  methods,
  parsers,
};
