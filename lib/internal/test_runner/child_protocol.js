'use strict';
// The protocol between a process that runs one file of tests and its parent: events within the output of the file. Each
// has its length and follows a marker that cannot occur in UTF-8 text.

const {
  AggregateError,
  Error,
  EvalError,
  ObjectDefineProperty,
  ObjectEntries,
  ObjectSetPrototypeOf,
  RangeError,
  ReferenceError,
  SafeMap,
  SafeSet,
  SyntaxError,
  TypeError,
  URIError,
} = primordials;

const { Buffer } = require('buffer');
const { isError } = require('internal/util');
const { inspect } = require('internal/util/inspect');

const kMark = Buffer.from([0xff, 0x0f, 0xfe, 0x52]);
const kHead = kMark.length + 4;
const kErrorKey = '__rondo_error';

const classes = new SafeMap([
  ['AggregateError', AggregateError], ['EvalError', EvalError], ['RangeError', RangeError],
  ['ReferenceError', ReferenceError], ['SyntaxError', SyntaxError], ['TypeError', TypeError], ['URIError', URIError],
]);

// V8's serializer keeps of an error little more than its message: so errors travel as objects.
function pack(value, seen = new SafeSet()) {
  if (!isError(value)) return packPlain(value);
  if (seen.has(value)) return '[Circular]';
  seen.add(value);
  const properties = { __proto__: null };
  const entries = ObjectEntries(value);
  for (let i = 0; i < entries.length; i++) {
    if (entries[i][0] !== 'cause') properties[entries[i][0]] = pack(entries[i][1], seen);
  }
  return {
    [kErrorKey]: true,
    name: `${value.name}`,
    message: `${value.message}`,
    stack: typeof value.stack === 'string' ? value.stack : undefined,
    properties,
    hasCause: 'cause' in value,
    cause: pack(value.cause, seen),
  };
}

function packPlain(value) {
  try {
    require('v8').serialize(value);
    return value;
  } catch {
    return inspect(value); // Functions, symbols, and whatever holds them.
  }
}

function unpack(value) {
  if (value === null || typeof value !== 'object' || value[kErrorKey] !== true) return value;
  const isAssertion = value.name === 'AssertionError';
  const Class = classes.get(value.name) ?? Error;
  const error = new Class();
  if (isAssertion) ObjectSetPrototypeOf(error, require('assert').AssertionError.prototype);
  const define = (key, content) => ObjectDefineProperty(error, key, {
    __proto__: null, value: content, configurable: true, enumerable: false, writable: true,
  });
  define('message', value.message);
  define('stack', value.stack);
  if (error.name !== value.name) define('name', value.name);
  const entries = ObjectEntries(value.properties);
  for (let i = 0; i < entries.length; i++) error[entries[i][0]] = unpack(entries[i][1]);
  if (value.hasCause) {
    if (value.properties.code === 'ERR_TEST_FAILURE') error.cause = unpack(value.cause);
    else define('cause', unpack(value.cause));
  }
  return error;
}

function packEvent({ type, data }) {
  if (data.details?.error === undefined) return { type, data: { ...data } };
  return { type, data: { ...data, details: { ...data.details, error: pack(data.details.error) } } };
}

function unpackEvent(event) {
  const { details } = event.data;
  if (details !== undefined && details.error !== undefined) details.error = unpack(details.error);
  return event;
}

// The child's side: every event goes to stdout.
function writeTo(stream) {
  const { serialize } = require('v8');
  stream.on('data', (event) => {
    const body = serialize(packEvent(event));
    const head = Buffer.allocUnsafe(kHead);
    kMark.copy(head);
    head.writeUInt32LE(body.length, kMark.length);
    process.stdout.write(Buffer.concat([head, body]));
  });
}

// The parent's side: parses the output of a child into events. All other output is text.
class Parser {
  #rest = Buffer.alloc(0);
  #onEvent;
  #onText;

  constructor(onEvent, onText) {
    this.#onEvent = onEvent;
    this.#onText = onText;
  }

  push(chunk) {
    let data = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    for (;;) {
      const at = data.indexOf(kMark);
      if (at < 0) {
        // The beginning of a mark may be at the end.
        const keep = this.#partOfMark(data);
        this.#text(data.subarray(0, data.length - keep));
        this.#rest = data.subarray(data.length - keep);
        return;
      }
      this.#text(data.subarray(0, at));
      data = data.subarray(at);
      const size = data.length >= kHead ? kHead + data.readUInt32LE(kMark.length) : Infinity;
      if (data.length < size) {
        this.#rest = data;
        return;
      }
      this.#onEvent(unpackEvent(require('v8').deserialize(data.subarray(kHead, size))));
      data = data.subarray(size);
    }
  }

  end() {
    this.#text(this.#rest);
    this.#rest = Buffer.alloc(0);
  }

  #partOfMark(data) {
    for (let size = kMark.length - 1; size > 0; size--) {
      if (data.length >= size && data.subarray(data.length - size).equals(kMark.subarray(0, size))) return size;
    }
    return 0;
  }

  #text(bytes) {
    if (bytes.length > 0) this.#onText(bytes);
  }
}

module.exports = { Parser, writeTo };
