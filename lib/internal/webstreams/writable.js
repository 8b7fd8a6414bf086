'use strict';
// WritableStream, its writer and its controller.
const { FunctionPrototypeBind, PromiseReject } = primordials;
const {
  codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE, ERR_INVALID_THIS },
} = require('internal/errors');
const { kEmptyObject } = require('internal/util');
const {
  kValidateObjectAllowObjects,
  kValidateObjectAllowObjectsAndNull,
  validateObject,
} = require('internal/validators');
const {
  asyncCallback,
  finishClass,
  isObject,
  kInternal,
  nop,
  rawCallback,
  readHighWaterMark,
  readSize,
} = require('internal/webstreams/util');
const { WritableCore, WriterCore } = require('internal/webstreams/writable_core');

// Each gives the inner object, or undefined for other values.
let coreOfWritable;
let coreOfWriter;
let coreOfController;

class WritableStream {
  #core;

  static {
    coreOfWritable = (value) => (isObject(value) && #core in value ? value.#core : undefined);
  }

  constructor(sink = kEmptyObject, strategy = kEmptyObject) {
    if (sink === kInternal) {
      this.#core = strategy;
      strategy.stream = this;
      return;
    }
    validateObject(sink, 'sink', kValidateObjectAllowObjects);
    validateObject(strategy, 'strategy', kValidateObjectAllowObjectsAndNull);
    const { type } = sink;
    if (type !== undefined) throw new ERR_INVALID_ARG_VALUE.RangeError('type', type);
    const size = readSize(strategy?.size);
    const highWaterMark = readHighWaterMark(strategy?.highWaterMark, 1);
    const { start } = sink;
    const core = this.#core = new WritableCore({
      write: rawCallback(sink, 'write', 'sink.write', 2),
      close: asyncCallback(sink, 'close', 'sink.close', 0),
      abort: asyncCallback(sink, 'abort', 'sink.abort', 1),
    }, highWaterMark, size);
    core.stream = this;
    core.controller = new WritableStreamDefaultController(kInternal, core);
    core.start(start ? FunctionPrototypeBind(start, sink, core.controller) : nop);
  }

  get locked() {
    const core = coreOfWritable(this);
    if (core === undefined) throw new ERR_INVALID_THIS('WritableStream');
    return core.isLocked;
  }

  abort(reason = undefined) {
    const core = coreOfWritable(this);
    if (core === undefined) return PromiseReject(new ERR_INVALID_THIS('WritableStream'));
    if (core.isLocked) return PromiseReject(new ERR_INVALID_STATE.TypeError('WritableStream is locked'));
    return core.abortStream(reason);
  }

  close() {
    const core = coreOfWritable(this);
    if (core === undefined) return PromiseReject(new ERR_INVALID_THIS('WritableStream'));
    if (core.isLocked) return PromiseReject(new ERR_INVALID_STATE.TypeError('WritableStream is locked'));
    if (core.isClosing) return PromiseReject(new ERR_INVALID_STATE.TypeError('Failure closing WritableStream'));
    return core.closeStream();
  }

  getWriter() {
    if (coreOfWritable(this) === undefined) throw new ERR_INVALID_THIS('WritableStream');
    return new WritableStreamDefaultWriter(this);
  }
}
finishClass(WritableStream, ['locked', 'abort', 'close', 'getWriter'], (stream) => ({
  locked: stream.locked, state: coreOfWritable(stream).state,
}));

class WritableStreamDefaultWriter {
  #core;

  static {
    coreOfWriter = (value) => (isObject(value) && #core in value ? value.#core : undefined);
  }

  constructor(stream) {
    const core = coreOfWritable(stream);
    if (core === undefined) throw new ERR_INVALID_ARG_TYPE('stream', 'WritableStream', stream);
    this.#core = new WriterCore(core);
  }

  // The reason why a method must fail, if any.
  static #refusal(writer) {
    const core = coreOfWriter(writer);
    if (core === undefined) return new ERR_INVALID_THIS('WritableStreamDefaultWriter');
    return core.core === undefined ? new ERR_INVALID_STATE.TypeError('Writer is not bound to a WritableStream') :
      undefined;
  }

  get closed() {
    const core = coreOfWriter(this);
    if (core === undefined) return PromiseReject(new ERR_INVALID_THIS('WritableStreamDefaultWriter'));
    return core.closed.promise;
  }

  get desiredSize() {
    const refusal = WritableStreamDefaultWriter.#refusal(this);
    if (refusal !== undefined) throw refusal;
    return this.#core.desiredSize;
  }

  get ready() {
    const core = coreOfWriter(this);
    if (core === undefined) return PromiseReject(new ERR_INVALID_THIS('WritableStreamDefaultWriter'));
    return core.ready.promise;
  }

  abort(reason = undefined) {
    const refusal = WritableStreamDefaultWriter.#refusal(this);
    return refusal === undefined ? this.#core.core.abortStream(reason) : PromiseReject(refusal);
  }

  close() {
    const refusal = WritableStreamDefaultWriter.#refusal(this);
    if (refusal !== undefined) return PromiseReject(refusal);
    const { core } = this.#core;
    if (core.isClosing) return PromiseReject(new ERR_INVALID_STATE.TypeError('Failure to close WritableStream'));
    return core.closeStream();
  }

  releaseLock() {
    const core = coreOfWriter(this);
    if (core === undefined) throw new ERR_INVALID_THIS('WritableStreamDefaultWriter');
    if (core.core !== undefined) core.release();
  }

  write(chunk = undefined) {
    const refusal = WritableStreamDefaultWriter.#refusal(this);
    return refusal === undefined ? this.#core.write(chunk) : PromiseReject(refusal);
  }
}
finishClass(
  WritableStreamDefaultWriter,
  ['closed', 'ready', 'desiredSize', 'abort', 'close', 'releaseLock', 'write'],
  (writer) => ({
    stream: coreOfWriter(writer).core?.stream,
    close: writer.closed,
    ready: writer.ready,
    desiredSize: coreOfWriter(writer).core === undefined ? undefined : writer.desiredSize,
  }),
);

class WritableStreamDefaultController {
  #core;

  static {
    coreOfController = (value) => (isObject(value) && #core in value ? value.#core : undefined);
  }

  constructor(key = undefined, core = undefined) {
    if (key !== kInternal) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this.#core = core;
  }

  get signal() {
    const core = coreOfController(this);
    if (core === undefined) throw new ERR_INVALID_THIS('WritableStreamDefaultController');
    return core.signal;
  }

  error(error = undefined) {
    const core = coreOfController(this);
    if (core === undefined) throw new ERR_INVALID_THIS('WritableStreamDefaultController');
    core.errorIfWritable(error);
  }
}
finishClass(WritableStreamDefaultController, ['signal', 'error'], (controller) => ({
  stream: coreOfController(controller).stream,
}));

const isWritableStream = (value) => coreOfWritable(value) !== undefined;

module.exports = {
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
  coreOfWritable,
  coreOfWriter,
  isWritableStream,
};
