'use strict';
// The module `tls`.

const {
  Array,
  ArrayBufferPrototypeSlice,
  ArrayIsArray,
  ArrayPrototypePush,
  ArrayPrototypeSort,
  ObjectDefineProperty,
} = primordials;

const { Buffer } = require('buffer');
const { codes: { ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { getOptionValue } = require('internal/options');
const { getCACertificates, getRootCertificates, setDefaultCACertificates } = require('internal/tls/authorities');
const { connect } = require('internal/tls/connect');
const { checkServerIdentity } = require('internal/tls/identity');
const { SecureContext, createSecureContext } = require('internal/tls/secure_context');
const { Server, createServer } = require('internal/tls/server');
const { TLSSocket } = require('internal/tls/socket');
const { isArrayBufferView, isUint8Array } = require('internal/util/types');

const { cipherNames, compressionNames } = internalBinding('tls_context');

const kDefaultCiphers =
  'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:' +
  'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384:' +
  'ECDHE-ECDSA-AES256-GCM-SHA384:DHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-SHA256:DHE-RSA-AES128-SHA256:' +
  'ECDHE-RSA-AES256-SHA384:DHE-RSA-AES256-SHA384:ECDHE-RSA-AES256-SHA256:DHE-RSA-AES256-SHA256:HIGH:' +
  '!aNULL:!eNULL:!EXPORT:!DES:!RC4:!MD5:!PSK:!SRP:!CAMELLIA';
const kLongestProtocol = 255;

function leastVersion() {
  if (getOptionValue('--tls-min-v1.0')) return 'TLSv1';
  if (getOptionValue('--tls-min-v1.1')) return 'TLSv1.1';
  if (getOptionValue('--tls-min-v1.2')) return 'TLSv1.2';
  if (getOptionValue('--tls-min-v1.3')) return 'TLSv1.3';
  return 'TLSv1.2';
}

function mostVersion() {
  return !getOptionValue('--tls-max-v1.3') && getOptionValue('--tls-max-v1.2') ? 'TLSv1.2' : 'TLSv1.3';
}

let ciphers;
function getCiphers() {
  if (ciphers === undefined) {
    const names = ArrayPrototypeSort(cipherNames());
    ciphers = [];
    for (let i = 0; i < names.length; i++) {
      if (names[i] !== names[i - 1]) ArrayPrototypePush(ciphers, names[i]);
    }
  }
  return [...ciphers];
}

let compressions;
function getCertificateCompressionAlgorithms() {
  compressions ??= compressionNames();
  return [...compressions];
}

// ['h2', 'http/1.1'] as bytes, each name after its size.
function encodeProtocols(protocols) {
  const sizes = new Array(protocols.length);
  let total = 0;
  for (let i = 0; i < protocols.length; i++) {
    if (protocols[i] === '') {
      throw new ERR_INVALID_ARG_VALUE(`protocols[${i}]`, protocols[i], 'must be a non-empty string');
    }
    const size = Buffer.byteLength(protocols[i]);
    if (size > kLongestProtocol) {
      throw new ERR_OUT_OF_RANGE(`The byte length of the protocol at index ${i} exceeds the maximum length.`,
        '<= 255', size, true);
    }
    sizes[i] = size;
    total += 1 + size;
  }
  const bytes = Buffer.allocUnsafe(total);
  let at = 0;
  for (let i = 0; i < protocols.length; i++) {
    bytes[at] = sizes[i];
    bytes.write(protocols[i], at + 1);
    at += 1 + sizes[i];
  }
  return bytes;
}

// Programs may encode the list themselves.
function checkProtocols(bytes) {
  for (let at = 0; at < bytes.length; at += 1 + bytes[at]) {
    if (bytes[at] === 0) {
      throw new ERR_INVALID_ARG_VALUE('ALPNProtocols', bytes, 'must not contain zero-length protocol');
    }
    if (at + bytes[at] >= bytes.length) {
      throw new ERR_INVALID_ARG_VALUE('ALPNProtocols', bytes, 'contains truncated protocol');
    }
  }
  return bytes;
}

// Sets out.ALPNProtocols to a copy that the program cannot change later.
function convertALPNProtocols(protocols, out) {
  if (ArrayIsArray(protocols)) {
    out.ALPNProtocols = encodeProtocols(protocols);
  } else if (isUint8Array(protocols)) {
    out.ALPNProtocols = checkProtocols(Buffer.from(protocols));
  } else if (isArrayBufferView(protocols)) {
    const { buffer, byteOffset, byteLength } = protocols;
    out.ALPNProtocols =
      checkProtocols(Buffer.from(ArrayBufferPrototypeSlice(buffer, byteOffset, byteOffset + byteLength)));
  }
}

module.exports = {
  CLIENT_RENEG_LIMIT: 3,
  CLIENT_RENEG_WINDOW: 600,
  DEFAULT_CIPHERS: getOptionValue('--tls-cipher-list') || kDefaultCiphers,
  DEFAULT_ECDH_CURVE: 'auto',
  DEFAULT_MIN_VERSION: leastVersion(),
  DEFAULT_MAX_VERSION: mostVersion(),
  getCiphers,
  getCertificateCompressionAlgorithms,
  rootCertificates: undefined, // Below; here for the order of the names.
  getCACertificates,
  setDefaultCACertificates,
  convertALPNProtocols,
  checkServerIdentity,
  createSecureContext,
  SecureContext,
  TLSSocket,
  Server,
  createServer,
  connect,
};

ObjectDefineProperty(module.exports, 'rootCertificates', {
  __proto__: null,
  configurable: false,
  enumerable: true,
  get: getRootCertificates,
});
