'use strict';
// Node's older name for parts of `http`.

const { IncomingMessage, startReading: readStart, stopReading: readStop } = require('internal/http/incoming');

module.exports = { IncomingMessage, readStart, readStop };
