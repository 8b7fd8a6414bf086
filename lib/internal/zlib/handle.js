'use strict';

// The native object of a zlib stream, as an asynchronous resource: the stream's property _handle.
//
// It is the native object itself (src/bindings/zlib/stream.h), a clone of a pattern with the prototype and fields that
// are set here. After write(), `owner` is called back in poll: written(handle) or failed(handle, failure).

const binding = internalBinding('zlib_stream');
const asyncHooks = require('internal/async_hooks');
const { emitAfter, emitBefore, emitDestroy, emitInit, getFrame, hooks, setFrame } = asyncHooks;

// Runs `fn(handle, argument)` in the handle's async context. If it throws, the code that reports the exception resets
// the context.
function runAs(handle, fn, argument) {
  if (handle.frame === undefined && !hooks.tracksIds) {
    fn(handle, argument);
    return;
  }
  setFrame(handle.frame);
  emitBefore(handle.asyncId, handle.triggerId, handle);
  fn(handle, argument);
  setFrame(undefined);
  emitAfter(handle.asyncId);
}

// Native code calls these; `this` is the handle.
function onWritten() {
  runAs(this, this.written);
}

function onFailed(failure) {
  runAs(this, this.failed, failure);
}

let isReady = false;
function setUp() {
  if (isReady) return;
  isReady = true;
  binding.setHooks({ __proto__: null, onWritten, onFailed });
  const pattern = binding.makePattern(Handle.prototype);
  pattern.owner = null;
  pattern.written = null;
  pattern.failed = null;
  pattern.asyncId = 0;
  pattern.triggerId = 0;
  pattern.frame = undefined;
  pattern.isClosed = false;
  // The write in progress.
  pattern.buffer = null;
  pattern.cb = null;
  pattern.flush = 0;
  pattern.inputOffset = 0;
  pattern.inputLeft = 0;
  pattern.outputSize = 0;
}

class Handle {
  // `codec` is from readCodec(). `answer`, a Float64Array, gets what is left of output and input after each write.
  constructor(codec, answer, written, failed) {
    setUp();
    const { mode, settings, dictionary, rejectsGarbage, pledgedSize } = codec;
    const handle = binding.create(mode, settings, dictionary, rejectsGarbage, pledgedSize, answer);
    handle.written = written;
    handle.failed = failed;
    handle.asyncId = asyncHooks.newAsyncId();
    handle.triggerId = asyncHooks.defaultTriggerAsyncId();
    handle.frame = getFrame();
    if (hooks.active) emitInit(handle.asyncId, 'ZLIB', handle.triggerId, handle);
    return handle;
  }

  write(flush, input, inputOffset, inputSize, output, outputOffset, outputSize, chunkSize) {
    binding.write(this, flush, input, inputOffset, inputSize, output, outputOffset, outputSize, chunkSize);
  }

  // Returns [message, errno, code] if it fails.
  writeSync(flush, input, inputOffset, inputSize, output, outputOffset, outputSize, chunkSize) {
    return binding.writeSync(
      this, flush, input, inputOffset, inputSize, output, outputOffset, outputSize, chunkSize);
  }

  reset() {
    const failure = binding.reset(this);
    if (failure !== undefined) this.failed(this, failure);
  }

  params(level, strategy) {
    const failure = binding.setLevel(this, level, strategy);
    if (failure !== undefined) this.failed(this, failure);
  }

  close() {
    if (this.isClosed) return;
    this.isClosed = true;
    binding.close(this);
    if (hooks.active) emitDestroy(this.asyncId);
  }

  getAsyncId() {
    return this.asyncId;
  }
}

module.exports = { Handle };
