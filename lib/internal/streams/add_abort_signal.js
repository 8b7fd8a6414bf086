'use strict';
// stream.addAbortSignal(): destroys a stream when a signal aborts.
const { SymbolDispose } = primordials;
const { AbortError, codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { addAbortListener } = require('internal/events/targets');
const { eos } = require('internal/streams/end_of_stream');
const { isNodeStream, isWebStream, kControllerErrorFunction } = require('internal/streams/utils');

const isSignal = (value) => typeof value === 'object' && 'aborted' in value;

function addAbortSignal(signal, stream) {
  if (!isSignal(signal)) throw new ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  if (!isNodeStream(stream) && !isWebStream(stream)) {
    throw new ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }
  return addAbortSignalNoValidate(signal, stream);
}

function addAbortSignalNoValidate(signal, stream) {
  if (!isSignal(signal)) return stream;
  const abort = () => {
    const error = new AbortError(undefined, { cause: signal.reason });
    if (isNodeStream(stream)) stream.destroy(error);
    else stream[kControllerErrorFunction](error);
  };
  if (signal.aborted) {
    abort();
  } else {
    const disposable = addAbortListener(signal, abort);
    eos(stream, disposable[SymbolDispose]);
  }
  return stream;
}

module.exports = { addAbortSignal, addAbortSignalNoValidate };
