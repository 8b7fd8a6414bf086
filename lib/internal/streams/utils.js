'use strict';
// Determines the kind and state of a stream. Streams are recognised by their functions and state objects, not by their
// class, so that those of other packages work, too. A check that does not apply to a value returns null.
const { SymbolAsyncIterator, SymbolFor, SymbolIterator } = primordials;

const kIsDestroyed = SymbolFor('nodejs.stream.destroyed');
const kIsDisturbed = SymbolFor('nodejs.stream.disturbed');
const kIsErrored = SymbolFor('nodejs.stream.errored');
const kIsReadable = SymbolFor('nodejs.stream.readable');
const kIsWritable = SymbolFor('nodejs.stream.writable');
const kIsClosedPromise = SymbolFor('nodejs.webstream.isClosedPromise');
const kControllerErrorFunction = SymbolFor('nodejs.webstream.controllerErrorFunction');

const isFunction = (value) => typeof value === 'function';

// ---- Kinds

// `strict` also requires pause() and resume().
function isReadableNodeStream(value, strict = false) {
  if (!value || !isFunction(value.pipe) || !isFunction(value.on)) return false;
  if (strict && !(isFunction(value.pause) && isFunction(value.resume))) return false;
  // A Writable has pipe(), and a Duplex may have no readable side.
  if (!value._writableState) return true;
  return !!value._readableState && value._readableState.readable !== false;
}

function isWritableNodeStream(value) {
  if (!value || !isFunction(value.write) || !isFunction(value.on)) return false;
  return !value._readableState || value._writableState?.writable !== false;
}

function isDuplexNodeStream(value) {
  return !!value && isFunction(value.pipe) && !!value._readableState && isFunction(value.on) && isFunction(value.write);
}

function isNodeStream(value) {
  if (!value) return false;
  if (value._readableState || value._writableState) return true;
  return isFunction(value.on) && (isFunction(value.write) || isFunction(value.pipe));
}

function isReadableStream(value) {
  return !!value && isFunction(value.pipeThrough) && isFunction(value.getReader) && isFunction(value.cancel) &&
    !isNodeStream(value);
}

function isWritableStream(value) {
  return !!value && isFunction(value.getWriter) && isFunction(value.abort) && !isNodeStream(value);
}

function isTransformStream(value) {
  return !!value && typeof value.readable === 'object' && typeof value.writable === 'object' && !isNodeStream(value);
}

function isWebStream(value) {
  return isReadableStream(value) || isWritableStream(value) || isTransformStream(value);
}

const isAsyncIterable = (value) => value !== undefined && value !== null && isFunction(value[SymbolAsyncIterator]);

function isIterable(value) {
  return isAsyncIterable(value) || (value !== undefined && value !== null && isFunction(value[SymbolIterator]));
}

// HTTP messages have no state objects of streams.
const isOutgoingMessage = (stream) =>
  typeof stream._closed === 'boolean' && typeof stream._defaultKeepAlive === 'boolean' &&
  typeof stream._removedConnection === 'boolean' && typeof stream._removedContLen === 'boolean';

const isServerResponse = (stream) => typeof stream._sent100 === 'boolean' && isOutgoingMessage(stream);

const isServerRequest = (stream) =>
  typeof stream._consuming === 'boolean' && typeof stream._dumped === 'boolean' &&
  stream.req?.upgradeOrConnect === undefined;

// ---- States

function isDestroyed(stream) {
  if (!isNodeStream(stream)) return null;
  const state = stream._writableState || stream._readableState;
  return !!(stream.destroyed || stream[kIsDestroyed] || state?.destroyed);
}

function isWritableEnded(stream) {
  if (!isWritableNodeStream(stream)) return null;
  if (stream.writableEnded === true) return true;
  const state = stream._writableState;
  if (state?.errored) return false;
  return typeof state?.ended === 'boolean' ? state.ended : null;
}

// Without `strict`, a stream counts as finished when its end is certain, before the event. The same applies below.
function isWritableFinished(stream, strict = true) {
  if (!isWritableNodeStream(stream)) return null;
  if (stream.writableFinished === true) return true;
  const state = stream._writableState;
  if (state?.errored) return false;
  if (typeof state?.finished !== 'boolean') return null;
  return state.finished || (!strict && state.ended === true && state.length === 0);
}

function isReadableFinished(stream, strict = true) {
  if (!isReadableNodeStream(stream)) return null;
  const state = stream._readableState;
  if (state?.errored) return false;
  if (typeof state?.endEmitted !== 'boolean') return null;
  return state.endEmitted || (!strict && state.ended === true && state.length === 0);
}

function isReadable(stream) {
  const own = stream?.[kIsReadable];
  if (own !== undefined && own !== null) return own;
  if (typeof stream?.readable !== 'boolean') return null;
  return !isDestroyed(stream) && isReadableNodeStream(stream) && stream.readable && !isReadableFinished(stream);
}

function isWritable(stream) {
  const own = stream?.[kIsWritable];
  if (own !== undefined && own !== null) return own;
  if (typeof stream?.writable !== 'boolean') return null;
  return !isDestroyed(stream) && isWritableNodeStream(stream) && stream.writable && !isWritableEnded(stream);
}

// True if no more data can be read or written.
function isFinished(stream) {
  if (!isNodeStream(stream)) return null;
  return isDestroyed(stream) || !(isReadable(stream) || isWritable(stream));
}

function isWritableErrored(stream) {
  if (!isNodeStream(stream)) return null;
  return stream.writableErrored || (stream._writableState?.errored ?? null);
}

function isReadableErrored(stream) {
  if (!isNodeStream(stream)) return null;
  return stream.readableErrored || (stream._readableState?.errored ?? null);
}

function isClosed(stream) {
  if (!isNodeStream(stream)) return null;
  if (typeof stream.closed === 'boolean') return stream.closed;
  const { _readableState: readable, _writableState: writable } = stream;
  if (typeof writable?.closed === 'boolean' || typeof readable?.closed === 'boolean') {
    return writable?.closed || readable?.closed;
  }
  return isOutgoingMessage(stream) ? stream._closed : null;
}

function willEmitClose(stream) {
  if (!isNodeStream(stream)) return null;
  const state = stream._writableState || stream._readableState;
  if (!state) return isServerResponse(stream);
  return !!(state.autoDestroy && state.emitClose && state.closed === false);
}

function isDisturbed(stream) {
  return !!(stream && (stream[kIsDisturbed] ?? (stream.readableDidRead || stream.readableAborted)));
}

function isErrored(stream) {
  if (!stream) return false;
  const { _readableState: readable, _writableState: writable } = stream;
  return !!(stream[kIsErrored] ?? stream.readableErrored ?? stream.writableErrored ?? readable?.errorEmitted ??
    writable?.errorEmitted ?? readable?.errored ?? writable?.errored);
}

module.exports = {
  isAsyncIterable,
  isClosed,
  isDestroyed,
  isDisturbed,
  isDuplexNodeStream,
  isErrored,
  isFinished,
  isIterable,
  isNodeStream,
  isReadable,
  isReadableErrored,
  isReadableFinished,
  isReadableNodeStream,
  isReadableStream,
  isServerRequest,
  isTransformStream,
  isWebStream,
  isWritable,
  isWritableEnded,
  isWritableErrored,
  isWritableFinished,
  isWritableNodeStream,
  isWritableStream,
  kControllerErrorFunction,
  kIsClosedPromise,
  kIsDestroyed,
  willEmitClose,
};
