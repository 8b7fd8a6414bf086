'use strict';
// The body of a response, whose ReadableStream is made when the program or undici reads `stream`. Until then text(),
// json(), bytes() and arrayBuffer() use the received bytes directly.

const {
  ArrayPrototypePush,
  ArrayPrototypeShift,
  FunctionPrototypeCall,
  JSONParse,
  ObjectAssign,
  Promise,
  ReflectApply,
  TypeError,
  TypedArrayPrototypeSet,
  Uint8Array,
} = primordials;

const { utf8Slice } = internalBinding('buffer');
const { internals: { Response, finalizeAndReportTiming } } = require('vendor/undici');

// The number of bytes that may wait before the connection stops reading.
const kMostWaiting = 64 * 1024;

// The body cannot use the private fields of Response, so it adds a field of its own to each response.
class Mark extends function(object) { return object; } {
  #body;

  constructor(object, body) {
    super(object);
    this.#body = body;
  }

  static bodyOf(object) {
    return typeof object === 'object' && object !== null && #body in object ? object.#body : undefined;
  }
}

function join(chunks, size) {
  const bytes = new Uint8Array(size);
  let position = 0;
  for (let i = 0; i < chunks.length; i++) {
    TypedArrayPrototypeSet(bytes, chunks[i], position);
    position += chunks[i].length;
  }
  return bytes;
}

const converters = {
  __proto__: null,
  text(chunks, size) {
    const bytes = chunks.length === 1 ? chunks[0] : join(chunks, size);
    const hasMark = size >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    return FunctionPrototypeCall(utf8Slice, bytes, hasMark ? 3 : 0, size);
  },
  json(chunks, size) { return JSONParse(converters.text(chunks, size)); },
  bytes: join,
  arrayBuffer(chunks, size) { return join(chunks, size).buffer; },
};

class LazyBody {
  #stream;
  #controller;
  #chunks = [];
  #size = 0;
  #hasEnded = false;
  #error;
  #waiting; // { resolve, reject, convert } of text() and similar calls that wait for the end.
  #isRead = false; // text() or a similar function was called.
  #pulled; // { resolve }: the stream has requested a chunk.
  #connection;
  #state;

  constructor(connection, state) {
    this.source = null;
    this.length = null;
    this.#connection = connection;
    this.#state = state;
  }

  get stream() {
    return this.#stream ??= this.#isRead ? this.#makeReadStream() : this.#makeStream();
  }

  // undici replaces it when a response is cloned.
  set stream(value) {
    this.#stream = value;
  }

  get isComplete() {
    return this.#hasEnded;
  }

  // Called for the connection.

  push(chunk) {
    this.#state.timingInfo.encodedBodySize += chunk.length;
    this.#state.timingInfo.decodedBodySize += chunk.length;
    if (this.#pulled !== undefined) {
      this.#deliver(chunk);
      return;
    }
    ArrayPrototypePush(this.#chunks, chunk);
    this.#size += chunk.length;
    if (this.#size >= kMostWaiting && this.#waiting === undefined) this.#connection.pause();
  }

  end() {
    this.#hasEnded = true;
    this.#connection = undefined;
    if (this.#waiting !== undefined) this.#settle(this.#waiting);
    if (this.#pulled !== undefined) this.#deliver(undefined);
  }

  fail(cause) {
    this.#connection = undefined;
    const error = this.#error = new TypeError('terminated', { cause });
    if (this.#waiting !== undefined) this.#waiting.reject(error);
    if (this.#controller !== undefined && !this.#hasEnded) {
      this.#controller.error(error);
      this.#pulled = undefined;
    }
  }

  cancel() {
    this.#connection?.close();
    this.#connection = undefined;
  }

  // Called for the program.

  canConvert() {
    return this.#stream === undefined && !this.#isRead;
  }

  convert(converter) {
    this.#isRead = true;
    return new Promise((resolve, reject) => {
      const waiting = { resolve, reject, converter };
      if (this.#error !== undefined) {
        reject(this.#error);
      } else if (this.#hasEnded) {
        this.#settle(waiting);
      } else {
        this.#waiting = waiting;
        this.#connection.resume();
      }
    });
  }

  #settle({ resolve, reject, converter }) {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#report();
    try {
      resolve(converter(chunks, this.#size));
    } catch (error) {
      reject(error);
    }
  }

  #report() {
    const state = this.#state;
    if (state === undefined) return;
    this.#state = undefined;
    finalizeAndReportTiming(state, 'fetch');
  }

  #makeStream() {
    const { ReadableStream } = require('internal/webstreams/readable');
    const stream = new ReadableStream({
      type: 'bytes',
      start: (controller) => { this.#controller = controller; },
      pull: () => this.#pull(),
      cancel: () => this.cancel(),
    });
    if (this.#error !== undefined) this.#controller.error(this.#error);
    return stream;
  }

  #pull() {
    if (this.#chunks.length > 0) {
      const chunk = ArrayPrototypeShift(this.#chunks);
      this.#size -= chunk.length;
      this.#enqueue(chunk);
      if (this.#hasEnded && this.#chunks.length === 0) this.#close();
      return undefined;
    }
    if (this.#hasEnded) {
      this.#close();
      return undefined;
    }
    this.#connection?.resume();
    return new Promise((resolve) => { this.#pulled = resolve; });
  }

  #deliver(chunk) {
    const resolve = this.#pulled;
    this.#pulled = undefined;
    if (chunk === undefined) {
      this.#close();
    } else {
      this.#enqueue(chunk);
    }
    resolve();
  }

  // Chunks are parts of memory that later reads use, too.
  #enqueue(chunk) {
    const copy = new Uint8Array(chunk.length);
    TypedArrayPrototypeSet(copy, chunk);
    this.#controller.enqueue(copy);
  }

  #close() {
    this.#controller.close();
    this.#controller.byobRequest?.respond(0);
    this.#report();
  }

  // The stream of a body that text() or a similar function has read: locked and disturbed.
  #makeReadStream() {
    const { ReadableStream } = require('internal/webstreams/readable');
    const stream = new ReadableStream({
      type: 'bytes',
      start: (controller) => { if (this.#hasEnded) controller.close(); },
    });
    stream.getReader().read();
    return stream;
  }
}

function overrideMethod(name) {
  const { prototype } = Response;
  const original = prototype[name];
  const converter = converters[name];
  ObjectAssign(prototype, {
    [name]() {
      const body = Mark.bodyOf(this);
      return body === undefined || !body.canConvert() ? ReflectApply(original, this, []) : body.convert(converter);
    },
  });
}

let isReady = false;
// Gives `response`, whose inner state is `state`, a body that arrives on `connection`.
function addBody(response, state, connection) {
  if (!isReady) {
    isReady = true;
    for (const name in converters) overrideMethod(name);
  }
  const body = state.body = new LazyBody(connection, state);
  new Mark(response, body); // Adds a field to `response`.
  return body;
}

module.exports = { addBody };
