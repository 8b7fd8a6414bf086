'use strict';
// The classes of stream/web: those of the package web-streams-polyfill, with arguments checked as Node checks them, with
// what inspect shows, and with the properties by which `stream` knows them.
const {
  ArrayBufferIsView,
  FunctionPrototypeCall,
  FunctionPrototypeSymbolHasInstance,
  Number,
  NumberIsNaN,
  ObjectDefineProperties,
  ObjectDefineProperty,
  PromisePrototypeThen,
  PromiseReject,
  Proxy,
  ReflectApply,
  ReflectConstruct,
  SafeMap,
  Symbol,
  SymbolAsyncIterator,
  SymbolFor,
  SymbolIterator,
  Uint8Array,
} = primordials;
const { Buffer } = require('buffer');
const classes = require('vendor/web-streams-polyfill');
const { noted } = require('internal/webstreams/package');
const { fromIterable, makeIterator, tee } = require('internal/webstreams/iterate');
const {
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  byteSize,
  countSize,
} = require('internal/webstreams/strategies');
const {
  codes: {
    ERR_ARG_NOT_ITERABLE,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_STATE,
    ERR_INVALID_THIS,
    ERR_OUT_OF_RANGE,
  },
} = require('internal/errors');
const {
  kValidateObjectAllowObjects,
  kValidateObjectAllowObjectsAndNull,
  validateAbortSignal,
  validateFunction,
  validateObject,
} = require('internal/validators');
const { registerStreams, kTransfer } = require('internal/structured_clone');
const { createDeferredPromise, customInspectSymbol } = require('internal/util');

const {
  ReadableStream,
  ReadableStreamDefaultReader,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableByteStreamController,
  ReadableStreamDefaultController,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultWriter,
  WritableStreamDefaultController,
} = classes;

const isReadableStream = (value) => FunctionPrototypeSymbolHasInstance(ReadableStream, value);
const isWritableStream = (value) => FunctionPrototypeSymbolHasInstance(WritableStream, value);
const isTransformStream = (value) => FunctionPrototypeSymbolHasInstance(TransformStream, value);

function checkIsReadable(value, name) {
  if (!isReadableStream(value)) throw new ERR_INVALID_ARG_TYPE(name, 'ReadableStream', value);
}

function checkIsWritable(value, name) {
  if (!isWritableStream(value)) throw new ERR_INVALID_ARG_TYPE(name, 'WritableStream', value);
}

function checkIsView(value, name) {
  if (!ArrayBufferIsView(value)) throw new ERR_INVALID_ARG_TYPE(name, ['Buffer', 'TypedArray', 'DataView'], value);
}

function checkMethods(object, name, methods) {
  for (let i = 0; i < methods.length; i++) {
    const value = object[methods[i]];
    if (value !== undefined) validateFunction(value, `${name}.${methods[i]}`);
  }
}

// The strategy with a size() that answers for its results itself: only it knows the number.
function checkStrategy(strategy, name) {
  if (strategy === undefined || strategy === null) return strategy;
  validateObject(strategy, name, kValidateObjectAllowObjects);
  const { highWaterMark, size } = strategy;
  if (size !== undefined) validateFunction(size, `${name}.size`);
  if (highWaterMark !== undefined) {
    const mark = Number(highWaterMark);
    if (NumberIsNaN(mark) || mark < 0) {
      throw new ERR_INVALID_ARG_VALUE.RangeError(`${name}.highWaterMark`, highWaterMark);
    }
  }
  if (size === undefined || size === countSize || size === byteSize) return strategy;
  return {
    __proto__: null,
    highWaterMark,
    size(chunk) {
      const value = Number(size(chunk));
      if (NumberIsNaN(value) || value < 0 || value === Infinity) {
        throw new ERR_INVALID_ARG_VALUE.RangeError('size', value);
      }
      return value;
    },
  };
}

const checksOfConstructors = {
  __proto__: null,
  ReadableStream(args) {
    const { 0: source, 1: strategy } = args;
    if (source !== undefined) {
      validateObject(source, 'source', kValidateObjectAllowObjects);
      const { type, autoAllocateChunkSize } = source;
      if (type !== undefined && `${type}` !== 'bytes') throw new ERR_INVALID_ARG_VALUE('source.type', type);
      checkMethods(source, 'source', ['start', 'pull', 'cancel']);
      if (autoAllocateChunkSize !== undefined && !(Number(autoAllocateChunkSize) > 0)) {
        throw new ERR_INVALID_ARG_VALUE('source.autoAllocateChunkSize', autoAllocateChunkSize);
      }
      if (type !== undefined && strategy?.size !== undefined) {
        throw new ERR_INVALID_ARG_VALUE.RangeError('strategy.size', strategy.size);
      }
    }
    args[1] = checkStrategy(strategy, 'strategy');
  },
  WritableStream(args) {
    const { 0: sink } = args;
    if (sink !== undefined) {
      validateObject(sink, 'sink', kValidateObjectAllowObjects);
      if (sink.type !== undefined) throw new ERR_INVALID_ARG_VALUE.RangeError('type', sink.type);
      checkMethods(sink, 'sink', ['start', 'write', 'close', 'abort']);
    }
    args[1] = checkStrategy(args[1], 'strategy');
  },
  TransformStream(args) {
    const { 0: transformer } = args;
    if (transformer !== undefined) {
      validateObject(transformer, 'transformer', kValidateObjectAllowObjects);
      for (const name of ['readableType', 'writableType']) {
        const type = transformer[name];
        if (type !== undefined) throw new ERR_INVALID_ARG_VALUE.RangeError(`transformer.${name}`, type);
      }
      checkMethods(transformer, 'transformer', ['start', 'transform', 'flush', 'cancel']);
    }
    args[1] = checkStrategy(args[1], 'writableStrategy');
    args[2] = checkStrategy(args[2], 'readableStrategy');
  },
  ReadableStreamDefaultReader(args) {
    checkIsReadable(args[0], 'stream');
  },
  ReadableStreamBYOBReader(args) {
    checkIsReadable(args[0], 'stream');
    checkIsByteStream(args[0]);
  },
  WritableStreamDefaultWriter(args) {
    checkIsWritable(args[0], 'stream');
  },
};

function supportsBYOB(stream) {
  return FunctionPrototypeSymbolHasInstance(ReadableByteStreamController, stream._readableStreamController);
}

function checkIsByteStream(stream) {
  if (stream._reader !== undefined) throw new ERR_INVALID_STATE.TypeError('ReadableStream is locked');
  if (!supportsBYOB(stream)) throw new ERR_INVALID_ARG_VALUE('stream', stream, 'must be a byte stream');
}

// A proxy checks the arguments of `new`; to who looks at it, it is the class.
const checked = new SafeMap();
for (const name in checksOfConstructors) {
  const Class = classes[name];
  const check = checksOfConstructors[name];
  const proxy = new Proxy(Class, {
    __proto__: null,
    construct(target, args, newTarget) {
      check(args);
      return ReflectConstruct(target, args, newTarget);
    },
  });
  checked.set(name, proxy);
  Class.prototype.constructor = proxy;
  ObjectDefineProperty(Class.prototype, 'constructor', { __proto__: null, enumerable: false });
}

// Puts checks in front of methods. Where those return promises, a failure is a rejection.
function guard(prototype, methods, isAsync = false) {
  for (const name in methods) {
    const original = prototype[name];
    const check = methods[name];
    // A method of an object, as the classes have: it cannot be constructed.
    const { [name]: guarded } = {
      [name](...args) {
        try {
          FunctionPrototypeCall(check, this, args);
        } catch (error) {
          if (isAsync) return PromiseReject(error);
          throw error;
        }
        return ReflectApply(original, this, args);
      },
    };
    ObjectDefineProperty(guarded, 'length', { __proto__: null, value: original.length, configurable: true });
    ObjectDefineProperty(prototype, name, { __proto__: null, value: guarded });
  }
}

function checkOptions(options) {
  if (options !== undefined) validateObject(options, 'options', kValidateObjectAllowObjectsAndNull);
}

function checkPipeOptions(options) {
  checkOptions(options);
  if (options?.signal !== undefined) {
    if (options.signal === null) throw new ERR_INVALID_ARG_TYPE('options.signal', 'AbortSignal', null);
    validateAbortSignal(options.signal, 'options.signal');
  }
}

guard(ReadableStream.prototype, {
  __proto__: null,
  getReader(args) {
    if (!isReadableStream(this)) throw new ERR_INVALID_THIS('ReadableStream');
    const { 0: options } = args;
    checkOptions(options);
    const mode = options?.mode;
    if (mode === undefined) return;
    if (`${mode}` !== 'byob') throw new ERR_INVALID_ARG_VALUE('options.mode', mode);
    checkIsByteStream(this);
  },
  pipeThrough(args) {
    if (!isReadableStream(this)) throw new ERR_INVALID_THIS('ReadableStream');
    checkIsReadable(args[0]?.readable, 'transform.readable');
    checkIsWritable(args[0]?.writable, 'transform.writable');
    checkPipeOptions(args[1]);
  },
});
const own = {
  tee() {
    if (!isReadableStream(this)) throw new ERR_INVALID_THIS('ReadableStream');
    return tee(this);
  },
  values(options = undefined) {
    if (!isReadableStream(this)) throw new ERR_INVALID_THIS('ReadableStream');
    checkOptions(options);
    return makeIterator(this, Boolean(options?.preventCancel));
  },
};
ObjectDefineProperty(ReadableStream.prototype, 'tee', { __proto__: null, value: own.tee });
ObjectDefineProperty(ReadableStream.prototype, 'values', { __proto__: null, value: own.values });
ObjectDefineProperty(ReadableStream.prototype, SymbolAsyncIterator, {
  __proto__: null, value: ReadableStream.prototype.values, writable: true, enumerable: false, configurable: true,
});
guard(ReadableStream.prototype, {
  __proto__: null,
  pipeTo(args) {
    if (!isReadableStream(this)) throw new ERR_INVALID_THIS('ReadableStream');
    checkIsWritable(args[0], 'transform.writable');
    checkPipeOptions(args[1]);
  },
}, true);
function checkRead(view, options) {
  checkIsView(view, 'view');
  checkOptions(options);
  const min = options?.min;
  if (min === undefined) return;
  if (!(Number(min) > 0)) throw new ERR_INVALID_ARG_VALUE('options.min', min, 'must be greater than 0');
  const length = view.length ?? view.byteLength;
  if (min > length) {
    throw new ERR_OUT_OF_RANGE('options.min', view.length === undefined ? '<= view.byteLength' : '<= view.length', min);
  }
}
const { read: readView } = ReadableStreamBYOBReader.prototype;
ObjectDefineProperty(ReadableStreamBYOBReader.prototype, 'read', {
  __proto__: null,
  // Asynchronous around a promise, as in Node: a program can count the microtasks.
  value: async function read(view, options = undefined) {
    checkRead(view, options);
    // The package makes the result with the constructor of the view, which of a Buffer is deprecated.
    if (!(view instanceof Buffer)) return FunctionPrototypeCall(readView, this, view, options);
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    const { done, value } = await FunctionPrototypeCall(readView, this, bytes, options);
    return { done, value: value && Buffer.from(value.buffer, value.byteOffset, value.byteLength) };
  },
});
guard(ReadableStreamBYOBRequest.prototype, {
  __proto__: null,
  respond(args) { noted.value = args[0]; },
  respondWithNewView(args) {
    checkIsView(args[0], 'view');
    noted.value = args[0];
  },
});
guard(ReadableByteStreamController.prototype, {
  __proto__: null,
  enqueue(args) { checkIsView(args[0], 'buffer'); },
});
guard(WritableStreamDefaultWriter.prototype, {
  __proto__: null,
  close() {
    const stream = this._ownerWritableStream;
    if (stream?._closeRequest !== undefined || stream?._inFlightCloseRequest !== undefined) {
      throw new ERR_INVALID_STATE.TypeError('Failure to close WritableStream');
    }
  },
}, true);

const { from } = {
  from(iterable) {
    if (iterable?.[SymbolAsyncIterator] == null && iterable?.[SymbolIterator] == null) {
      throw new ERR_ARG_NOT_ITERABLE(iterable);
    }
    return fromIterable(iterable);
  },
};
ObjectDefineProperty(ReadableStream, 'from', { __proto__: null, value: from });

// Left over from a draft of the standard.
delete WritableStreamDefaultController.prototype.abortReason;

// What inspect shows: the state, in place of the properties that hold it.
function show(Class, describe) {
  ObjectDefineProperty(Class.prototype, customInspectSymbol, {
    __proto__: null,
    writable: true,
    enumerable: false,
    configurable: true,
    value: function inspectStream(depth, options) {
      if (depth < 0) return this;
      const { inspect } = require('internal/util/inspect');
      const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
      return `${Class.name} ${inspect(describe(this), inner)}`;
    },
  });
}

show(ReadableStream, (stream) => ({
  locked: stream.locked, state: stream._state, supportsBYOB: supportsBYOB(stream),
}));
show(ReadableStreamDefaultReader, (reader) => ({
  stream: reader._ownerReadableStream, readRequests: reader._readRequests.length, close: reader.closed,
}));
show(ReadableStreamBYOBReader, (reader) => ({
  stream: reader._ownerReadableStream, readIntoRequests: reader._readIntoRequests.length, close: reader.closed,
}));
show(ReadableStreamBYOBRequest, (request) => ({
  view: request.view, controller: request._associatedReadableByteStreamController,
}));
show(ReadableStreamDefaultController, () => ({}));
show(ReadableByteStreamController, () => ({}));
show(WritableStream, (stream) => ({ locked: stream.locked, state: stream._state }));
show(WritableStreamDefaultWriter, (writer) => ({
  stream: writer._ownerWritableStream,
  close: writer.closed,
  ready: writer.ready,
  desiredSize: writer._ownerWritableStream === undefined ? undefined : writer.desiredSize,
}));
show(WritableStreamDefaultController, (controller) => ({ stream: controller._controlledWritableStream }));
show(TransformStream, (stream) => ({
  readable: stream._readable, writable: stream._writable, backpressure: stream._backpressure,
}));
show(TransformStreamDefaultController, (controller) => ({ stream: controller._controlledTransformStream }));

// What finished(), pipeline() and their kin ask of a stream.
const kState = Symbol('state');
const kClosed = Symbol('closed');

// Settled when the stream has ended. The package tells nobody, so the stream's state becomes an accessor; only those that
// are asked pay for it.
function closedPromise() {
  if (this[kClosed] !== undefined) return this[kClosed];
  const deferred = this[kClosed] = createDeferredPromise();
  PromisePrototypeThen(deferred.promise, undefined, () => {});
  this[kState] = this._state;
  ObjectDefineProperty(this, '_state', {
    __proto__: null,
    configurable: true,
    get() { return this[kState]; },
    set(state) {
      this[kState] = state;
      settleClosed(this);
    },
  });
  settleClosed(this);
  return deferred;
}

function settleClosed(stream) {
  const state = stream[kState];
  if (state === 'closed') {
    stream[kClosed].resolve();
  } else if (state === 'errored') {
    // The reason is noted right after the state.
    process.nextTick(() => stream[kClosed].reject(stream._storedError));
  }
}

function hidden(get) {
  return { __proto__: null, configurable: true, enumerable: false, get };
}

ObjectDefineProperties(ReadableStream.prototype, {
  [SymbolFor('nodejs.stream.disturbed')]: hidden(function () { return this._disturbed; }),
  [SymbolFor('nodejs.stream.errored')]: hidden(function () { return this._state === 'errored'; }),
  [SymbolFor('nodejs.stream.readable')]: hidden(function () { return this._state === 'readable'; }),
  [SymbolFor('nodejs.webstream.isClosedPromise')]: hidden(closedPromise),
  [SymbolFor('nodejs.webstream.controllerErrorFunction')]: hidden(function () {
    return (error) => this._readableStreamController.error(error);
  }),
});
ObjectDefineProperties(WritableStream.prototype, {
  [SymbolFor('nodejs.stream.errored')]: hidden(function () { return this._state === 'errored'; }),
  [SymbolFor('nodejs.stream.writable')]: hidden(function () { return this._state === 'writable'; }),
  [SymbolFor('nodejs.webstream.isClosedPromise')]: hidden(closedPromise),
  [SymbolFor('nodejs.webstream.controllerErrorFunction')]: hidden(function () {
    return (error) => this._writableStreamController.error(error);
  }),
});

// Streams in a transfer list are moved. An object without the state of one only looks like a stream.
const controllerOf = (stream) =>
  stream._readableStreamController ?? stream._writableStreamController ?? stream._transformStreamController;
registerStreams(
  [ReadableStream.prototype, WritableStream.prototype, TransformStream.prototype],
  (value) => (isReadableStream(value) || isWritableStream(value) || isTransformStream(value)) &&
    controllerOf(value) !== undefined,
);
function addTransfer(prototype, name) {
  ObjectDefineProperty(prototype, kTransfer, {
    __proto__: null, value: function() { return require('internal/webstreams/transfer')[name](this); },
  });
}
addTransfer(ReadableStream.prototype, 'transferReadable');
addTransfer(WritableStream.prototype, 'transferWritable');
addTransfer(TransformStream.prototype, 'transferTransform');

module.exports = {
  ReadableStream: checked.get('ReadableStream'),
  ReadableStreamDefaultReader: checked.get('ReadableStreamDefaultReader'),
  ReadableStreamBYOBReader: checked.get('ReadableStreamBYOBReader'),
  ReadableStreamBYOBRequest,
  ReadableByteStreamController,
  ReadableStreamDefaultController,
  TransformStream: checked.get('TransformStream'),
  TransformStreamDefaultController,
  WritableStream: checked.get('WritableStream'),
  WritableStreamDefaultWriter: checked.get('WritableStreamDefaultWriter'),
  WritableStreamDefaultController,
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  isReadableStream,
  isWritableStream,
};
