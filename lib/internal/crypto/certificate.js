'use strict';

// Certificate: SPKAC, a signed public key with a challenge.

const { FastBuffer } = require('internal/buffer/fast');
const { getArrayBufferOrView } = require('internal/crypto/util');

const binding = internalBinding('crypto_spkac');

// An empty input gives an empty text, in place of bytes, too.
function isEmpty(spkac) {
  return (typeof spkac === 'string' ? spkac.length : spkac.byteLength) === 0;
}

const toBytes = (result) => (result === undefined ? '' : new FastBuffer(result));

function verifySpkac(spkac, encoding) {
  spkac = getArrayBufferOrView(spkac, 'spkac', encoding);
  return isEmpty(spkac) ? '' : binding.verify(spkac);
}

function exportPublicKey(spkac, encoding) {
  spkac = getArrayBufferOrView(spkac, 'spkac', encoding);
  return toBytes(binding.publicKey(spkac));
}

function exportChallenge(spkac, encoding) {
  spkac = getArrayBufferOrView(spkac, 'spkac', encoding);
  return toBytes(binding.challenge(spkac));
}

// It is a function that can be called, and also a namespace.
function Certificate() {
  if (!(this instanceof Certificate)) return new Certificate();
}
Certificate.prototype.verifySpkac = verifySpkac;
Certificate.prototype.exportPublicKey = exportPublicKey;
Certificate.prototype.exportChallenge = exportChallenge;
Certificate.exportChallenge = exportChallenge;
Certificate.exportPublicKey = exportPublicKey;
Certificate.verifySpkac = verifySpkac;

module.exports = { Certificate };
