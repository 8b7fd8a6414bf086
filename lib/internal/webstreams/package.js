'use strict';
// The globals that the package web-streams-polyfill uses. Its errors are plain ones with sentences of its own; here they
// become Node's, by what they say.
const {
  ErrorCaptureStackTrace,
  RangeError: BuiltinRangeError,
  RegExpPrototypeExec,
  TypeError: BuiltinTypeError,
} = primordials;
const {
  codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE, ERR_INVALID_THIS },
} = require('internal/errors');
const { prepare } = require('internal/structured_clone');
const messaging = internalBinding('messaging');

const readerIsReleased = 'The reader is not attached to a stream';
const readableIsLocked = 'ReadableStream is locked';
const readableIsClosed = 'ReadableStream is already closed';
const controllerIsClosed = 'Controller is already closed';
const writerIsReleased = 'Writer is not bound to a WritableStream';
const writableIsLocked = 'WritableStream is locked';
const writableIsClosed = 'WritableStream is closed';
const chunkIsEmpty = 'chunk ArrayBuffer is zero-length or detached';
const viewIsEmpty = 'View or Viewed ArrayBuffer is zero-length or detached';
const requestIsInvalid = 'This BYOB request has been invalidated';
const viewIsDetached = 'Viewed ArrayBuffer is detached';

const states = {
  '__proto__': null,
  'Cannot read from a stream using a released reader': readerIsReleased,
  'Cannot cancel a stream using a released reader': readerIsReleased,
  'Cannot abort a stream using a released writer': writerIsReleased,
  'Cannot close a stream using a released writer': writerIsReleased,
  'Cannot write to a stream using a released writer': writerIsReleased,
  'Cannot write to a stream using a released stream': writerIsReleased,
  'Cannot desiredSize a stream using a released writer': writerIsReleased,
  'Cannot abort a stream that already has a writer': writableIsLocked,
  'Cannot close a stream that already has a writer': writableIsLocked,
  'Cannot cancel a stream that already has a reader': readableIsLocked,
  'Cannot close an already-closing stream': 'Failure closing WritableStream',
  'This stream has already been locked for exclusive reading by another reader': readableIsLocked,
  'This stream has already been locked for exclusive writing by another writer': writableIsLocked,
  'Reader was released and can no longer be used to monitor the stream\'s closedness': 'Reader released',
  'Reader was released': 'Releasing reader',
  'Writer was released and can no longer be used to monitor the stream\'s closedness': 'Writer has been released',
  'The stream is not in a state that permits close': controllerIsClosed,
  'The stream is not in a state that permits enqueue': controllerIsClosed,
  'The stream has already been closed; do not close it again!': readableIsClosed,
  'stream is closed or draining': readableIsClosed,
  'The stream is closing or closed and cannot be written to': writableIsClosed,
  'chunk must have non-zero byteLength': chunkIsEmpty,
  'chunk\'s buffer must have non-zero byteLength': chunkIsEmpty,
  'chunk\'s buffer is detached and so cannot be enqueued': chunkIsEmpty,
  'view must have non-zero byteLength': viewIsEmpty,
  'view\'s buffer must have non-zero byteLength': viewIsEmpty,
  'view\'s buffer has been detached': viewIsEmpty,
  'TransformStream terminated': 'TransformStream has been terminated',
  'Readable side is not in a state that permits enqueue': 'Unable to enqueue',
  'ReadableStream.prototype.pipeThrough cannot be used on a locked ReadableStream': 'The ReadableStream is locked',
  'ReadableStream.prototype.pipeThrough cannot be used on a locked WritableStream': 'The WritableStream is locked',
  'ReadableStream.prototype.pipeTo cannot be used on a locked ReadableStream': 'The ReadableStream is locked',
  'ReadableStream.prototype.pipeTo cannot be used on a locked WritableStream': 'The WritableStream is locked',
  'the destination writable stream closed before all data could be piped to it': 'Destination WritableStream is closed',
  'This BYOB request has been invalidated': requestIsInvalid,
  'The BYOB request\'s buffer has been detached and so cannot be used as a response': viewIsDetached,
  'The BYOB request\'s buffer has been detached and so cannot be filled with an enqueued chunk': viewIsDetached,
  'The given view\'s buffer has been detached and so cannot be used as a response': viewIsDetached,
};

// Those that are about an argument, whose value the sentence does not tell: who calls the package leaves it in `noted`.
const argumentsOf = {
  '__proto__': null,
  'bytesWritten must be 0 when calling respond() on a closed stream': 'bytesWritten',
  'bytesWritten must be greater than 0 when calling respond() on a readable stream': 'bytesWritten',
  'bytesWritten out of range': 'bytesWritten',
  'The view\'s length must be 0 when calling respondWithNewView() on a closed stream': 'view',
  'The view\'s length must be greater than 0 when calling respondWithNewView() on a readable stream': 'view',
  'The buffer of view has different capacity than byobRequest': 'view',
  'The region specified by view does not match byobRequest': 'view',
  'The region specified by view is larger than byobRequest': 'view',
};
const noted = { __proto__: null, value: undefined };

const wrongThis = /^(\w+)\.prototype\.\w+ can only be used on a /;
const inWrongState = /^The stream \(in \w+ state\) is not in the (readable|writable) state/;

function translate(message, Base, caller) {
  let error;
  let match;
  if (states[message] !== undefined) {
    error = new ERR_INVALID_STATE.TypeError(states[message]);
  } else if (argumentsOf[message] !== undefined) {
    const Coded = Base === BuiltinRangeError ? ERR_INVALID_ARG_VALUE.RangeError : ERR_INVALID_ARG_VALUE;
    error = new Coded(argumentsOf[message], noted.value);
  } else if (message === 'Illegal constructor') {
    error = new ERR_ILLEGAL_CONSTRUCTOR();
  } else if ((match = RegExpPrototypeExec(wrongThis, message)) !== null) {
    error = new ERR_INVALID_THIS(match[1]);
  } else if ((match = RegExpPrototypeExec(inWrongState, message)) !== null) {
    error = new ERR_INVALID_STATE.TypeError(match[1] === 'readable' ? readableIsClosed : writableIsClosed);
  } else {
    error = new Base(message);
  }
  ErrorCaptureStackTrace(error, caller);
  return error;
}

// Called with `new`, where an object that is returned takes the place of the one that was made.
function TypeError(message) {
  return translate(message, BuiltinTypeError, TypeError);
}

function RangeError(message) {
  return translate(message, BuiltinRangeError, RangeError);
}

// The package clones array buffers only, to move their memory: one to a call, so that there is nothing to check.
function structuredClone(buffer) {
  prepare();
  return messaging.structuredClone(buffer, messaging.isUntransferable(buffer) ? undefined : [buffer]);
}

module.exports = {
  get AbortController() { return require('internal/abort_controller').AbortController; },
  RangeError,
  TypeError,
  noted,
  structuredClone,
};
