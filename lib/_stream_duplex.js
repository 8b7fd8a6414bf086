'use strict';
// The old name of stream.Duplex.
module.exports = require('stream').Duplex;
