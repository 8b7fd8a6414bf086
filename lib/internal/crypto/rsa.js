'use strict';

// publicEncrypt(), privateDecrypt(), privateEncrypt() and publicDecrypt().

const { Error } = primordials;

const { codedError } = require('internal/errors');
const { FastBuffer } = require('internal/buffer/fast');
const constants = require('internal/crypto/constants');
const { toPrivateHandle, toPublicHandle } = require('internal/crypto/key_input');
const { getArrayBufferOrView } = require('internal/crypto/util');
const { validateString } = require('internal/validators');

const binding = internalBinding('crypto_rsa');

const { RSA_PKCS1_OAEP_PADDING, RSA_PKCS1_PADDING } = constants;

function run(operation, defaultPadding, handle, key, buffer) {
  const padding = key.padding || defaultPadding;
  const { oaepHash, encoding } = key;
  let { oaepLabel } = key;
  if (oaepHash !== undefined) validateString(oaepHash, 'key.oaepHash');
  if (oaepLabel !== undefined) oaepLabel = getArrayBufferOrView(oaepLabel, 'key.oaepLabel', encoding);
  buffer = getArrayBufferOrView(buffer, 'buffer', encoding);
  const result = binding.run(operation, handle, buffer, padding >>> 0 | 0, oaepHash, oaepLabel);
  if (result === false) throw codedError(Error, 'ERR_OSSL_EVP_INVALID_DIGEST', 'Invalid digest used');
  return new FastBuffer(result);
}

const publicEncrypt = (key, buffer) =>
  run(binding.kPublicEncrypt, RSA_PKCS1_OAEP_PADDING, toPublicHandle(key), key, buffer);

const publicDecrypt = (key, buffer) =>
  run(binding.kPublicDecrypt, RSA_PKCS1_PADDING, toPublicHandle(key), key, buffer);

const privateEncrypt = (key, buffer) =>
  run(binding.kPrivateEncrypt, RSA_PKCS1_PADDING, toPrivateHandle(key, 'privateKey'), key, buffer);

const privateDecrypt = (key, buffer) =>
  run(binding.kPrivateDecrypt, RSA_PKCS1_OAEP_PADDING, toPrivateHandle(key, 'privateKey'), key, buffer);

module.exports = { privateDecrypt, privateEncrypt, publicDecrypt, publicEncrypt };
