'use strict';
// Node's older name for parts of `tls`.

const { SecureContext, createSecureContext } = require('internal/tls/secure_context');
const { translatePeerCertificate } = require('internal/crypto/x509');

module.exports = { SecureContext, createSecureContext, translatePeerCertificate };
