'use strict';
// TransformStream and its controller.
const {
  FunctionPrototypeBind,
  PromisePrototypeThen,
  PromiseReject,
  PromiseResolve,
  PromiseWithResolvers,
} = primordials;
const {
  codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE, ERR_INVALID_THIS },
} = require('internal/errors');
const { kEmptyObject } = require('internal/util');
const {
  kValidateObjectAllowObjects,
  kValidateObjectAllowObjectsAndNull,
  validateObject,
} = require('internal/validators');
const { ReadableStream } = require('internal/webstreams/readable');
const { DefaultSource } = require('internal/webstreams/readable_core');
const {
  asyncCallback,
  finishClass,
  isObject,
  kInternal,
  kParked,
  nop,
  rawCallback,
  readHighWaterMark,
  readSize,
  resolved,
} = require('internal/webstreams/util');
const { WritableStream } = require('internal/webstreams/writable');
const { WritableCore } = require('internal/webstreams/writable_core');

// Connects the two sides of a transform stream: written chunks go through transform(), which enqueues chunks on the
// readable side. Writes wait while that has back-pressure.
class TransformCore {
  sink;
  source;
  readable;
  writable;
  transform;
  flush;
  cancelTransform;
  stream = undefined;
  controller = undefined;
  hasBackpressure = undefined;
  // A pull that is pending until there is back-pressure again.
  #isPullParked = false;
  // A write that waits until there is no back-pressure.
  #isWriteParked = false;
  #chunk = undefined;
  // Set when one side ends the other.
  #finished = undefined;
  onTransformFailed = (error) => {
    this.error(error);
    throw error;
  };

  continueWrite = () => this.writeParked();

  constructor(writableMark, writableSize, readableMark, readableSize) {
    this.sink = new WritableCore({
      write: (chunk) => this.write(chunk),
      close: () => this.close(),
      abort: async (reason) => this.abort(reason),
    }, writableMark, writableSize);
    this.source = new DefaultSource({
      pull: () => this.pull(),
      cancel: (reason) => this.cancel(reason),
    }, readableMark, readableSize);
  }

  start(promise) {
    const algorithm = () => promise;
    this.sink.start(algorithm);
    this.source.start(algorithm);
    this.setBackpressure(true);
    this.writable = new WritableStream(kInternal, this.sink);
    this.readable = new ReadableStream(kInternal, this.source);
  }

  setAlgorithms(transform, flush, cancel) {
    this.transform = transform;
    this.flush = flush;
    this.cancelTransform = cancel;
  }

  clearAlgorithms() {
    this.setAlgorithms(undefined, undefined, undefined);
  }

  setBackpressure(hasBackpressure) {
    this.hasBackpressure = hasBackpressure;
    if (!hasBackpressure) {
      if (this.#isWriteParked) PromisePrototypeThen(resolved, this.continueWrite);
    } else if (this.#isPullParked) {
      this.#isPullParked = false;
      PromisePrototypeThen(resolved, this.source.onPulled);
    }
  }

  // ---- The controller

  enqueue(chunk) {
    const { source } = this;
    if (!source.isOpen) throw new ERR_INVALID_STATE.TypeError('Unable to enqueue');
    try {
      source.enqueue(chunk);
    } catch (error) {
      this.errorWritable(error);
      throw source.storedError;
    }
    if (!source.wantsMore && !this.hasBackpressure) this.setBackpressure(true);
  }

  error(error) {
    this.source.error(error);
    this.errorWritable(error);
  }

  errorWritable(error) {
    this.clearAlgorithms();
    this.sink.errorIfWritable(error);
    this.unblockWrite();
  }

  unblockWrite() {
    if (this.hasBackpressure) this.setBackpressure(false);
  }

  terminate() {
    this.source.close();
    this.errorWritable(new ERR_INVALID_STATE.TypeError('TransformStream has been terminated'));
  }

  // ---- The two sides

  write(chunk) {
    if (!this.hasBackpressure) return this.callTransform(chunk);
    this.#isWriteParked = true;
    this.#chunk = chunk;
    return kParked;
  }

  writeParked() {
    const chunk = this.#chunk;
    this.#chunk = undefined;
    this.#isWriteParked = false;
    const { sink } = this;
    if (sink.state === 'erroring') {
      const { error } = sink;
      PromisePrototypeThen(resolved, () => sink.onWriteFailed(error));
      return;
    }
    PromisePrototypeThen(this.callTransform(chunk), sink.onWritten, sink.onWriteFailed);
  }

  callTransform(chunk) {
    const { transform } = this;
    // Cleared by the other side's end.
    if (transform === undefined) return resolved;
    let result;
    try {
      result = transform(chunk, this.controller);
    } catch (error) {
      result = PromiseReject(error);
    }
    return PromisePrototypeThen(isObject(result) ? PromiseResolve(result) : resolved, undefined,
      this.onTransformFailed);
  }

  // Calls flush() or cancel(), once. onDone() returns { failed: { error } } if the other side has failed meanwhile.
  finishWith(algorithm, argument, onDone, onFailed) {
    const { promise, resolve, reject } = PromiseWithResolvers();
    this.#finished = promise;
    // Absent after an error that was already reported to the program.
    const result = algorithm === undefined ? resolved : algorithm(argument);
    this.clearAlgorithms();
    PromisePrototypeThen(result, () => {
      const { failed } = onDone();
      if (failed === undefined) resolve();
      else reject(failed.error);
    }, (error) => {
      onFailed(error);
      reject(error);
    });
    return promise;
  }

  close() {
    const { source } = this;
    return this.#finished ?? this.finishWith(this.flush, this.controller, () => {
      if (source.state === 'errored') return { failed: { error: source.storedError } };
      source.close();
      return {};
    }, (error) => source.error(error));
  }

  abort(reason) {
    const { source } = this;
    return this.#finished ?? this.finishWith(this.cancelTransform, reason, () => {
      if (source.state === 'errored') return { failed: { error: source.storedError } };
      source.error(reason);
      return {};
    }, (error) => source.error(error));
  }

  pull() {
    this.setBackpressure(false);
    this.#isPullParked = true;
    return kParked;
  }

  cancel(reason) {
    const { sink } = this;
    const end = (error) => {
      sink.errorIfWritable(error);
      this.unblockWrite();
    };
    return this.#finished ?? this.finishWith(this.cancelTransform, reason, () => {
      if (sink.state === 'errored') return { failed: { error: sink.error } };
      end(reason);
      return {};
    }, end);
  }
}

let coreOfTransform;

class TransformStream {
  #core;

  static {
    coreOfTransform = (value) => (isObject(value) && #core in value ? value.#core : undefined);
  }

  constructor(transformer = kEmptyObject, writableStrategy = kEmptyObject, readableStrategy = kEmptyObject) {
    if (transformer === kInternal) {
      this.#core = writableStrategy;
      return;
    }
    validateObject(transformer, 'transformer', kValidateObjectAllowObjects);
    validateObject(writableStrategy, 'writableStrategy', kValidateObjectAllowObjectsAndNull);
    validateObject(readableStrategy, 'readableStrategy', kValidateObjectAllowObjectsAndNull);
    const { readableType, writableType, start } = transformer;
    if (readableType !== undefined) {
      throw new ERR_INVALID_ARG_VALUE.RangeError('transformer.readableType', readableType);
    }
    if (writableType !== undefined) {
      throw new ERR_INVALID_ARG_VALUE.RangeError('transformer.writableType', writableType);
    }
    const readableMark = readHighWaterMark(readableStrategy?.highWaterMark, 0);
    const readableSize = readSize(readableStrategy?.size);
    const writableMark = readHighWaterMark(writableStrategy?.highWaterMark, 1);
    const writableSize = readSize(writableStrategy?.size);
    const core = this.#core = new TransformCore(writableMark, writableSize, readableMark, readableSize);
    core.stream = this;
    const started = PromiseWithResolvers();
    core.start(started.promise);
    core.controller = new TransformStreamDefaultController(kInternal, core);
    const transform = rawCallback(transformer, 'transform', 'transformer.transform', 2);
    core.setAlgorithms(
      transform === nop ? (chunk) => core.enqueue(chunk) : transform,
      asyncCallback(transformer, 'flush', 'transformer.flush', 1),
      asyncCallback(transformer, 'cancel', 'transformer.cancel', 1),
    );
    if (start) started.resolve(FunctionPrototypeBind(start, transformer, core.controller)());
    else started.resolve();
  }

  get readable() {
    const core = coreOfTransform(this);
    if (core === undefined) throw new ERR_INVALID_THIS('TransformStream');
    return core.readable;
  }

  get writable() {
    const core = coreOfTransform(this);
    if (core === undefined) throw new ERR_INVALID_THIS('TransformStream');
    return core.writable;
  }
}
finishClass(TransformStream, ['readable', 'writable'], (stream) => ({
  readable: stream.readable, writable: stream.writable, backpressure: coreOfTransform(stream).hasBackpressure,
}));

let coreOfController;

class TransformStreamDefaultController {
  #core;

  static {
    coreOfController = (value) => {
      if (!isObject(value) || !(#core in value)) throw new ERR_INVALID_THIS('TransformStreamDefaultController');
      return value.#core;
    };
  }

  constructor(key = undefined, core = undefined) {
    if (key !== kInternal) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this.#core = core;
  }

  get desiredSize() {
    return coreOfController(this).source.desiredSize;
  }

  enqueue(chunk = undefined) {
    coreOfController(this).enqueue(chunk);
  }

  error(reason = undefined) {
    coreOfController(this).error(reason);
  }

  terminate() {
    coreOfController(this).terminate();
  }
}
finishClass(TransformStreamDefaultController, ['desiredSize', 'enqueue', 'error', 'terminate'], (controller) => ({
  stream: coreOfController(controller).stream,
}));

const isTransformStream = (value) => coreOfTransform(value) !== undefined;

// A transform stream of two streams that exist.
const joinStreams = (readable, writable) =>
  new TransformStream(kInternal, { readable, writable, hasBackpressure: undefined });

module.exports = { TransformStream, TransformStreamDefaultController, isTransformStream, joinStreams };
