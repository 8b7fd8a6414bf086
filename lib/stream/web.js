'use strict';
// node:stream/web: the streams of the web, which are also globals. TextEncoderStream and TextDecoderStream are in this
// file, because their getters appear in the stacks of errors under this name.
const { ObjectDefineProperties, StringPrototypeCharCodeAt, StringPrototypeSlice, SymbolToStringTag } = primordials;
const { TextDecoder, TextEncoder } = require('internal/encoding');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS } } = require('internal/errors');
const { customInspectSymbol, kEnumerableProperty } = require('internal/util');
const { validateBoolean } = require('internal/validators');
const webClasses = require('internal/webstreams/classes');
const { CompressionStream, DecompressionStream } = require('internal/webstreams/compression');
const { coreOfReadable, teeStream } = require('internal/webstreams/readable');
const { ReadableStream, TransformStream } = webClasses;

// tee() with an option: whether the second stream gets copies of the chunks.
function ReadableStreamTee(stream, cloneForBranch2 = false) {
  const core = coreOfReadable(stream);
  if (core === undefined) throw new ERR_INVALID_ARG_TYPE('stream', 'ReadableStream', stream);
  validateBoolean(cloneForBranch2, 'cloneForBranch2');
  return teeStream(core, cloneForBranch2);
}

function show(stream, name, properties, depth, options) {
  if (depth < 0) return stream;
  const { inspect } = require('internal/util/inspect');
  const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
  return `${name} ${inspect(properties, inner)}`;
}

class TextEncoderStream {
  #handle;
  #transform;
  // The first half of a surrogate pair that is split between two chunks.
  #pending = '';

  constructor() {
    this.#handle = new TextEncoder();
    this.#transform = new TransformStream({
      transform: (chunk, controller) => {
        let text = `${this.#pending}${chunk}`;
        this.#pending = '';
        if (text.length === 0) return;
        const last = StringPrototypeCharCodeAt(text, text.length - 1);
        if (last >= 0xd800 && last <= 0xdbff) {
          this.#pending = text[text.length - 1];
          text = StringPrototypeSlice(text, 0, -1);
        }
        const bytes = this.#handle.encode(text);
        if (bytes.length > 0) controller.enqueue(bytes);
      },
      flush: (controller) => {
        if (this.#pending !== '') controller.enqueue(this.#handle.encode(this.#pending));
      },
    });
  }

  get encoding() {
    return this.#handle.encoding;
  }

  get readable() {
    return this.#transform.readable;
  }

  get writable() {
    return this.#transform.writable;
  }

  [customInspectSymbol](depth, options) {
    if (this === undefined || this === null) throw new ERR_INVALID_THIS('TextEncoderStream');
    const { encoding, readable, writable } = this;
    return show(this, 'TextEncoderStream', { encoding, readable, writable }, depth, options);
  }
}

class TextDecoderStream {
  #handle;
  #transform;

  constructor(encoding = 'utf-8', options = {}) {
    this.#handle = new TextDecoder(encoding, options);
    this.#transform = new TransformStream({
      transform: (chunk, controller) => {
        const text = this.#handle.decode(chunk, { stream: true });
        if (text !== '') controller.enqueue(text);
      },
      flush: (controller) => {
        const text = this.#handle.decode();
        if (text !== '') controller.enqueue(text);
      },
    });
  }

  get encoding() {
    return this.#handle.encoding;
  }

  get fatal() {
    return this.#handle.fatal;
  }

  get ignoreBOM() {
    return this.#handle.ignoreBOM;
  }

  get readable() {
    return this.#transform.readable;
  }

  get writable() {
    return this.#transform.writable;
  }

  [customInspectSymbol](depth, options) {
    if (this === undefined || this === null) throw new ERR_INVALID_THIS('TextDecoderStream');
    const { encoding, fatal, ignoreBOM, readable, writable } = this;
    return show(this, 'TextDecoderStream', { encoding, fatal, ignoreBOM, readable, writable }, depth, options);
  }
}

ObjectDefineProperties(TextEncoderStream.prototype, {
  encoding: kEnumerableProperty,
  readable: kEnumerableProperty,
  writable: kEnumerableProperty,
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'TextEncoderStream' },
});
ObjectDefineProperties(TextDecoderStream.prototype, {
  encoding: kEnumerableProperty,
  fatal: kEnumerableProperty,
  ignoreBOM: kEnumerableProperty,
  readable: kEnumerableProperty,
  writable: kEnumerableProperty,
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'TextDecoderStream' },
});

// The properties are in Node's order.
module.exports = {
  ReadableStream,
  ReadableStreamTee,
  ...webClasses,
  TextEncoderStream,
  TextDecoderStream,
  CompressionStream,
  DecompressionStream,
};
