'use strict';

// V8's serializer, with methods that a subclass may define to serialize its own objects.

const {
  ArrayPrototypeForEach,
  ArrayBuffer,
  ArrayBufferIsView,
  ArrayBufferPrototypeSlice,
  BigInt64Array,
  BigUint64Array,
  DataView,
  Error,
  Float32Array,
  Float64Array,
  Int16Array,
  Int32Array,
  Int8Array,
  ObjectDefineProperty,
  ObjectGetOwnPropertyNames,
  ObjectPrototypeToString,
  ReflectConstruct,
  SafeMap,
  Uint16Array,
  Uint32Array,
  Uint8Array,
  Uint8ClampedArray,
} = primordials;

const { FastBuffer } = require('internal/buffer/fast');
const { ERR_CONSTRUCT_CALL_REQUIRED, ERR_INVALID_ARG_TYPE } = require('internal/errors').codes;
const { isAnyArrayBuffer } = require('internal/util/types');

const binding = internalBinding('v8');

function withMessage(error, message) {
  error.message = message;
  return error;
}

function checkBytes(value, name) {
  if (ArrayBufferIsView(value)) return;
  throw withMessage(new ERR_INVALID_ARG_TYPE(name, 'Buffer', value), `${name} must be a TypedArray or a DataView`);
}

class SerializerBase {
  #native = binding.makeSerializer();

  writeHeader() { binding.writeHeader(this.#native); }
  writeValue(value) { return binding.writeValue(this.#native, this, value); }
  releaseBuffer() { return new FastBuffer(binding.releaseBuffer(this.#native)); }
  transferArrayBuffer(id, arrayBuffer) { binding.transferOut(this.#native, id >>> 0, arrayBuffer); }
  writeUint32(value) { binding.writeUint32(this.#native, value >>> 0); }
  writeUint64(high, low) { binding.writeUint64(this.#native, high >>> 0, low >>> 0); }
  writeDouble(value) { binding.writeDouble(this.#native, +value); }
  writeRawBytes(source) {
    if (!isAnyArrayBuffer(source)) checkBytes(source, 'source');
    binding.writeBytes(this.#native, source);
  }

  _setTreatArrayBufferViewsAsHostObjects(flag) { binding.treatViewsAsHostObjects(this.#native, !!flag); }
}

class DeserializerBase {
  #native;

  constructor(buffer) {
    checkBytes(buffer, 'buffer');
    this.#native = binding.makeDeserializer(buffer);
    ObjectDefineProperty(this, 'buffer',
      { __proto__: null, value: buffer, writable: true, enumerable: true, configurable: true });
  }

  readHeader() { return binding.readHeader(this.#native); }
  readValue() { return binding.readValue(this.#native, this); }
  getWireFormatVersion() { return binding.wireFormatVersion(this.#native); }
  transferArrayBuffer(id, arrayBuffer) {
    if (!isAnyArrayBuffer(arrayBuffer)) {
      throw withMessage(new ERR_INVALID_ARG_TYPE('arrayBuffer', 'ArrayBuffer', arrayBuffer),
        'arrayBuffer must be an ArrayBuffer or SharedArrayBuffer');
    }
    binding.transferIn(this.#native, id >>> 0, arrayBuffer);
  }

  readUint32() { return found(binding.readUint32(this.#native), 'ReadUint32'); }
  readUint64() { return found(binding.readUint64(this.#native), 'ReadUint64'); }
  readDouble() { return found(binding.readDouble(this.#native), 'ReadDouble'); }
  _readRawBytes(length) { return found(binding.readBytes(this.#native, +length), 'ReadRawBytes'); }

  readRawBytes(length) {
    const offset = this._readRawBytes(length);
    return new FastBuffer(this.buffer.buffer, this.buffer.byteOffset + offset, length);
  }
}

function found(value, method) {
  if (value === undefined) throw new Error(`${method}() failed`);
  return value;
}

// In Node these are functions rather than classes, and calling them without `new` has a specific error.
function callable(Base, name) {
  const made = {
    [name]: function(buffer) {
      if (new.target === undefined) {
        const error = new ERR_CONSTRUCT_CALL_REQUIRED(name);
        // The same message as that of Node's native code.
        error.message = `Class constructor ${name} cannot be invoked without 'new'`;
        throw error;
      }
      return ReflectConstruct(Base, [buffer], new.target);
    },
  }[name];
  made.prototype = Base.prototype;
  ArrayPrototypeForEach(ObjectGetOwnPropertyNames(Base.prototype), (name) => {
    ObjectDefineProperty(Base.prototype, name, { __proto__: null, enumerable: true });
  });
  ObjectDefineProperty(Base.prototype, 'constructor', {
    __proto__: null, value: made, enumerable: false, writable: true, configurable: true,
  });
  return made;
}
const Serializer = callable(SerializerBase, 'Serializer');
const Deserializer = callable(DeserializerBase, 'Deserializer');
Serializer.prototype._getDataCloneError = Error;

// The type numbers of views. They are the same as in Node, which may read the data.
const kinds = [
  Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array,
  Float64Array, DataView, FastBuffer, BigInt64Array, BigUint64Array,
];
const kBuffer = 10;
const numbers = new SafeMap();
for (let i = 0; i < kinds.length; i++) {
  if (i !== kBuffer) numbers.set(ObjectPrototypeToString(new kinds[i](new ArrayBuffer(8))), i);
}

class DefaultSerializer extends Serializer {
  constructor() {
    super();
    this._setTreatArrayBufferViewsAsHostObjects(true);
  }

  _writeHostObject(view) {
    let number = kBuffer;
    if (view.constructor !== require('buffer').Buffer) {
      number = ArrayBufferIsView(view) ? numbers.get(ObjectPrototypeToString(view)) : undefined;
      if (number === undefined) {
        throw new this._getDataCloneError(`Unserializable host object: ${ObjectPrototypeToString(view)}`);
      }
    }
    this.writeUint32(number);
    this.writeUint32(view.byteLength);
    this.writeRawBytes(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  }
}

class DefaultDeserializer extends Deserializer {
  _readHostObject() {
    const number = this.readUint32();
    const Kind = kinds[number];
    const size = this.readUint32();
    const at = this.buffer.byteOffset + this._readRawBytes(size);
    const step = Kind?.BYTES_PER_ELEMENT || 1;
    if (Kind === undefined) throw new Error('Unable to deserialize cloned data.');
    // Returns a view of the same memory if it is aligned, otherwise a copy.
    if (at % step === 0) return new Kind(this.buffer.buffer, at, size / step);
    return new Kind(ArrayBufferPrototypeSlice(this.buffer.buffer, at, at + size), 0, size / step);
  }
}

function serialize(value) {
  const serializer = new DefaultSerializer();
  serializer.writeHeader();
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}

function deserialize(buffer) {
  if (!isAnyArrayBuffer(buffer)) checkBytes(buffer, 'buffer');
  else buffer = new FastBuffer(buffer);
  const deserializer = new DefaultDeserializer(buffer);
  deserializer.readHeader();
  return deserializer.readValue();
}

module.exports = { DefaultDeserializer, DefaultSerializer, Deserializer, Serializer, deserialize, serialize };
