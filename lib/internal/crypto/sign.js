'use strict';

// Sign, Verify, sign() and verify().

const { ArrayBufferIsView, FunctionPrototypeCall, ObjectSetPrototypeOf } = primordials;

const {
  ERR_CRYPTO_INVALID_DIGEST,
  ERR_CRYPTO_SIGN_KEY_REQUIRED,
  ERR_INVALID_ARG_TYPE,
  ERR_INVALID_ARG_VALUE,
} = require('internal/errors').codes;
const { bindCallback } = require('internal/async_hooks');
const { FastBuffer } = require('internal/buffer/fast');
const constants = require('internal/crypto/constants');
const { toPrivateHandle, toPublicHandle } = require('internal/crypto/key_input');
const { getArrayBufferOrView, kHandle, textInput, viewOrText } = require('internal/crypto/util');
const { validateEncoding, validateFunction, validateString } = require('internal/validators');
const { Writable } = require('stream');

const binding = internalBinding('crypto_sign');

const { RSA_PKCS1_PSS_PADDING, RSA_PSS_SALTLEN_MAX_SIGN } = constants;

function intOption(options, name) {
  const value = options[name];
  if (value === undefined) return undefined;
  if (value !== value >> 0) throw new ERR_INVALID_ARG_VALUE(`options.${name}`, value);
  return value + 0; // Turns -0 into 0.
}

// Returns the options that a program passes along with the key.
function readOptions(key) {
  const padding = intOption(key, 'padding');
  let saltLength = intOption(key, 'saltLength');
  if (padding === RSA_PKCS1_PSS_PADDING) saltLength ??= RSA_PSS_SALTLEN_MAX_SIGN;
  let isP1363 = false;
  if (typeof key === 'object') {
    const { dsaEncoding = 'der' } = key;
    if (dsaEncoding !== 'der' && dsaEncoding !== 'ieee-p1363') {
      throw new ERR_INVALID_ARG_VALUE('options.dsaEncoding', dsaEncoding);
    }
    isP1363 = dsaEncoding !== 'der';
  }
  return { padding, saltLength, isP1363 };
}

function readContext(key) {
  const context = key?.context;
  if (context === undefined) return undefined;
  if (!ArrayBufferIsView(context)) {
    throw new ERR_INVALID_ARG_TYPE('options.context', ['Buffer', 'TypedArray', 'DataView'], context);
  }
  return context;
}

function createMessage(algorithm) {
  validateString(algorithm, 'algorithm');
  const handle = binding.create(algorithm);
  if (handle === undefined) {
    const error = new ERR_CRYPTO_INVALID_DIGEST(algorithm);
    error.message = 'Invalid digest';
    throw error;
  }
  return handle;
}

function Sign(algorithm, options) {
  if (!(this instanceof Sign)) return new Sign(algorithm, options);
  this[kHandle] = createMessage(algorithm);
  FunctionPrototypeCall(Writable, this, options);
}
ObjectSetPrototypeOf(Sign.prototype, Writable.prototype);
ObjectSetPrototypeOf(Sign, Writable);

Sign.prototype._write = function _write(chunk, encoding, callback) {
  this.update(chunk, encoding);
  callback();
};

Sign.prototype.update = function update(data, encoding) {
  if (typeof data === 'string') {
    validateEncoding(data, encoding);
    data = textInput(data, encoding);
  } else if (!ArrayBufferIsView(data)) {
    throw new ERR_INVALID_ARG_TYPE('data', viewOrText, data);
  }
  binding.update(this[kHandle], data);
  return this;
};

Sign.prototype.sign = function sign(privateKey, encoding) {
  if (!privateKey) throw new ERR_CRYPTO_SIGN_KEY_REQUIRED();
  const { padding, saltLength, isP1363 } = readOptionsOf(privateKey);
  const handle = toPrivateHandle(privateKey, 'privateKey');
  const signature = new FastBuffer(binding.sign(this[kHandle], handle, padding, saltLength, isP1363));
  return encoding && encoding !== 'buffer' ? signature.toString(encoding) : signature;
};

function Verify(algorithm, options) {
  if (!(this instanceof Verify)) return new Verify(algorithm, options);
  this[kHandle] = createMessage(algorithm);
  FunctionPrototypeCall(Writable, this, options);
}
ObjectSetPrototypeOf(Verify.prototype, Writable.prototype);
ObjectSetPrototypeOf(Verify, Writable);
Verify.prototype._write = Sign.prototype._write;
Verify.prototype.update = Sign.prototype.update;

// Reading options of null or undefined would throw V8's error; the key is reported instead.
function readOptionsOf(key) {
  if (key == null) return {};
  return readOptions(key);
}

Verify.prototype.verify = function verify(key, signature, sigEncoding) {
  const { padding, saltLength, isP1363 } = readOptionsOf(key);
  const handle = toPublicHandle(key, 'key');
  const bytes = getArrayBufferOrView(signature, 'signature', sigEncoding);
  return binding.verify(this[kHandle], handle, bytes, padding, saltLength, isP1363);
};

function checkOnce(algorithm, callback) {
  if (algorithm != null) validateString(algorithm, 'algorithm');
  if (callback !== undefined) validateFunction(callback, 'callback');
}

// Returns the callback for native code; undefined for a synchronous call.
function whenDone(type, callback, convert) {
  if (callback === undefined) return undefined;
  const bound = bindCallback(type, callback);
  return (isDone, result) => {
    if (isDone) FunctionPrototypeCall(bound, undefined, null, convert(result));
    else FunctionPrototypeCall(bound, undefined, result);
  };
}

const toBuffer = (bytes) => new FastBuffer(bytes);

function signOneShot(algorithm, data, key, callback) {
  checkOnce(algorithm, callback);
  data = getArrayBufferOrView(data, 'data');
  if (!key) throw new ERR_CRYPTO_SIGN_KEY_REQUIRED();
  const { padding, saltLength, isP1363 } = readOptions(key);
  const context = readContext(key);
  const handle = toPrivateHandle(key);
  const result = binding.signOnce(handle, data, algorithm ?? undefined, padding, saltLength, isP1363, context,
    whenDone('SIGNREQUEST', callback, toBuffer));
  return callback === undefined ? toBuffer(result) : undefined;
}

const asItIs = (value) => value;

function verifyOneShot(algorithm, data, key, signature, callback) {
  checkOnce(algorithm, callback);
  data = getArrayBufferOrView(data, 'data');
  const { padding, saltLength, isP1363 } = readOptionsOf(key);
  const context = readContext(key);
  signature = getArrayBufferOrView(signature, 'signature');
  const handle = toPublicHandle(key);
  return binding.verifyOnce(handle, data, algorithm ?? undefined, padding, saltLength, isP1363, context, signature,
    whenDone('SIGNREQUEST', callback, asItIs));
}

module.exports = {
  Sign,
  Verify,
  createSign: (algorithm, options) => new Sign(algorithm, options),
  createVerify: (algorithm, options) => new Verify(algorithm, options),
  sign: signOneShot,
  verify: verifyOneShot,
  whenDone,
};
