'use strict';

// X509Certificate.

const {
  ArrayBufferIsView,
  ArrayPrototypePush,
  Date,
  JSONParse,
  RegExpPrototypeSymbolReplace,
  StringPrototypeStartsWith,
} = primordials;

const {
  ERR_INVALID_ARG_TYPE,
  ERR_INVALID_ARG_VALUE,

} = require('internal/errors').codes;
const { FastBuffer } = require('internal/buffer/fast');
const { isKeyObject, makeAsymmetric, partsOf, typeOf } = require('internal/crypto/keys');
const { HostObject, kClone } = require('internal/structured_clone');
const { customInspectSymbol, kEmptyObject } = require('internal/util');
const { validateBoolean, validateObject, validateString } = require('internal/validators');

const binding = internalBinding('crypto_x509');

function flagsOf(options = kEmptyObject) {
  validateObject(options, 'options');
  const {
    subject = 'default',
    wildcards = true,
    partialWildcards = true,
    multiLabelWildcards = false,
    singleLabelSubdomains = false,
  } = options;
  if (subject !== 'default' && subject !== 'always' && subject !== 'never') {
    throw new ERR_INVALID_ARG_VALUE('options.subject', subject);
  }
  validateBoolean(wildcards, 'options.wildcards');
  validateBoolean(partialWildcards, 'options.partialWildcards');
  validateBoolean(multiLabelWildcards, 'options.multiLabelWildcards');
  validateBoolean(singleLabelSubdomains, 'options.singleLabelSubdomains');
  let flags = 0;
  if (subject === 'always') flags |= binding.kAlwaysCheckSubject;
  if (subject === 'never') flags |= binding.kNeverCheckSubject;
  if (!wildcards) flags |= binding.kNoWildcards;
  if (!partialWildcards) flags |= binding.kNoPartialWildcards;
  if (multiLabelWildcards) flags |= binding.kMultiLabelWildcards;
  if (singleLabelSubdomains) flags |= binding.kSingleLabelSubdomains;
  return flags;
}

// The native certificate of an object under construction that is not read from bytes.
let given;
let isX509Certificate;
let handleOf;

const shown = [
  'subject', 'subjectAltName', 'issuer', 'infoAccess', 'validFrom', 'validTo', 'validFromDate', 'validToDate',
  'fingerprint', 'fingerprint256', 'fingerprint512', 'keyUsage', 'serialNumber', 'signatureAlgorithm',
  'signatureAlgorithmOid',
];

class X509Certificate extends HostObject {
  #handle;
  #read = { __proto__: null }; // Properties that were read.

  constructor(buffer) {
    super();
    if (given !== undefined) {
      this.#handle = given;
      return;
    }
    if (typeof buffer !== 'string' && !ArrayBufferIsView(buffer)) {
      throw new ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView'], buffer);
    }
    this.#handle = binding.parse(buffer);
  }

  static {
    isX509Certificate = (value) => typeof value === 'object' && value !== null && #handle in value;
    handleOf = (certificate) => certificate.#handle;
  }

  #once(name, read) {
    if (!(name in this.#read)) this.#read[name] = read(this.#handle);
    return this.#read[name];
  }

  [customInspectSymbol](depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    const parts = {};
    for (let i = 0; i < shown.length; i++) parts[shown[i]] = this[shown[i]];
    return `X509Certificate ${inspect(parts, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }

  [kClone]() {
    return { id: 'internal/crypto/x509', data: binding.raw(this.#handle) };
  }

  get subject() { return this.#once('subject', binding.subject); }
  get subjectAltName() { return this.#once('subjectAltName', binding.subjectAltName); }
  get issuer() { return this.#once('issuer', binding.issuer); }
  get infoAccess() { return this.#once('infoAccess', binding.infoAccess); }
  get validFrom() { return this.#once('validFrom', binding.validFrom); }
  get validTo() { return this.#once('validTo', binding.validTo); }
  get fingerprint() { return this.#once('fingerprint', binding.fingerprint); }
  get fingerprint256() { return this.#once('fingerprint256', binding.fingerprint256); }
  get fingerprint512() { return this.#once('fingerprint512', binding.fingerprint512); }
  get keyUsage() { return this.#once('keyUsage', binding.keyUsage); }
  get serialNumber() { return this.#once('serialNumber', binding.serialNumber); }
  get signatureAlgorithm() { return this.#once('signatureAlgorithm', binding.signatureAlgorithm); }
  get signatureAlgorithmOid() { return this.#once('signatureAlgorithmOid', binding.signatureAlgorithmOid); }
  get ca() { return this.#once('ca', binding.ca); }
  get validFromDate() { return this.#once('validFromDate', (handle) => new Date(binding.validFromTime(handle))); }
  get validToDate() { return this.#once('validToDate', (handle) => new Date(binding.validToTime(handle))); }
  get raw() { return this.#once('raw', (handle) => new FastBuffer(binding.raw(handle))); }
  get publicKey() { return this.#once('publicKey', (handle) => makeAsymmetric(binding.publicKey(handle))); }

  get issuerCertificate() {
    return this.#once('issuerCertificate', (handle) => {
      const issuer = binding.issuerCertificate(handle);
      return issuer === undefined ? undefined : makeCertificate(issuer);
    });
  }

  toString() { return this.#once('pem', binding.pem); }

  toJSON() { return this.toString(); }

  checkHost(name, options) {
    validateString(name, 'name');
    return binding.checkHost(this.#handle, name, flagsOf(options));
  }

  checkEmail(email, options) {
    validateString(email, 'email');
    return binding.checkEmail(this.#handle, email, flagsOf(options));
  }

  checkIP(ip, options) {
    validateString(ip, 'ip');
    return binding.checkIP(this.#handle, ip, flagsOf(options));
  }

  checkIssued(otherCert) {
    if (!isX509Certificate(otherCert)) throw new ERR_INVALID_ARG_TYPE('otherCert', 'X509Certificate', otherCert);
    return binding.checkIssued(this.#handle, otherCert.#handle);
  }

  checkPrivateKey(pkey) {
    if (!isKeyObject(pkey)) throw new ERR_INVALID_ARG_TYPE('pkey', 'KeyObject', pkey);
    if (typeOf(pkey) !== 'private') throw new ERR_INVALID_ARG_VALUE('pkey', pkey);
    return binding.checkPrivateKey(this.#handle, partsOf(pkey));
  }

  verify(pkey) {
    if (!isKeyObject(pkey)) throw new ERR_INVALID_ARG_TYPE('pkey', 'KeyObject', pkey);
    if (typeOf(pkey) !== 'public') throw new ERR_INVALID_ARG_VALUE('pkey', pkey);
    return binding.verify(this.#handle, partsOf(pkey));
  }

  toLegacyObject() {
    return translatePeerCertificate(binding.toLegacy(this.#handle));
  }
}

// Creates the object of a native certificate.
function makeCertificate(handle) {
  given = handle;
  try {
    return new X509Certificate();
  } finally {
    given = undefined;
  }
}

// Completes an object of native code, which getPeerCertificate() of TLS returns, too.
function translatePeerCertificate(certificate) {
  if (!certificate) return null;
  const { infoAccess, issuerCertificate, pubkey, raw } = certificate;
  if (issuerCertificate != null && issuerCertificate !== certificate) {
    certificate.issuerCertificate = translatePeerCertificate(issuerCertificate);
  }
  if (pubkey !== undefined && !ArrayBufferIsView(pubkey)) certificate.pubkey = new FastBuffer(pubkey);
  if (raw !== undefined && !ArrayBufferIsView(raw)) certificate.raw = new FastBuffer(raw);
  if (typeof infoAccess !== 'string') return certificate;
  const entries = { __proto__: null };
  RegExpPrototypeSymbolReplace(/([^\n:]*):([^\n]*)(?:\n|$)/g, infoAccess, (all, key, value) => {
    // Native code quotes values that could be mistaken for something else.
    const text = StringPrototypeStartsWith(value, '"') ? JSONParse(value) : value;
    if (key in entries) ArrayPrototypePush(entries[key], text);
    else entries[key] = [text];
    return '';
  });
  certificate.infoAccess = entries;
  return certificate;
}

function readClone(bytes) {
  return new X509Certificate(new FastBuffer(bytes));
}

module.exports = { X509Certificate, handleOf, isX509Certificate, makeCertificate, readClone, translatePeerCertificate };
