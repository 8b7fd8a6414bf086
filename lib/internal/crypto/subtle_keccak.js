'use strict';

// The digests of Web Crypto that take parameters: cSHAKE, TurboSHAKE and KangarooTwelve.

const {
  MathCeil,
  MathTrunc,
  NumberIsFinite,
  StringPrototypeCharCodeAt,
  Uint8Array,
} = primordials;

const { ERR_INVALID_ARG_TYPE } = require('internal/errors').codes;
const { exception, missingOption, paramOf } = require('internal/crypto/subtle_convert');

const { keccak } = internalBinding('crypto_derive');

const cShake = { __proto__: null, family: 'cSHAKE', params: 'CShakeParams', read: readCShake };
const turboShake = { __proto__: null, family: 'TurboSHAKE', params: 'TurboShakeParams', read: readTurboShake };
const kangaroo = { __proto__: null, family: 'KT', params: 'KangarooTwelveParams', read: readKangaroo };

const keccaks = {
  __proto__: null,
  cSHAKE128: { __proto__: cShake, strength: 128 },
  cSHAKE256: { __proto__: cShake, strength: 256 },
  TurboSHAKE128: { __proto__: turboShake, strength: 128 },
  TurboSHAKE256: { __proto__: turboShake, strength: 256 },
  KT128: { __proto__: kangaroo, strength: 128 },
  KT256: { __proto__: kangaroo, strength: 256 },
};

const kLongestCustomization = 512;
const kDefaultDomain = 0x1f;
const functionNames = ['KMAC', 'TupleHash', 'ParallelHash'];

function refuse(Class, option, complaint) {
  const error = new Class('', '');
  error.message = `Failed to normalize algorithm: ${option} in passed algorithm ${complaint}`;
  return error;
}

// Converts to an integer from 0 to `most`, as [EnforceRange] of Web IDL does.
function integerOf(value, option, most) {
  const number = +value;
  if (!NumberIsFinite(number)) throw refuse(ERR_INVALID_ARG_TYPE, option, 'is not a finite number.');
  const integer = MathTrunc(number) + 0; // No negative zero.
  if (integer < 0 || integer > most) {
    const error = refuse(ERR_INVALID_ARG_TYPE, option, `is outside the expected range of 0 to ${most}.`);
    error.code = 'ERR_OUT_OF_RANGE'; // Of a TypeError, as in Node.
    throw error;
  }
  return integer;
}

function lengthOf(algorithm, params) {
  const { outputLength } = algorithm;
  if (outputLength === undefined) throw missingOption(params, 'outputLength');
  return integerOf(outputLength, 'outputLength', 0xffffffff);
}

function wholeBytesOf(algorithm, params) {
  const length = lengthOf(algorithm, params);
  if (length === 0 || length % 8 !== 0) throw exception(`Invalid ${params} outputLength`, 'OperationError');
  return length;
}

function optionalBytes(algorithm, option, params) {
  return algorithm[option] === undefined ? '' : paramOf(algorithm, option, params);
}

function customizationOf(algorithm, params) {
  const customization = optionalBytes(algorithm, 'customization', params);
  if (customization.length > kLongestCustomization) {
    throw exception(`${params}.customization must be at most ${kLongestCustomization} bytes`, 'OperationError');
  }
  return customization;
}

function isText(bytes, text) {
  if (bytes.length !== text.length) return false;
  for (let i = 0; i < text.length; i++) {
    if (bytes[i] !== StringPrototypeCharCodeAt(text, i)) return false;
  }
  return true;
}

function isFunctionName(bytes) {
  if (bytes.length === 0) return true;
  for (let i = 0; i < functionNames.length; i++) {
    if (isText(bytes, functionNames[i])) return true;
  }
  return false;
}

function readCShake(algorithm, params) {
  const customization = customizationOf(algorithm, params);
  const functionName = optionalBytes(algorithm, 'functionName', params);
  if (!isFunctionName(functionName)) throw exception(`Unsupported ${params} functionName`, 'NotSupportedError');
  const bits = lengthOf(algorithm, params);
  if (MathCeil(bits / 8) * 8 > 0xffffffff) throw exception(`Invalid ${params} outputLength`, 'OperationError');
  return { bits, domain: 0, functionName, customization };
}

function readTurboShake(algorithm, params) {
  const { domainSeparation } = algorithm;
  let domain = kDefaultDomain;
  if (domainSeparation !== undefined) domain = integerOf(domainSeparation, 'domainSeparation', 0xff);
  if (domain < 0x01 || domain > 0x7f) {
    throw exception(`${params}.domainSeparation must be in range 0x01-0x7f`, 'OperationError');
  }
  return { bits: wholeBytesOf(algorithm, params), domain, functionName: '', customization: '' };
}

function readKangaroo(algorithm, params) {
  const customization = customizationOf(algorithm, params);
  return { bits: wholeBytesOf(algorithm, params), domain: 0, functionName: '', customization };
}

// Returns the parameters, or throws if they are not valid.
function readKeccak(algorithm) {
  const { params, read } = keccaks[algorithm.name];
  return read(algorithm, params);
}

// Calls back with (true, ArrayBuffer) or false.
function startKeccak(name, { bits, domain, functionName, customization }, data, callback) {
  const { family, strength } = keccaks[name];
  keccak(family, strength, data, MathCeil(bits / 8), domain, functionName, customization, (isDone, result) => {
    const rest = bits % 8;
    if (isDone && rest !== 0) new Uint8Array(result)[result.byteLength - 1] &= 0xff << (8 - rest);
    callback(isDone, result);
  });
}

module.exports = { keccaks, readKeccak, startKeccak };
