'use strict';
// stream.pipeline(): connects streams, iterables and functions, and destroys all of them when one fails.
const {
  ArrayIsArray,
  ArrayPrototypePop,
  ArrayPrototypePush,
  ArrayPrototypeShift,
  FunctionPrototypeCall,
  Promise,
  SymbolAsyncIterator,
  SymbolDispose,
} = primordials;
const { AbortController } = require('internal/abort_controller');
const {
  AbortError,
  aggregateTwoErrors,
  codes: {
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_RETURN_VALUE,
    ERR_MISSING_ARGS,
    ERR_STREAM_DESTROYED,
    ERR_STREAM_PREMATURE_CLOSE,
    ERR_STREAM_UNABLE_TO_PIPE,
  },
} = require('internal/errors');
const { addAbortListener } = require('internal/events/targets');
const { destroyer } = require('internal/streams/destroy');
const { Duplex } = require('internal/streams/duplex');
const { eos } = require('internal/streams/end_of_stream');
const { Readable } = require('internal/streams/readable');
const { PassThrough } = require('internal/streams/transform');
const {
  isAsyncIterable,
  isIterable,
  isNodeStream,
  isReadable,
  isReadableFinished,
  isReadableNodeStream,
  isReadableStream,
  isTransformStream,
  isWebStream,
} = require('internal/streams/utils');
const { once } = require('internal/util');
const { validateAbortSignal, validateFunction } = require('internal/validators');

const isPremature = (error) => error?.code === 'ERR_STREAM_PREMATURE_CLOSE';

// ---- From an iterable into a stream

async function pumpToNode(iterable, writable, finish, ends) {
  let error;
  let wake = null;
  const goOn = (reason) => {
    if (reason) error = reason;
    const call = wake;
    wake = null;
    if (call !== null) call();
  };
  const drained = () => new Promise((resolve, reject) => {
    const settle = () => (error ? reject(error) : resolve());
    if (error) settle();
    else wake = settle;
  });
  writable.on('drain', goOn);
  const stopListening = eos(writable, { readable: false }, goOn);
  try {
    if (writable.writableNeedDrain) await drained();
    for await (const chunk of iterable) {
      if (!writable.write(chunk)) await drained();
    }
    if (ends) {
      writable.end();
      await drained();
    }
    finish();
  } catch (reason) {
    finish(error === reason ? reason : aggregateTwoErrors(error, reason));
  } finally {
    stopListening();
    writable.off('drain', goOn);
  }
}

async function pumpToWeb(iterable, stream, finish, ends) {
  const writer = (isTransformStream(stream) ? stream.writable : stream).getWriter();
  try {
    for await (const chunk of iterable) {
      await writer.ready;
      // A failure rejects `ready`.
      writer.write(chunk).catch(() => {});
    }
    await writer.ready;
    if (ends) await writer.close();
    finish();
  } catch (error) {
    try {
      await writer.abort(error);
      finish(error);
    } catch (abortError) {
      finish(abortError);
    }
  }
}

// ---- From a stream into a stream

function pipe(source, dest, run, ends) {
  let isEnded = false;
  dest.on('close', () => {
    if (!isEnded) run.fail(new ERR_STREAM_PREMATURE_CLOSE());
  });
  source.pipe(dest, { end: false });
  if (ends) {
    // Not with pipe(), which never ends process.stdout.
    const end = () => {
      isEnded = true;
      dest.end();
    };
    if (isReadableFinished(source)) process.nextTick(end);
    else source.once('end', end);
  } else {
    run.finish();
  }
  eos(source, { readable: true, writable: false }, (error) => {
    const state = source._readableState;
    if (isPremature(error) && state?.ended && !state.errored && !state.errorEmitted) {
      // Some streams emit 'close' before 'end': wait for 'end'.
      source.once('end', run.finish).once('error', run.finish);
    } else {
      run.finish(error);
    }
  });
  return eos(dest, { readable: false, writable: true }, run.finish);
}

// ---- The whole pipeline

async function* iterateOld(stream) {
  yield* FunctionPrototypeCall(Readable.prototype[SymbolAsyncIterator], stream);
}

function toIterable(value) {
  if (isIterable(value)) return value;
  // Old streams are not iterable.
  if (isReadableNodeStream(value)) return iterateOld(value);
  throw new ERR_INVALID_ARG_TYPE('val', ['Readable', 'Iterable', 'AsyncIterable'], value);
}

const readableSide = (value) => (isTransformStream(value) ? value.readable : value);

// One call of pipeline().
class Run {
  constructor(callback, signal) {
    this.callback = callback;
    this.signal = signal;
    this.controller = new AbortController();
    this.error = undefined;
    this.value = undefined;
    // Number of parts that have not finished.
    this.pending = 0;
    this.destroys = [];
    // Functions that remove the listeners from the last stream, which stays in use if it is readable.
    this.cleanups = [];
    this.disposable = undefined;
    this.abort = () => this.settle(new AbortError(undefined, { cause: signal?.reason }), false);
    this.finish = (error) => this.settle(error, --this.pending === 0);
    // Reports an error that does not end a part.
    this.fail = (error) => this.settle(error, false);
    if (signal) this.disposable = addAbortListener(signal, this.abort);
  }

  settle(error, isLast) {
    // Keep the original error rather than the errors that it caused.
    if (error && (!this.error || isPremature(this.error) || this.error.name === 'AbortError')) this.error = error;
    if (!this.error && !isLast) return;
    while (this.destroys.length > 0) ArrayPrototypeShift(this.destroys)(this.error);
    this.disposable?.[SymbolDispose]();
    this.controller.abort();
    if (!isLast) return;
    if (!this.error) {
      for (let i = 0; i < this.cleanups.length; i++) this.cleanups[i]();
    }
    process.nextTick(this.callback, this.error, this.value);
  }

  // Destroys the stream if the run fails. Returns a function that removes the listeners.
  guard(stream, readable, writable) {
    let isFinished = false;
    stream.on('close', () => { isFinished = true; });
    const cleanup = eos(stream, { readable, writable }, (error) => { isFinished = !error; });
    ArrayPrototypePush(this.destroys, (error) => {
      if (isFinished) return;
      isFinished = true;
      destroyer(stream, error || new ERR_STREAM_DESTROYED('pipe'));
    });
    return cleanup;
  }

  watch(stream, isReading, isWriting, ends) {
    const livesOn = !isReading && isReadable(stream);
    if (ends) {
      const cleanup = this.guard(stream, isReading, isWriting);
      if (livesOn) ArrayPrototypePush(this.cleanups, cleanup);
    }
    const onError = (error) => {
      if (error && error.name !== 'AbortError' && !isPremature(error)) this.fail(error);
    };
    stream.on('error', onError);
    if (livesOn) ArrayPrototypePush(this.cleanups, () => stream.removeListener('error', onError));
  }

  pump(iterable, stream, ends) {
    this.pending++;
    if (isNodeStream(stream)) pumpToNode(iterable, stream, this.finish, ends);
    else pumpToWeb(iterable, stream, this.finish, ends);
  }

  start(first) {
    if (typeof first === 'function') {
      const result = first({ signal: this.controller.signal });
      if (!isIterable(result)) {
        throw new ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or Stream', 'source', result);
      }
      return result;
    }
    if (isIterable(first) || isReadableNodeStream(first) || isTransformStream(first)) return first;
    return Duplex.from(first);
  }

  callFunction(previous, fn, index, isLast, ends) {
    const result = fn(toIterable(readableSide(previous)), { signal: this.controller.signal });
    if (isLast) return this.finishWith(result, ends);
    if (!isAsyncIterable(result)) {
      throw new ERR_INVALID_RETURN_VALUE('AsyncIterable', `transform[${index - 1}]`, result);
    }
    return result;
  }

  // The result of the last function is written to a stream, so that pipeline() always returns one.
  finishWith(result, ends) {
    const output = new PassThrough({ objectMode: true });
    // Read once, because it may be a getter.
    const then = result?.then;
    if (typeof then === 'function') {
      this.pending++;
      FunctionPrototypeCall(then, result, (value) => {
        this.value = value;
        if (value !== undefined && value !== null) output.write(value);
        if (ends) output.end();
        process.nextTick(this.finish);
      }, (error) => {
        output.destroy(error);
        process.nextTick(this.finish, error);
      });
    } else if (isAsyncIterable(result)) {
      this.pump(result, output, ends);
    } else if (isReadableStream(result) || isTransformStream(result)) {
      this.pump(readableSide(result), output, ends);
    } else {
      throw new ERR_INVALID_RETURN_VALUE('AsyncIterable or Promise', 'destination', result);
    }
    ArrayPrototypePush(this.cleanups, this.guard(output, false, true));
    return output;
  }

  connect(previous, stream, isLast, ends) {
    if (isNodeStream(stream) && isReadableNodeStream(previous)) {
      this.pending += 2;
      const cleanup = pipe(previous, stream, this, ends);
      if (isLast && isReadable(stream)) ArrayPrototypePush(this.cleanups, cleanup);
    } else if (isReadableNodeStream(previous)) {
      this.pump(toIterable(previous), stream, ends);
    } else if (isTransformStream(previous) || isReadableStream(previous) || isIterable(previous)) {
      this.pump(readableSide(previous), stream, ends);
    } else {
      throw new ERR_INVALID_ARG_TYPE(
        'val', ['Readable', 'Iterable', 'AsyncIterable', 'ReadableStream', 'TransformStream'], previous);
    }
    return stream;
  }
}

function pipelineImpl(streams, callback, options) {
  if (streams.length === 1 && ArrayIsArray(streams[0])) streams = streams[0];
  if (streams.length < 2) throw new ERR_MISSING_ARGS('streams');
  const outerSignal = options?.signal;
  validateAbortSignal(outerSignal, 'options.signal');
  const run = new Run(callback, outerSignal);
  const last = streams.length - 1;
  let result;
  for (let i = 0; i <= last; i++) {
    const stream = streams[i];
    const isLast = i === last;
    const ends = !isLast || options?.end !== false;
    if (isNodeStream(stream)) {
      if (!isLast && (streams[i + 1]?.closed || streams[i + 1]?.destroyed)) throw new ERR_STREAM_UNABLE_TO_PIPE();
      run.watch(stream, !isLast, i > 0, ends);
    }
    if (i === 0) result = run.start(stream);
    else if (typeof stream === 'function') result = run.callFunction(result, stream, i, isLast, ends);
    else if (isNodeStream(stream) || isWebStream(stream)) result = run.connect(result, stream, isLast, ends);
    else result = Duplex.from(stream);
  }
  if (run.controller.signal.aborted || outerSignal?.aborted) process.nextTick(run.abort);
  return result;
}

function pipeline(...streams) {
  validateFunction(streams[streams.length - 1], 'streams[stream.length - 1]');
  const callback = once(ArrayPrototypePop(streams));
  return pipelineImpl(streams, callback);
}

module.exports = { pipeline, pipelineImpl };
