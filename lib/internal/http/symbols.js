'use strict';
// Symbols that several files of internal/http use.

const { Symbol } = primordials;

module.exports = {
  kAuthority: Symbol('kAuthority'),
  kBytesWritten: Symbol('kBytesWritten'),
  kConnection: Symbol('kConnection'), // Of a socket: its Connection.
  kConnections: Symbol('http.server.connections'),
  kCorked: Symbol('corked'),
  kErrored: Symbol('errored'),
  kHighWaterMark: Symbol('kHighWaterMark'),
  kIncomingMessage: Symbol('IncomingMessage'),
  kNeedDrain: Symbol('kNeedDrain'),
  kOutHeaders: Symbol('kOutHeaders'),
  kProxyConfig: Symbol('kProxyConfig'),
  kRejectsBody: Symbol('kRejectNonStandardBodyWrites'),
  kServerResponse: Symbol('ServerResponse'),
  kStatistics: Symbol('ClientRequestStatistics'),
  kSocket: Symbol('kSocket'),
  kUniqueHeaders: Symbol('kUniqueHeaders'),
  kWaitsForTunnel: Symbol('kWaitForProxyTunnel'), // Of a connection to a proxy: TLS begins inside it.
};
