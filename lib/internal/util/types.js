'use strict';

// util.types: the brand of a value, which no property or prototype can forge. The engine determines
// it, except for typed arrays: their tag has a getter, which is faster than a call of native code.

const {
  ArrayBufferIsView,
  ObjectDefineProperties,
  TypedArrayPrototypeGetSymbolToStringTag,
} = primordials;

const binding = internalBinding('types');
const keyTypes = require('internal/util/key_types');

function isTypedArray(value) {
  return TypedArrayPrototypeGetSymbolToStringTag(value) !== undefined;
}

function isUint8Array(value) {
  return TypedArrayPrototypeGetSymbolToStringTag(value) === 'Uint8Array';
}

function isUint8ClampedArray(value) {
  return TypedArrayPrototypeGetSymbolToStringTag(value) === 'Uint8ClampedArray';
}

function isUint16Array(value) {
  return TypedArrayPrototypeGetSymbolToStringTag(value) === 'Uint16Array';
}

function isUint32Array(value) {
  return TypedArrayPrototypeGetSymbolToStringTag(value) === 'Uint32Array';
}

function isInt8Array(value) {
  return TypedArrayPrototypeGetSymbolToStringTag(value) === 'Int8Array';
}

function isInt16Array(value) {
  return TypedArrayPrototypeGetSymbolToStringTag(value) === 'Int16Array';
}

function isInt32Array(value) {
  return TypedArrayPrototypeGetSymbolToStringTag(value) === 'Int32Array';
}

function isFloat16Array(value) {
  return TypedArrayPrototypeGetSymbolToStringTag(value) === 'Float16Array';
}

function isFloat32Array(value) {
  return TypedArrayPrototypeGetSymbolToStringTag(value) === 'Float32Array';
}

function isFloat64Array(value) {
  return TypedArrayPrototypeGetSymbolToStringTag(value) === 'Float64Array';
}

function isBigInt64Array(value) {
  return TypedArrayPrototypeGetSymbolToStringTag(value) === 'BigInt64Array';
}

function isBigUint64Array(value) {
  return TypedArrayPrototypeGetSymbolToStringTag(value) === 'BigUint64Array';
}

module.exports = {
  isArgumentsObject: binding.isArgumentsObject,
  isArrayBuffer: binding.isArrayBuffer,
  isAsyncFunction: binding.isAsyncFunction,
  isBigIntObject: binding.isBigIntObject,
  isBooleanObject: binding.isBooleanObject,
  isDate: binding.isDate,
  isExternal: binding.isExternal,
  isGeneratorFunction: binding.isGeneratorFunction,
  isGeneratorObject: binding.isGeneratorObject,
  isMap: binding.isMap,
  isMapIterator: binding.isMapIterator,
  isModuleNamespaceObject: binding.isModuleNamespaceObject,
  isNativeError: binding.isNativeError,
  isNumberObject: binding.isNumberObject,
  isPromise: binding.isPromise,
  isProxy: binding.isProxy,
  isRegExp: binding.isRegExp,
  isSet: binding.isSet,
  isSetIterator: binding.isSetIterator,
  isSharedArrayBuffer: binding.isSharedArrayBuffer,
  isStringObject: binding.isStringObject,
  isSymbolObject: binding.isSymbolObject,
  isWeakMap: binding.isWeakMap,
  isWeakSet: binding.isWeakSet,
  isAnyArrayBuffer: binding.isAnyArrayBuffer,
  isBoxedPrimitive: binding.isBoxedPrimitive,
  isArrayBufferView: ArrayBufferIsView,
  isDataView: binding.isDataView,
  isTypedArray,
  isUint8Array,
  isUint8ClampedArray,
  isUint16Array,
  isUint32Array,
  isInt8Array,
  isInt16Array,
  isInt32Array,
  isFloat16Array,
  isFloat32Array,
  isFloat64Array,
  isBigInt64Array,
  isBigUint64Array,
};

function isKeyObject(value) {
  return keyTypes.isKeyObject(value);
}

function isCryptoKey(value) {
  return keyTypes.isCryptoKey(value);
}

ObjectDefineProperties(module.exports, {
  isKeyObject: { __proto__: null, configurable: false, enumerable: true, value: isKeyObject },
  isCryptoKey: { __proto__: null, configurable: false, enumerable: true, value: isCryptoKey },
});
