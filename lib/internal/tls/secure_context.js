'use strict';
// SecureContext: certificates, keys and settings that connections share. The native context has Node's methods.

const {
  ArrayIsArray,
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  FunctionPrototypeCall,
  ObjectAssign,
  ObjectDefineProperty,
  StringPrototypeSplit,
  StringPrototypeStartsWith,
  TypeError,
} = primordials;

const binding = internalBinding('tls_context');
const {
  codes: {
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_TLS_INVALID_PROTOCOL_VERSION,
    ERR_TLS_PROTOCOL_VERSION_CONFLICT,
  },
} = require('internal/errors');
const { FastBuffer } = require('internal/buffer/fast');
const { kEmptyObject } = require('internal/util');
const { isArrayBufferView } = require('internal/util/types');
const {
  validateBuffer, validateInt32, validateInteger, validateObject, validateString,
} = require('internal/validators');
const { setUpRoots } = require('internal/tls/authorities');

const {
  SSL_OP_CIPHER_SERVER_PREFERENCE,
  TLS1_VERSION,
  TLS1_1_VERSION,
  TLS1_2_VERSION,
  TLS1_3_VERSION,
  kCompressBrotli,
  kCompressZlib,
  kCompressZstd,
  kTicketKeySize,
} = binding;

const versions = {
  '__proto__': null,
  'TLSv1': TLS1_VERSION,
  'TLSv1.1': TLS1_1_VERSION,
  'TLSv1.2': TLS1_2_VERSION,
  'TLSv1.3': TLS1_3_VERSION,
};
const compressions = { __proto__: null, zlib: kCompressZlib, brotli: kCompressBrotli, zstd: kCompressZstd };
const kMostCompressions = 3;

let isReady = false;
function setUp() {
  if (isReady) return;
  isReady = true;
  setUpRoots();
  binding.makePattern(NativeSecureContext.prototype);
}

// The object that connections use. A program sees it as the property `context` of a SecureContext.
class NativeSecureContext {
  constructor() {
    setUp();
    return binding.create();
  }

  getTicketKeys() {
    return new FastBuffer(FunctionPrototypeCall(binding.getTicketKeys, this));
  }

  // In DER.
  getCertificate() {
    const bytes = FunctionPrototypeCall(binding.certificateBytes, this);
    return bytes === null ? null : new FastBuffer(bytes);
  }

  getIssuer() {
    const bytes = FunctionPrototypeCall(binding.issuerBytes, this);
    return bytes === null ? null : new FastBuffer(bytes);
  }
}
const keys = internalBinding('tls_keys');
ObjectAssign(NativeSecureContext.prototype, {
  addCACert: binding.addCACert,
  addCRL: binding.addCRL,
  addRootCerts: binding.addRootCerts,
  close: binding.close,
  getMaxProto: binding.getMaxProto,
  getMinProto: binding.getMinProto,
  init: binding.init,
  loadPKCS12: keys.loadPKCS12,
  setAllowPartialTrustChain: binding.setAllowPartialTrustChain,
  setCert: binding.setCert,
  setCertificateCompression: binding.setCertificateCompression,
  setCipherSuites: binding.setCipherSuites,
  setCiphers: binding.setCiphers,
  setClientCertEngine: keys.setClientCertEngine,
  setDHParam: keys.setDHParam,
  setECDHCurve: binding.setECDHCurve,
  setEngineKey: keys.setEngineKey,
  setKey: keys.setKey,
  setMaxProto: binding.setMaxProto,
  setMinProto: binding.setMinProto,
  setOptions: binding.setOptions,
  setSessionIdContext: binding.setSessionIdContext,
  setSessionTimeout: binding.setSessionTimeout,
  setSigalgs: binding.setSigalgs,
  setTicketKeys: binding.setTicketKeys,
});
ObjectDefineProperty(NativeSecureContext.prototype, '_external', {
  __proto__: null,
  configurable: false,
  get() {
    const pointer = FunctionPrototypeCall(binding.external, this);
    if (pointer === undefined) throw new TypeError('Illegal invocation');
    return pointer;
  },
});

function isNativeContext(value) {
  return binding.isContext(value);
}

function toVersion(kind, name, otherwise) {
  const version = versions[name ?? otherwise];
  if (version === undefined) throw new ERR_TLS_INVALID_PROTOCOL_VERSION(name ?? otherwise, kind);
  return version;
}

function SecureContext(secureProtocol, secureOptions, minVersion, maxVersion) {
  if (!(this instanceof SecureContext)) {
    return new SecureContext(secureProtocol, secureOptions, minVersion, maxVersion);
  }
  if (secureProtocol) {
    if (minVersion !== undefined && minVersion !== null) {
      throw new ERR_TLS_PROTOCOL_VERSION_CONFLICT(minVersion, secureProtocol);
    }
    if (maxVersion !== undefined && maxVersion !== null) {
      throw new ERR_TLS_PROTOCOL_VERSION_CONFLICT(maxVersion, secureProtocol);
    }
  }
  const tls = require('tls'); // A program may change the defaults.
  const least = toVersion('minimum', minVersion, tls.DEFAULT_MIN_VERSION);
  const most = toVersion('maximum', maxVersion, tls.DEFAULT_MAX_VERSION);
  this.context = new NativeSecureContext();
  this.context.init(secureProtocol, least, most);
  if (secureOptions) {
    validateInteger(secureOptions, 'secureOptions');
    this.context.setOptions(secureOptions);
  }
}

function createSecureContext(options) {
  options ||= kEmptyObject;
  let { secureOptions } = options;
  if (options.honorCipherOrder) secureOptions |= SSL_OP_CIPHER_SERVER_PREFERENCE;
  const result = new SecureContext(options.secureProtocol, secureOptions, options.minVersion, options.maxVersion);
  configure(result.context, options, 'options');
  return result;
}

function isSet(value) {
  return value !== undefined && value !== null;
}

function validatePem(name, value) {
  if (typeof value !== 'string' && !isArrayBufferView(value)) {
    throw new ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'TypedArray', 'DataView'], value);
  }
}

// Calls `use` with the value or, if it is a list, with each of its elements.
function forEachPem(value, name, use) {
  const list = ArrayIsArray(value) ? value : [value];
  for (let i = 0; i < list.length; i++) {
    validatePem(name, list[i]);
    use(list[i]);
  }
}

// OpenSSL has one list for TLS 1.3, whose ciphers begin with TLS_, and one for all earlier versions.
function setCiphers(context, ciphers, name) {
  if (isSet(ciphers)) validateString(ciphers, `${name}.ciphers`);
  const all = StringPrototypeSplit(ciphers || require('tls').DEFAULT_CIPHERS, ':');
  const suites = [];
  const older = [];
  for (let i = 0; i < all.length; i++) {
    const cipher = all[i];
    if (cipher === '') continue;
    const isNew = StringPrototypeStartsWith(cipher, 'TLS_') || StringPrototypeStartsWith(cipher, '!TLS_');
    ArrayPrototypePush(isNew ? suites : older, cipher);
  }
  if (suites.length === 0 && older.length === 0) throw new ERR_INVALID_ARG_VALUE(`${name}.ciphers`, all);
  if (suites.length !== 0) context.setCipherSuites(ArrayPrototypeJoin(suites, ':'));
  context.setCiphers(ArrayPrototypeJoin(older, ':'));
  // Do not offer earlier versions without ciphers for them.
  if (older.length === 0 && context.getMinProto() < TLS1_3_VERSION && context.getMaxProto() > TLS1_2_VERSION) {
    context.setMinProto(TLS1_3_VERSION);
  }
}

function setKey(context, key, passphrase, name) {
  validatePem(`${name}.key`, key);
  if (isSet(passphrase)) validateString(passphrase, `${name}.passphrase`);
  context.setKey(key, passphrase);
}

function setKeys(context, key, passphrase, name) {
  if (!ArrayIsArray(key)) {
    setKey(context, key, passphrase, name);
    return;
  }
  for (let i = 0; i < key.length; i++) {
    const one = key[i];
    setKey(context, one?.pem !== undefined ? one.pem : one,
      one?.passphrase !== undefined ? one.passphrase : passphrase, name);
  }
}

function setCompression(context, names, name) {
  if (!ArrayIsArray(names)) throw new ERR_INVALID_ARG_TYPE(`${name}.certificateCompression`, 'Array', names);
  if (names.length === 0) return;
  if (names.length > kMostCompressions) {
    throw new ERR_INVALID_ARG_VALUE(`${name}.certificateCompression`, names, 'can specify at most 3 algorithms');
  }
  const numbers = [];
  for (let i = 0; i < names.length; i++) {
    const number = compressions[names[i]];
    if (number === undefined) {
      throw new ERR_INVALID_ARG_VALUE(`${name}.certificateCompression[${i}]`, names[i],
        "must be 'zlib', 'brotli', or 'zstd'");
    }
    ArrayPrototypePush(numbers, number);
  }
  context.setCertificateCompression(numbers);
}

function validateOptionalString(value, name) {
  if (isSet(value) && typeof value !== 'string') {
    throw new ERR_INVALID_ARG_TYPE(name, ['string', 'null', 'undefined'], value);
  }
}

function setEngineKey(context, { key, privateKeyEngine, privateKeyIdentifier }, name) {
  if (!isSet(privateKeyIdentifier)) return;
  if (!isSet(privateKeyEngine)) throw new ERR_INVALID_ARG_VALUE(`${name}.privateKeyEngine`, privateKeyEngine);
  if (key) throw new ERR_INVALID_ARG_VALUE(`${name}.privateKeyIdentifier`, privateKeyIdentifier);
  validateOptionalString(privateKeyIdentifier, `${name}.privateKeyIdentifier`);
  validateOptionalString(privateKeyEngine, `${name}.privateKeyEngine`);
  context.setEngineKey(privateKeyIdentifier, privateKeyEngine);
}

function toBytes(value) {
  return typeof value === 'string' ? require('buffer').Buffer.from(value) : value;
}

function loadPkcs12(context, pfx, passphrase) {
  if (isSet(passphrase)) {
    context.loadPKCS12(toBytes(pfx), toBytes(passphrase));
  } else {
    context.loadPKCS12(toBytes(pfx));
  }
}

function loadPfx(context, pfx, passphrase) {
  if (!ArrayIsArray(pfx)) {
    loadPkcs12(context, pfx, passphrase || undefined);
    return;
  }
  for (let i = 0; i < pfx.length; i++) {
    loadPkcs12(context, pfx[i].buf || pfx[i], pfx[i].passphrase || passphrase);
  }
}

// The order matters: a security level among the ciphers applies to all that follows, the issuer of a certificate is
// searched among the authorities, and a key must belong to its certificate.
function configure(context, options, name) {
  validateObject(options, name);
  const { allowPartialTrustChain, ca, cert, certificateCompression, crl, dhparam, key, passphrase, pfx } = options;
  const { sessionIdContext, sessionTimeout, sigalgs, ticketKeys } = options;
  setCiphers(context, options.ciphers, name);
  if (ca) {
    forEachPem(ca, `${name}.ca`, (pem) => context.addCACert(pem));
  } else {
    context.addRootCerts();
  }
  if (allowPartialTrustChain) context.setAllowPartialTrustChain();
  if (cert) forEachPem(cert, `${name}.cert`, (pem) => context.setCert(pem));
  if (key) setKeys(context, key, passphrase, name);
  if (isSet(certificateCompression)) setCompression(context, certificateCompression, name);
  if (isSet(sigalgs)) {
    validateString(sigalgs, `${name}.sigalgs`);
    if (sigalgs === '') throw new ERR_INVALID_ARG_VALUE(`${name}.sigalgs`, sigalgs);
    context.setSigalgs(sigalgs);
  }
  setEngineKey(context, options, name);
  const { ecdhCurve = require('tls').DEFAULT_ECDH_CURVE || 'auto' } = options;
  validateString(ecdhCurve, `${name}.ecdhCurve`);
  context.setECDHCurve(ecdhCurve);
  if (isSet(dhparam)) {
    validatePem(`${name}.dhparam`, dhparam);
    const warning = context.setDHParam(dhparam === 'auto' || dhparam);
    if (warning) process.emitWarning(warning, 'SecurityWarning');
  }
  if (isSet(crl)) forEachPem(crl, `${name}.crl`, (pem) => context.addCRL(pem));
  if (isSet(sessionIdContext)) {
    validateString(sessionIdContext, `${name}.sessionIdContext`);
    context.setSessionIdContext(sessionIdContext);
  }
  if (isSet(pfx)) loadPfx(context, pfx, passphrase);
  const { clientCertEngine } = options;
  validateOptionalString(clientCertEngine, `${name}.clientCertEngine`);
  if (isSet(clientCertEngine)) context.setClientCertEngine(clientCertEngine);
  if (isSet(ticketKeys)) {
    validateBuffer(ticketKeys, `${name}.ticketKeys`);
    if (ticketKeys.byteLength !== kTicketKeySize) {
      throw new ERR_INVALID_ARG_VALUE(`${name}.ticketKeys`, ticketKeys.byteLength, 'must be exactly 48 bytes');
    }
    context.setTicketKeys(ticketKeys);
  }
  if (isSet(sessionTimeout)) {
    validateInt32(sessionTimeout, `${name}.sessionTimeout`, 0);
    context.setSessionTimeout(sessionTimeout);
  }
}

module.exports = { SecureContext, createSecureContext, isNativeContext };
