'use strict';

// encapsulate() and decapsulate().

const { FastBuffer } = require('internal/buffer/fast');
const { toPrivateHandle, toPublicHandle } = require('internal/crypto/key_input');
const { whenDone } = require('internal/crypto/sign');
const { getArrayBufferOrView } = require('internal/crypto/util');
const { validateFunction } = require('internal/validators');

const binding = internalBinding('crypto_exchange');

const toBuffer = (bytes) => new FastBuffer(bytes);
const toBoth = ({ 0: sharedKey, 1: ciphertext }) =>
  ({ sharedKey: toBuffer(sharedKey), ciphertext: toBuffer(ciphertext) });

function encapsulate(key, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  const result = binding.encapsulate(toPublicHandle(key), whenDone('DERIVEBITSREQUEST', callback, toBoth));
  return callback === undefined ? toBoth(result) : undefined;
}

function decapsulate(key, ciphertext, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  const handle = toPrivateHandle(key);
  ciphertext = getArrayBufferOrView(ciphertext, 'ciphertext');
  const result = binding.decapsulate(handle, ciphertext, whenDone('DERIVEBITSREQUEST', callback, toBuffer));
  return callback === undefined ? toBuffer(result) : undefined;
}

module.exports = { decapsulate, encapsulate };
