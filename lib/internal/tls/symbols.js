'use strict';
// Keys of the internal properties of TLSSocket and tls.Server.

const { Symbol } = primordials;

module.exports = {
  kALPNCallback: Symbol('alpncallback'),
  kConnectOptions: Symbol('connect-options'),
  kDisableRenegotiation: Symbol('disable-renegotiation'),
  kEnableTrace: Symbol('enableTrace'),
  kErrorEmitted: Symbol('error-emitted'),
  kHandshakeTimeout: Symbol('handshake-timeout'),
  kIsVerified: Symbol('verified'),
  kPendingSession: Symbol('pendingSession'),
  kPskCallback: Symbol('pskcallback'),
  kPskIdentityHint: Symbol('pskidentityhint'),
  kSNICallback: Symbol('snicallback'),
};
