'use strict';
// node:tls as a stub: Rondo has no TLS yet. Database clients load this module even if they do not use it, so loading it
// works and its classes exist. Functions that need a secure connection throw.

const { ObjectFreeze } = primordials;
const { genericNodeError } = require('internal/errors');
const net = require('net');

function refuse(name) {
  throw genericNodeError(`Rondo does not have tls.${name} yet: connections cannot be encrypted`,
    { code: 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM' });
}

class TLSSocket extends net.Socket {
  constructor() {
    refuse('TLSSocket');
    super();
  }
}

class Server extends net.Server {
  constructor() {
    refuse('Server');
    super();
  }
}

class SecureContext {
  constructor() { refuse('SecureContext'); }
}

module.exports = {
  CLIENT_RENEG_LIMIT: 3,
  CLIENT_RENEG_WINDOW: 600,
  DEFAULT_CIPHERS: '',
  DEFAULT_ECDH_CURVE: 'auto',
  DEFAULT_MIN_VERSION: 'TLSv1.2',
  DEFAULT_MAX_VERSION: 'TLSv1.3',
  getCiphers() { return []; },
  rootCertificates: ObjectFreeze([]),
  convertALPNProtocols() { refuse('convertALPNProtocols'); },
  checkServerIdentity() { refuse('checkServerIdentity'); },
  createSecureContext() { refuse('createSecureContext'); },
  SecureContext,
  TLSSocket,
  Server,
  createServer() { refuse('createServer'); },
  connect() { refuse('connect'); },
  createSecurePair() { refuse('createSecurePair'); },
};
