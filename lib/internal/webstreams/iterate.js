'use strict';
// ReadableStream.from(), values() and tee(). The package has them, but takes other numbers of microtasks than Node, and
// Node's tee() closes its branches in a tick.
const {
  FunctionPrototypeCall,
  ObjectGetOwnPropertySymbols,
  ObjectGetPrototypeOf,
  ObjectSetPrototypeOf,
  PromisePrototypeThen,
  PromiseReject,
  PromiseResolve,
  SymbolAsyncIterator,
  SymbolIterator,
} = primordials;
const {
  ReadableByteStreamController,
  ReadableStream,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
} = require('vendor/web-streams-polyfill');
const { codes: { ERR_INVALID_STATE } } = require('internal/errors');
const { createDeferredPromise } = require('internal/util');

const { cancel, releaseLock } = ReadableStreamDefaultReader.prototype;
const { tee: teeOfBytes } = ReadableStream.prototype;

// The package's name for the steps of a controller that serve a read request.
function pullStepsOf(Controller) {
  return ObjectGetOwnPropertySymbols(Controller.prototype).find((symbol) => symbol.description === '[[PullSteps]]');
}
const kPullSteps = pullStepsOf(ReadableStreamDefaultController);

// Calls one of the request's steps, at once if the answer is known.
function read(reader, request) {
  const stream = reader._ownerReadableStream;
  stream._disturbed = true;
  if (stream._state === 'closed') request._closeSteps();
  else if (stream._state === 'errored') request._errorSteps(stream._storedError);
  else stream._readableStreamController[kPullSteps](request);
}

// ---- Iteration

const AsyncIteratorPrototype = ObjectGetPrototypeOf(ObjectGetPrototypeOf(async function* () {}).prototype);
const iteratorPrototype = { __proto__: AsyncIteratorPrototype, next: undefined, return: undefined };

class IteratorRequest {
  constructor(state, deferred) {
    this.state = state;
    this.deferred = deferred;
  }

  _chunkSteps(value) {
    this.state.current = undefined;
    this.deferred.resolve({ done: false, value });
  }

  _closeSteps() {
    this.state.finish();
    this.deferred.resolve({ done: true, value: undefined });
  }

  _errorSteps(error) {
    this.state.finish();
    this.deferred.reject(error);
  }
}

function releasedError() {
  return new ERR_INVALID_STATE.TypeError('The reader is not bound to a ReadableStream');
}

class IteratorState {
  constructor(stream, preventCancel) {
    this.reader = new ReadableStreamDefaultReader(stream);
    this.preventCancel = preventCancel;
    this.isDone = false;
    // The answer that the next call waits for. The first call waits as well, so that the stream has started.
    this.current = PromiseResolve();
    this.next = () => this.readNext();
  }

  finish() {
    this.current = undefined;
    this.isDone = true;
    FunctionPrototypeCall(releaseLock, this.reader);
  }

  isReleased() {
    return this.reader._ownerReadableStream === undefined;
  }

  readNext() {
    if (this.isDone) return PromiseResolve({ done: true, value: undefined });
    if (this.isReleased()) return PromiseReject(releasedError());
    const deferred = createDeferredPromise();
    read(this.reader, new IteratorRequest(this, deferred));
    return deferred.promise;
  }

  async end(value) {
    if (this.isDone) return { done: true, value };
    this.isDone = true;
    if (this.isReleased()) throw releasedError();
    if (this.preventCancel) {
      FunctionPrototypeCall(releaseLock, this.reader);
    } else {
      const cancelled = FunctionPrototypeCall(cancel, this.reader, value);
      FunctionPrototypeCall(releaseLock, this.reader);
      await cancelled;
    }
    return { done: true, value };
  }
}

function makeIterator(stream, preventCancel) {
  const state = new IteratorState(stream, preventCancel);
  let isStarted = false;
  return ObjectSetPrototypeOf({
    next() {
      isStarted = true;
      const { current, next } = state;
      state.current = current === undefined ? next() : PromisePrototypeThen(current, next, next);
      return state.current;
    },
    return(value) {
      // Before the first read there is nothing to wait for.
      const current = isStarted ? state.current : undefined;
      isStarted = true;
      const end = () => state.end(value);
      state.current = current === undefined ? end() : PromisePrototypeThen(current, end, end);
      return state.current;
    },
    [SymbolAsyncIterator]() { return this; },
  }, iteratorPrototype);
}

// ---- tee()

function tee(stream) {
  if (stream._readableStreamController instanceof ReadableByteStreamController) {
    return FunctionPrototypeCall(teeOfBytes, stream);
  }
  const reader = new ReadableStreamDefaultReader(stream);
  const cancelled = createDeferredPromise();
  const controllers = [];
  const isCancelled = [false, false];
  const reasons = [undefined, undefined];
  let isReading = false;

  const forEachOpen = (visit) => {
    for (let i = 0; i < 2; i++) if (!isCancelled[i]) visit(controllers[i]);
  };
  const settle = () => {
    if (!isCancelled[0] || !isCancelled[1]) cancelled.resolve();
  };
  const request = {
    __proto__: null,
    _chunkSteps(value) {
      queueMicrotask(() => {
        isReading = false;
        forEachOpen((controller) => controller.enqueue(value));
      });
    },
    _closeSteps() {
      process.nextTick(() => {
        isReading = false;
        forEachOpen((controller) => controller.close());
        settle();
      });
    },
    _errorSteps() { isReading = false; },
  };
  // The algorithms are set past the constructor, which would wrap their promises in others.
  const makeBranch = (index) => {
    const branch = new ReadableStream();
    const controller = controllers[index] = branch._readableStreamController;
    controller._pullAlgorithm = async () => {
      if (isReading) return;
      isReading = true;
      read(reader, request);
    };
    controller._cancelAlgorithm = (reason) => {
      isCancelled[index] = true;
      reasons[index] = reason;
      if (isCancelled[1 - index]) cancelled.resolve(FunctionPrototypeCall(cancel, reader, reasons));
      return cancelled.promise;
    };
    return branch;
  };
  const branches = [makeBranch(0), makeBranch(1)];
  PromisePrototypeThen(reader._closedPromise, undefined, (error) => {
    for (let i = 0; i < 2; i++) controllers[i].error(error);
    settle();
  });
  return branches;
}

// ---- from()

function checkResult(result, method) {
  if (typeof result === 'object' && result !== null) return;
  throw new ERR_INVALID_STATE.TypeError(`The ${method} must fulfill with an object`);
}

// A sync iterable, with the microtasks that `yield*` in an asynchronous generator takes in Node's version of V8.
function makeAsync(iterator) {
  const answer = async ({ value, done }) => {
    value = await value;
    await undefined;
    if (done) await undefined;
    return { value, done };
  };
  const { next } = iterator;
  return {
    next() { return answer(FunctionPrototypeCall(next, iterator)); },
    return(reason) {
      const { return: end } = iterator;
      if (end === undefined) return PromiseResolve({ done: true, value: reason });
      return answer(FunctionPrototypeCall(end, iterator, reason));
    },
  };
}

function iteratorOf(iterable) {
  const method = iterable[SymbolAsyncIterator];
  const iterator = FunctionPrototypeCall(method ?? iterable[SymbolIterator], iterable);
  if ((typeof iterator !== 'object' || iterator === null) && typeof iterator !== 'function') {
    throw new ERR_INVALID_STATE.TypeError('The iterator method must return an object');
  }
  return method == null ? makeAsync(iterator) : iterator;
}

function fromIterable(iterable) {
  const iterator = iteratorOf(iterable);
  const { next } = iterator;
  const stream = new ReadableStream(undefined, { highWaterMark: 0 });
  const controller = stream._readableStreamController;
  controller._pullAlgorithm = async () => {
    const result = FunctionPrototypeCall(next, iterator);
    if (typeof result !== 'object' || result === null) {
      throw new ERR_INVALID_STATE.TypeError('The iterator.next() method must return an object');
    }
    return PromisePrototypeThen(PromiseResolve(result), (answer) => {
      checkResult(answer, 'promise returned by the iterator.next() method');
      if (answer.done) controller.close();
      else controller.enqueue(answer.value);
    });
  };
  controller._cancelAlgorithm = async (reason) => {
    const { return: end } = iterator;
    if (end === undefined) return PromiseResolve();
    return PromisePrototypeThen(PromiseResolve(FunctionPrototypeCall(end, iterator, reason)), (answer) => {
      checkResult(answer, 'promise returned by the iterator.return() method');
    });
  };
  return stream;
}

module.exports = { fromIterable, makeIterator, tee };
