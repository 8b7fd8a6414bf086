'use strict';
// The handle of a TLSSocket: a native object with the interface of a StreamHandle, which encrypts for a transport. The
// transport is the StreamHandle of a connection, a DuplexTransport, or a HandleTransport.

const { ObjectAssign } = primordials;

const binding = internalBinding('tls');
const details = internalBinding('tls_details');
const asyncHooks = require('internal/async_hooks');
const { FastBuffer } = require('internal/buffer/fast');
const { genericNodeError } = require('internal/errors');
const { StreamHandle, addGetters, begin, isPlain, setFields, setUp } = require('internal/net/stream_handle');
const { usesSystem } = require('internal/tls/authorities');
const { DuplexTransport } = require('internal/tls/duplex_transport');
const { kData } = require('internal/trace/events');

const { hooks } = asyncHooks;
const { UV_EALREADY, UV_ENOTCONN } = internalBinding('uv');

const { X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
  X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE } = details;

function nothing() {}

// Calls `fn(handle, a, b, c)` in the async context of the handle.
function callAs(handle, fn, a, b, c) {
  if (isPlain(handle)) return fn(handle, a, b, c);
  asyncHooks.setFrame(handle.frame);
  asyncHooks.emitBefore(handle.asyncId, handle.triggerId, handle, kData);
  const result = fn(handle, a, b, c);
  asyncHooks.setFrame(undefined);
  asyncHooks.emitAfter(handle.asyncId);
  return result;
}

let isReady = false;
function setUpTls() {
  if (isReady) return;
  isReady = true;
  setUp();
  const on = require('internal/tls/handshake');
  // Native code calls these; `this` is the handle.
  binding.setHooks({
    __proto__: null,
    onHandshakeStart(now) { callAs(this, on.handshakeStart, now); },
    onHandshakeDone() { callAs(this, on.handshakeDone); },
    onClientHello(id, hasTicket) { callAs(this, on.clientHello, new FastBuffer(id), hasTicket); },
    onCertificate(name, wantsStatus) { callAs(this, on.certificate, name, wantsStatus); },
    onServerName(name) { this.owner.servername = name; },
    onNewSession(id, session) { callAs(this, on.newSession, new FastBuffer(id), new FastBuffer(session)); },
    onKeyLog(line) { callAs(this, on.keyLog, new FastBuffer(line)); },
    onOcspResponse(bytes) { callAs(this, on.ocspResponse, bytes === null ? null : new FastBuffer(bytes)); },
    onAlpn(protocols) { return callAs(this, on.alpn, new FastBuffer(protocols)); },
    onPskServer(identity, most) { return callAs(this, on.pskServer, identity, most); },
    onPskClient(hint, most, mostIdentity) { return callAs(this, on.pskClient, hint, most, mostIdentity); },
    onError(error) { callAs(this, on.error, error); },
    onOutgoing(bytes) { this.transport.send(new FastBuffer(bytes)); },
  });
  const pattern = binding.makePattern(TlsHandle.prototype);
  setFields(pattern);
  pattern.kind = 0;
  pattern.onread = nothing;
  pattern.connectCallback = undefined;
  pattern.writeCallback = undefined;
  pattern.moreCallbacks = null;
  pattern.shutdownCallback = undefined;
  pattern.transport = undefined;
  pattern.wrap = null; // The socket that had the transport before, or null.
  pattern.sni_context = undefined; // The native context for the name that the client has asked for.
  pattern.isClosed = false;
  pattern.lastHandshakeTime = 0;
  pattern.handshakes = 0;
}

// `isHeld`: nothing is sent before resume().
function makeTlsHandle(transport, wrap, context, isServer, isHeld) {
  setUpTls();
  const handle = binding.create(context, isServer, transport, isHeld);
  if (handle === undefined) {
    throw genericNodeError('The connection is encrypted already, or its context is closed', {
      code: 'ERR_TLS_INVALID_CONTEXT',
    });
  }
  handle.transport = transport;
  handle.wrap = wrap;
  handle.kind = transport.kind;
  begin(handle);
  // Keep the handle alive as long as the transport.
  transport.tls = handle;
  return handle;
}

function toBuffer(bytes) {
  return bytes === undefined ? undefined : new FastBuffer(bytes);
}

function describeProblem(number, reason) {
  const isFromUnknownRoot = number === X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE ||
    number === X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT ||
    (number === X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT && !usesSystem());
  return isFromUnknownRoot ?
    `${reason}; if the root CA is installed locally, try running Node.js with --use-system-ca` : reason;
}

// Only a prototype: objects are made by makeTlsHandle().
class TlsHandle extends StreamHandle {
  get typeName() {
    return 'TLSWRAP';
  }

  connect(host, port, localAddress, localPort, callback) {
    return this.transport.connect(host, port, localAddress, localPort, callback);
  }

  readStart() {
    return this.transport.readStart();
  }

  readStop() {
    return this.transport.readStop();
  }

  shutdown(callback) {
    this.sendCloseNotify();
    const status = this.transport.shutdown(callback);
    // The socket below may have ended already.
    return status === UV_EALREADY ? UV_ENOTCONN : status;
  }

  // Closes the transport as well and, if the transport belonged to a socket before, that socket.
  closeBy(isReset, callback) {
    if (this.isClosed) return;
    this.isClosed = true;
    const { owner, transport, wrap } = this;
    if (owner !== null) owner.ssl = null;
    const done = () => {
      transport.tls = undefined;
      this.destroySSL();
      if (callback !== undefined) callback();
      if (hooks.active) asyncHooks.emitDestroy(this.asyncId);
    };
    if (wrap !== null) {
      if (wrap._handle === null) {
        done();
        return;
      }
      if (wrap._handle === (transport.handle ?? transport)) {
        wrap.once('close', done);
        if (isReset) {
          wrap.resetAndDestroy();
        } else {
          wrap.destroy();
        }
        return;
      }
    }
    transport.closeBy(isReset, done);
  }

  open(fd) { return this.transport.open(fd); }
  ref() { this.transport.ref(); }
  unref() { this.transport.unref(); }
  hasRef() { return this.transport.hasRef(); }
  localAddress() { return this.transport.localAddress(); }
  peerAddress() { return this.transport.peerAddress(); }
  setNoDelay(enable) { return this.transport.setNoDelay(enable); }
  setKeepAlive(enable, delay, interval, count) {
    return this.transport.setKeepAlive(enable, delay, interval, count);
  }

  setTypeOfService(value) { return this.transport.setTypeOfService(value); }
  getTypeOfService() { return this.transport.getTypeOfService(); }

  // The socket below, which has a class of its own if the TLSSocket reads and writes a Duplex.
  get _parentWrap() {
    if (!(this.transport instanceof DuplexTransport)) return this.wrap;
    const { JSStreamSocket, kOnlyForItsClass } = require('internal/tls/duplex_socket');
    return new JSStreamSocket(this.transport.stream, kOnlyForItsClass);
  }

  // The descriptor cannot be transferred: the state of the encrypted connection would stay here.
  takeDescriptor() { return -1; }

  getFinished() { return toBuffer(this.finishedBytes()); }
  getPeerFinished() { return toBuffer(this.peerFinishedBytes()); }
  getSession() { return toBuffer(this.sessionBytes()); }
  getTLSTicket() { return toBuffer(this.ticketBytes()); }

  // The problem with the certificate of the peer, or null.
  verifyError() {
    const problem = this.verifyResult();
    if (problem === undefined) return null;
    const { 0: number, 1: reason, 2: code } = problem;
    return genericNodeError(describeProblem(number, reason), { code });
  }
}

ObjectAssign(TlsHandle.prototype, {
  certificateHandle: details.certificateHandle,
  destroySSL: binding.destroySSL,
  enableALPNCb: binding.enableALPNCb,
  enableCertCb: binding.enableCertCb,
  enableKeylogCallback: binding.enableKeylogCallback,
  enablePskCallback: binding.enablePskCallback,
  enableSessionCallbacks: binding.enableSessionCallbacks,
  enableTrace: binding.enableTrace,
  endParser: binding.endParser,
  exportedBytes: details.exportedBytes,
  finishCertificate: binding.finishCertificate,
  finishedBytes: details.finishedBytes,
  getALPNNegotiatedProtocol: details.getALPNNegotiatedProtocol,
  getCipher: details.getCipher,
  getEphemeralKeyInfo: details.getEphemeralKeyInfo,
  getProtocol: details.getProtocol,
  getServername: details.getServername,
  getSharedSigalgs: details.getSharedSigalgs,
  isSessionReused: details.isSessionReused,
  loadSession: binding.loadSession,
  newSessionDone: binding.newSessionDone,
  peerCertificate: details.peerCertificate,
  peerCertificates: details.peerCertificates,
  peerFinishedBytes: details.peerFinishedBytes,
  readInto: binding.readInto,
  receive: binding.receive,
  receiveEnd: binding.receiveEnd,
  renegotiate: binding.renegotiate,
  requestOCSP: binding.requestOCSP,
  resume: binding.resume,
  send: binding.send,
  sendCloseNotify: binding.sendCloseNotify,
  sent: binding.sent,
  sessionBytes: details.sessionBytes,
  setALPNProtocols: binding.setALPNProtocols,
  setKeyCert: binding.setKeyCert,
  setMaxSendFragment: binding.setMaxSendFragment,
  setOCSPResponse: binding.setOCSPResponse,
  setPskIdentityHint: binding.setPskIdentityHint,
  setServername: binding.setServername,
  setSession: binding.setSession,
  setVerifyMode: binding.setVerifyMode,
  start: binding.start,
  ticketBytes: details.ticketBytes,
  verifyResult: details.verifyResult,
});
addGetters(TlsHandle.prototype, {
  __proto__: null,
  boundAddress() { return this.transport.boundAddress; },
  bytesRead: binding.bytesRead,
  bytesWritten: binding.bytesWritten,
  fd() { return this.transport.fd; },
  reading() { return this.transport.reading; },
  writeQueueSize: binding.queuedBytes,
});

module.exports = { TlsHandle, makeTlsHandle };
