'use strict';
// ReadableStream and its readers.
const {
  ArrayBufferPrototypeGetByteLength,
  FunctionPrototypeBind,
  NumberIsInteger,
  ObjectDefineProperty,
  PromiseReject,
  PromiseResolve,
  PromiseWithResolvers,
  SymbolAsyncIterator,
  TypedArrayPrototypeGetLength,
} = primordials;
const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE, ERR_INVALID_THIS, ERR_OUT_OF_RANGE },
} = require('internal/errors');
const { kEmptyObject, kEnumerableProperty } = require('internal/util');
const { isDataView, isSharedArrayBuffer } = require('internal/util/types');
const {
  kValidateObjectAllowObjects,
  kValidateObjectAllowObjectsAndNull,
  validateAbortSignal,
  validateBuffer,
  validateNumber,
  validateObject,
} = require('internal/validators');
const { ByteSource, partsOf } = require('internal/webstreams/byte_source');
const { fromIterable, makeIterator } = require('internal/webstreams/iterate');
const { pipe } = require('internal/webstreams/pipe');
const { DefaultSource, ReaderCore } = require('internal/webstreams/readable_core');
const {
  ReadableByteStreamController,
  ReadableStreamDefaultController,
  byobRequests,
} = require('internal/webstreams/readable_controllers');
const { tee } = require('internal/webstreams/tee');
const {
  asyncCallback,
  finishClass,
  isObject,
  kInternal,
  kNothing,
  markHandled,
  nop,
  rawCallback,
  readHighWaterMark,
  readSize,
} = require('internal/webstreams/util');
const { coreOfWritable } = require('internal/webstreams/writable');

// Each gives the inner object, or undefined for other values.
let coreOfReadable;
let coreOfDefaultReader;
let coreOfBYOBReader;

const makeStream = (core) => new ReadableStream(kInternal, core);

function teeStream(core, isCloning) {
  const { 0: first, 1: second } = tee(core, isCloning);
  return [makeStream(first), makeStream(second)];
}

function makeByteSource(source, highWaterMark) {
  const algorithms = {
    pull: rawCallback(source, 'pull', 'source.pull', 1),
    cancel: asyncCallback(source, 'cancel', 'source.cancel', 1),
  };
  const { autoAllocateChunkSize } = source;
  if (autoAllocateChunkSize === 0) {
    throw new ERR_INVALID_ARG_VALUE('source.autoAllocateChunkSize', autoAllocateChunkSize);
  }
  return new ByteSource(algorithms, highWaterMark, autoAllocateChunkSize, byobRequests);
}

function makeDefaultSource(source, highWaterMark, size) {
  return new DefaultSource({
    pull: rawCallback(source, 'pull', 'source.pull', 1),
    cancel: asyncCallback(source, 'cancel', 'source.cancel', 1),
  }, highWaterMark, size);
}

class ReadableStream {
  #core;

  static {
    coreOfReadable = (value) => (isObject(value) && #core in value ? value.#core : undefined);
  }

  constructor(source = kEmptyObject, strategy = kEmptyObject) {
    if (source === kInternal) {
      this.#core = strategy;
      strategy.stream = this;
      return;
    }
    validateObject(source, 'source', kValidateObjectAllowObjects);
    validateObject(strategy, 'strategy', kValidateObjectAllowObjectsAndNull);
    // The strategy is read first, as in the standard.
    const size = strategy?.size;
    const highWaterMark = strategy?.highWaterMark;
    const { type } = source;
    let start;
    let core;
    if (`${type}` === 'bytes') {
      if (size !== undefined) throw new ERR_INVALID_ARG_VALUE.RangeError('strategy.size', size);
      const mark = readHighWaterMark(highWaterMark, 0);
      ({ start } = source);
      core = makeByteSource(source, mark);
      core.controller = new ReadableByteStreamController(kInternal, core);
    } else {
      if (type !== undefined) throw new ERR_INVALID_ARG_VALUE('source.type', type);
      const mark = readHighWaterMark(highWaterMark, 1);
      const sizeOf = readSize(size);
      ({ start } = source);
      core = makeDefaultSource(source, mark, sizeOf);
      core.controller = new ReadableStreamDefaultController(kInternal, core);
    }
    this.#core = core;
    core.stream = this;
    core.start(start ? FunctionPrototypeBind(start, source, core.controller) : nop);
  }

  static from(iterable) {
    return makeStream(fromIterable(iterable));
  }

  static #coreOf(value) {
    const core = coreOfReadable(value);
    if (core === undefined) throw new ERR_INVALID_THIS('ReadableStream');
    return core;
  }

  get locked() {
    return ReadableStream.#coreOf(this).isLocked;
  }

  cancel(reason = undefined) {
    const core = coreOfReadable(this);
    if (core === undefined) return PromiseReject(new ERR_INVALID_THIS('ReadableStream'));
    if (core.isLocked) return PromiseReject(new ERR_INVALID_STATE.TypeError('ReadableStream is locked'));
    return core.cancel(reason);
  }

  getReader(options = kEmptyObject) {
    ReadableStream.#coreOf(this);
    validateObject(options, 'options', kValidateObjectAllowObjectsAndNull);
    const mode = options?.mode;
    if (mode === undefined) return new ReadableStreamDefaultReader(this);
    if (`${mode}` !== 'byob') throw new ERR_INVALID_ARG_VALUE('options.mode', mode);
    return new ReadableStreamBYOBReader(this);
  }

  // Checks the rest, and starts.
  static #pipe(core, dest, options) {
    validateObject(options, 'options', kValidateObjectAllowObjectsAndNull);
    // One after the other, as programs can see.
    const preventAbort = options?.preventAbort;
    const preventCancel = options?.preventCancel;
    const preventClose = options?.preventClose;
    const signal = options?.signal;
    if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
    if (core.isLocked) throw new ERR_INVALID_STATE.TypeError('The ReadableStream is locked');
    if (dest.isLocked) throw new ERR_INVALID_STATE.TypeError('The WritableStream is locked');
    return pipe(core, dest, !!preventClose, !!preventAbort, !!preventCancel, signal);
  }

  pipeThrough(transform, options = kEmptyObject) {
    const core = ReadableStream.#coreOf(this);
    const readable = transform?.readable;
    if (coreOfReadable(readable) === undefined) {
      throw new ERR_INVALID_ARG_TYPE('transform.readable', 'ReadableStream', readable);
    }
    const writable = transform?.writable;
    const dest = coreOfWritable(writable);
    if (dest === undefined) throw new ERR_INVALID_ARG_TYPE('transform.writable', 'WritableStream', writable);
    markHandled(ReadableStream.#pipe(core, dest, options));
    return readable;
  }

  pipeTo(destination, options = kEmptyObject) {
    try {
      const core = ReadableStream.#coreOf(this);
      const dest = coreOfWritable(destination);
      if (dest === undefined) throw new ERR_INVALID_ARG_TYPE('transform.writable', 'WritableStream', destination);
      return ReadableStream.#pipe(core, dest, options);
    } catch (error) {
      return PromiseReject(error);
    }
  }

  tee() {
    return teeStream(ReadableStream.#coreOf(this), false);
  }

  values(options = kEmptyObject) {
    const core = ReadableStream.#coreOf(this);
    validateObject(options, 'options', kValidateObjectAllowObjectsAndNull);
    return makeIterator(core, !!options?.preventCancel);
  }
}
finishClass(
  ReadableStream,
  ['locked', 'cancel', 'getReader', 'pipeThrough', 'pipeTo', 'tee', 'values'],
  (stream) => ({
    locked: stream.locked,
    state: coreOfReadable(stream).state,
    supportsBYOB: coreOfReadable(stream) instanceof ByteSource,
  }),
);
ObjectDefineProperty(ReadableStream, 'from', kEnumerableProperty);
ObjectDefineProperty(ReadableStream.prototype, SymbolAsyncIterator, {
  __proto__: null, value: ReadableStream.prototype.values, writable: true, enumerable: false, configurable: true,
});

// ---- Readers

// A read whose answer a program waits for.
class ReadRequest {
  #record = PromiseWithResolvers();

  get promise() {
    return this.#record.promise;
  }

  onChunk(value) {
    this.#record.resolve({ done: false, value });
  }

  onClose(value) {
    this.#record.resolve({ done: true, value });
  }

  onError(error) {
    this.#record.reject(error);
  }
}

const notAttached = () => new ERR_INVALID_STATE.TypeError('The reader is not attached to a stream');

function cancelReader(core, reason, name) {
  if (core === undefined) return PromiseReject(new ERR_INVALID_THIS(name));
  return core.core === undefined ? PromiseReject(notAttached()) : core.core.cancel(reason);
}

function releaseReader(core, name) {
  if (core === undefined) throw new ERR_INVALID_THIS(name);
  if (core.core !== undefined) core.release();
}

function closedOf(core, name) {
  return core === undefined ? PromiseReject(new ERR_INVALID_THIS(name)) : core.closed.promise;
}

class ReadableStreamDefaultReader {
  #core;

  static {
    coreOfDefaultReader = (value) => (isObject(value) && #core in value ? value.#core : undefined);
  }

  constructor(stream) {
    const core = coreOfReadable(stream);
    if (core === undefined) throw new ERR_INVALID_ARG_TYPE('stream', 'ReadableStream', stream);
    this.#core = new ReaderCore(core, false);
  }

  read() {
    const reader = coreOfDefaultReader(this);
    if (reader === undefined) return PromiseReject(new ERR_INVALID_THIS('ReadableStreamDefaultReader'));
    const { core } = reader;
    if (core === undefined) return PromiseReject(notAttached());
    if (core.state === 'readable') {
      const value = core.take();
      if (value !== kNothing) {
        core.isDisturbed = true;
        return PromiseResolve({ done: false, value });
      }
    }
    const request = new ReadRequest();
    core.read(request);
    return request.promise;
  }

  releaseLock() {
    releaseReader(coreOfDefaultReader(this), 'ReadableStreamDefaultReader');
  }

  get closed() {
    return closedOf(coreOfDefaultReader(this), 'ReadableStreamDefaultReader');
  }

  cancel(reason = undefined) {
    return cancelReader(coreOfDefaultReader(this), reason, 'ReadableStreamDefaultReader');
  }
}
finishClass(ReadableStreamDefaultReader, ['closed', 'read', 'releaseLock', 'cancel'], (reader) => ({
  stream: coreOfDefaultReader(reader).core?.stream,
  readRequests: coreOfDefaultReader(reader).requests.length,
  close: reader.closed,
}));

// Checks read(view, options); returns the number of elements that the read needs.
function checkRead(view, options) {
  validateBuffer(view, 'view');
  validateObject(options, 'options', kValidateObjectAllowObjectsAndNull);
  const { buffer, byteLength } = partsOf(view);
  if (isSharedArrayBuffer(buffer)) {
    throw new ERR_INVALID_ARG_VALUE('view', view, 'must not be backed by a SharedArrayBuffer');
  }
  if (byteLength === 0 || ArrayBufferPrototypeGetByteLength(buffer) === 0) {
    throw new ERR_INVALID_STATE.TypeError('View or Viewed ArrayBuffer is zero-length or detached');
  }
  const min = options?.min ?? 1;
  validateNumber(min, 'options.min');
  if (!NumberIsInteger(min)) throw new ERR_INVALID_ARG_VALUE('options.min', min, 'must be an integer');
  if (min <= 0) throw new ERR_INVALID_ARG_VALUE('options.min', min, 'must be greater than 0');
  if (isDataView(view)) {
    if (min > byteLength) throw new ERR_OUT_OF_RANGE('options.min', '<= view.byteLength', min);
  } else if (min > TypedArrayPrototypeGetLength(view)) {
    throw new ERR_OUT_OF_RANGE('options.min', '<= view.length', min);
  }
  return min;
}

class ReadableStreamBYOBReader {
  #core;

  static {
    coreOfBYOBReader = (value) => (isObject(value) && #core in value ? value.#core : undefined);
  }

  constructor(stream) {
    const core = coreOfReadable(stream);
    if (core === undefined) throw new ERR_INVALID_ARG_TYPE('stream', 'ReadableStream', stream);
    if (core.isLocked) throw new ERR_INVALID_STATE.TypeError('ReadableStream is locked');
    if (!(core instanceof ByteSource)) throw new ERR_INVALID_ARG_VALUE('stream', stream, 'must be a byte stream');
    this.#core = new ReaderCore(core, true);
  }

  // Asynchronous around a promise, as in Node: a program can count the microtasks.
  async read(view, options = kEmptyObject) {
    const reader = coreOfBYOBReader(this);
    if (reader === undefined) throw new ERR_INVALID_THIS('ReadableStreamBYOBReader');
    const min = checkRead(view, options);
    if (reader.core === undefined) throw notAttached();
    const request = new ReadRequest();
    reader.core.readInto(view, min, request);
    return request.promise;
  }

  releaseLock() {
    releaseReader(coreOfBYOBReader(this), 'ReadableStreamBYOBReader');
  }

  get closed() {
    return closedOf(coreOfBYOBReader(this), 'ReadableStreamBYOBReader');
  }

  cancel(reason = undefined) {
    return cancelReader(coreOfBYOBReader(this), reason, 'ReadableStreamBYOBReader');
  }
}
finishClass(ReadableStreamBYOBReader, ['closed', 'read', 'releaseLock', 'cancel'], (reader) => ({
  stream: coreOfBYOBReader(reader).core?.stream,
  readIntoRequests: coreOfBYOBReader(reader).requests.length,
  close: reader.closed,
}));

const isReadableStream = (value) => coreOfReadable(value) !== undefined;

module.exports = {
  ReadableStream,
  ReadableStreamBYOBReader,
  ReadableStreamDefaultReader,
  coreOfDefaultReader,
  coreOfReadable,
  isReadableStream,
  teeStream,
};
