'use strict';
// Node's older name for parts of `tls`.

const { connect } = require('internal/tls/connect');
const { Server, createServer } = require('internal/tls/server');
const { TLSSocket } = require('internal/tls/socket');

module.exports = { TLSSocket, Server, createServer, connect };
