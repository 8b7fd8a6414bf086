'use strict';

// Blob: immutable bytes with a type. Its parts are arrays with copies of the sources, or ranges of files (FilePart of
// internal/fs/blob) that are read on demand. Slices share the parts.

const {
  ArrayBufferIsView,
  ArrayPrototypePush,
  MathMax,
  MathMin,
  MathTrunc,
  ObjectDefineProperties,
  PromiseReject,
  PromisePrototypeThen,
  RegExpPrototypeExec,
  RegExpPrototypeSymbolReplace,
  StringPrototypeToLowerCase,
  SymbolIterator,
  SymbolToStringTag,
  TypedArrayPrototypeGetBuffer,
  TypedArrayPrototypeGetLength,
  TypedArrayPrototypeSet,
  TypedArrayPrototypeSubarray,
  Uint8Array,
} = primordials;

const encoding = internalBinding('encoding');
const {
  codedTypeError,
  codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE, ERR_INVALID_THIS },
} = require('internal/errors');
const { validateDictionary } = require('internal/validators');
const { customInspectSymbol, getConstructorOf, kEmptyObject, kEnumerableProperty } = require('internal/util');
const { isAnyArrayBuffer, isUint8Array } = require('internal/util/types');
const { HostObject, kClone } = require('internal/structured_clone');

// The chunk size of streams.
const kChunk = 64 * 1024;

function normalizeType(type) {
  type = `${type}`;
  return RegExpPrototypeExec(/[^\u0020-\u007e]/, type) === null ? StringPrototypeToLowerCase(type) : '';
}

function copyBytes(source) {
  const bytes = isAnyArrayBuffer(source) ?
    new Uint8Array(source) :
    new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  return new Uint8Array(bytes);
}

function encodeText(text, endings) {
  if (endings === 'native') text = RegExpPrototypeSymbolReplace(/\r\n|\r|\n/g, text, '\n');
  return new Uint8Array(encoding.encodeUtf8(text));
}

// Resolves the start or end of a slice. Negative numbers count from the end.
function clamp(position, size) {
  position = MathTrunc(position) || 0;
  return position < 0 ? MathMax(position + size, 0) : MathMin(position, size);
}

// Passed instead of sources to create a blob from existing parts.
const kParts = { __proto__: null };

function sizeOfPart(part) {
  return isUint8Array(part) ? TypedArrayPrototypeGetLength(part) : part.size;
}

function sliceOfPart(part, start, end) {
  return isUint8Array(part) ? TypedArrayPrototypeSubarray(part, start, end) : part.slice(start, end);
}

// Assigned in the class body, which has access to the private fields.
let isBlob;

function textOf(source, index) {
  if (typeof source === 'symbol') {
    throw codedTypeError('ERR_INVALID_ARG_TYPE', `Value[${index}] is a Symbol and cannot be converted to a string.`);
  }
  return `${source}`;
}

class Blob extends HostObject {
  #parts = [];
  #size = 0;
  #type = '';

  static #check(value) {
    if (!Blob.#isBlob(value)) throw new ERR_INVALID_THIS('Blob');
  }

  static #isBlob(value) {
    return value !== null && typeof value === 'object' && #parts in value;
  }

  static {
    isBlob = Blob.#isBlob;
  }

  constructor(sources = [], options = kEmptyObject) {
    super();
    if (sources === kParts) {
      this.#parts = options.parts;
      this.#size = options.size;
      this.#type = options.type;
      return;
    }
    if (sources === null || typeof sources !== 'object' || typeof sources[SymbolIterator] !== 'function') {
      throw codedTypeError('ERR_INVALID_ARG_TYPE', 'Value cannot be converted to sequence.');
    }
    validateDictionary(options, 'options');
    let { endings = 'transparent', type = '' } = options ?? kEmptyObject;
    endings = `${endings}`;
    if (endings !== 'transparent' && endings !== 'native') {
      throw new ERR_INVALID_ARG_VALUE('options.endings', endings);
    }
    let index = 0;
    for (const source of sources) this.#add(source, endings, index++);
    this.#type = normalizeType(type);
  }

  #add(source, endings, index) {
    if (Blob.#isBlob(source)) {
      const parts = source.#parts;
      for (let i = 0; i < parts.length; i++) ArrayPrototypePush(this.#parts, parts[i]);
      this.#size += source.#size;
      return;
    }
    const bytes = ArrayBufferIsView(source) || isAnyArrayBuffer(source) ?
      copyBytes(source) :
      encodeText(textOf(source, index), endings);
    const length = TypedArrayPrototypeGetLength(bytes);
    if (length === 0) return;
    ArrayPrototypePush(this.#parts, bytes);
    this.#size += length;
  }

  get type() {
    Blob.#check(this);
    return this.#type;
  }

  get size() {
    Blob.#check(this);
    return this.#size;
  }

  slice(start = 0, end = undefined, contentType = '') {
    Blob.#check(this);
    start = clamp(start, this.#size);
    end = end === undefined ? this.#size : clamp(end, this.#size);
    const parts = [];
    let at = 0;
    for (let i = 0; i < this.#parts.length && at < end; i++) {
      const part = this.#parts[i];
      const length = sizeOfPart(part);
      if (at + length > start) {
        ArrayPrototypePush(parts, sliceOfPart(part, MathMax(start - at, 0), MathMin(end - at, length)));
      }
      at += length;
    }
    return new Blob(kParts, { parts, size: MathMax(end - start, 0), type: normalizeType(contentType) });
  }

  arrayBuffer() {
    if (!Blob.#isBlob(this)) return PromiseReject(new ERR_INVALID_THIS('Blob'));
    return this.#readBuffer();
  }

  // Node reads the parts one after the other, with two microtasks for each except the first.
  async #readBuffer() {
    for (let turns = 2 * this.#parts.length - 1; turns > 0; turns--) await undefined;
    const all = new Uint8Array(this.#size);
    let at = 0;
    for (let i = 0; i < this.#parts.length; i++) {
      const part = this.#parts[i];
      TypedArrayPrototypeSet(all, isUint8Array(part) ? part : await part.read(0, part.size), at);
      at += sizeOfPart(part);
    }
    return TypedArrayPrototypeGetBuffer(all);
  }

  async text() {
    if (!Blob.#isBlob(this)) throw new ERR_INVALID_THIS('Blob');
    return encoding.decodeUtf8(new Uint8Array(await this.#readBuffer()), true, false);
  }

  bytes() {
    if (!Blob.#isBlob(this)) return PromiseReject(new ERR_INVALID_THIS('Blob'));
    return PromisePrototypeThen(this.#readBuffer(), (buffer) => new Uint8Array(buffer));
  }

  stream() {
    Blob.#check(this);
    const { ReadableStream } = require('stream/web');
    const parts = this.#parts;
    let index = 0;
    let offset = 0;
    return new ReadableStream({
      type: 'bytes',
      pull(controller) {
        if (index === parts.length) {
          controller.close();
          // Completes a pending BYOB read.
          controller.byobRequest?.respond(0);
          return undefined;
        }
        const part = parts[index];
        const from = offset;
        const size = sizeOfPart(part);
        const length = MathMin(kChunk, size - from);
        offset += length;
        if (offset === size) {
          index++;
          offset = 0;
        }
        if (!isUint8Array(part)) {
          return PromisePrototypeThen(part.read(from, length), (chunk) => {
            if (length > 0) controller.enqueue(chunk);
            else return this.pull(controller); // An empty file, whose read() checked that it is unchanged.
          });
        }
        // Copied, because the stream transfers the memory.
        controller.enqueue(new Uint8Array(TypedArrayPrototypeSubarray(part, from, offset === 0 ? size : offset)));
        return undefined;
      },
    });
  }

  textStream() {
    Blob.#check(this);
    const { TextDecoderStream } = require('stream/web');
    return this.stream().pipeThrough(new TextDecoderStream());
  }

  [kClone]() {
    for (let i = 0; i < this.#parts.length; i++) {
      if (!isUint8Array(this.#parts[i])) throw new ERR_INVALID_STATE.TypeError('File-backed Blobs are not cloneable');
    }
    return { id: 'internal/blob', data: { parts: this.#parts, size: this.#size, type: this.#type } };
  }

  [customInspectSymbol](depth, options) {
    const name = getConstructorOf(this)?.name ?? 'Blob';
    if (depth < 0) return options.stylize(`[${name}]`, 'special');
    const { inspect } = require('internal/util/inspect');
    const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `${name} ${inspect({ size: this.size, type: this.type }, inner)}`;
  }
}

ObjectDefineProperties(Blob.prototype, {
  size: kEnumerableProperty,
  type: kEnumerableProperty,
  slice: kEnumerableProperty,
  stream: kEnumerableProperty,
  textStream: kEnumerableProperty,
  text: kEnumerableProperty,
  arrayBuffer: kEnumerableProperty,
  bytes: kEnumerableProperty,
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'Blob' },
});

function readClone(data) {
  return new Blob(kParts, data);
}

// Creates a blob for a file. As in Node, the type is not normalized.
function makeFileBlob(part, type) {
  return new Blob(kParts, { parts: [part], size: part.size, type });
}

module.exports = { Blob, isBlob, makeFileBlob, readClone };
