'use strict';
// Writes of a stream: to its native object, and their ends.

const { ArrayPrototypePush } = primordials;

const { aggregateTwoErrors, errnoException } = require('internal/errors');
const { debugStream } = require('internal/http2/debug');
const { kHandle, kMaybeDestroy, kSession, kState, kUpdateTimer } = require('internal/http2/util');
const { UV_EOF } = internalBinding('uv');

// Ends the writable side: the last frame of data ends the stream.
function shutDown(stream, callback) {
  const { [kHandle]: handle, [kState]: state } = stream;
  if (!handle || state.isShutDown) return callback();
  debugStream(stream, 'shutting down writable side');
  state.isShutDown = true;
  if (handle.endWriting()) stream.on('finish', () => stream[kMaybeDestroy]());
  callback();
}

// Called when the data of a write has been sent and, unless trailers follow, when checkEnd() has run. The last of these
// calls ends the write.
function finishWrite(stream) {
  const state = stream[kState];
  if (--state.writeSteps !== 0) return;
  const { writeCallback } = state;
  state.writeCallback = null;
  const error = aggregateTwoErrors(state.endError, state.writeError);
  state.writeError = null;
  state.endError = null;
  if (error) stream.destroy(error);
  writeCallback(error);
}

// Runs in a tick after a write: if no other write follows, its frame can end the stream.
function checkEnd(stream) {
  const state = stream[kState];
  const { _writableState: writable } = stream;
  if (state.writeError || !writable.ending || writable.buffered.length > 0 || state.hasTrailers) {
    finishWrite(stream);
    return;
  }
  shutDown(stream, (error) => {
    state.endError = error;
    finishWrite(stream);
  });
}

function trackWrite(stream, size) {
  const session = stream[kSession];
  stream[kState].writeQueueSize += size;
  session[kState].writeQueueSize += size;
  session[kHandle].chunksSentSinceLastWrite = 0;
}

function untrackWrite(stream, size) {
  stream[kState].writeQueueSize -= size;
  if (stream[kSession] !== undefined) stream[kSession][kState].writeQueueSize -= size;
}

// `data` is what the native write() gets.
function startWrite(stream, data, isLatin1) {
  const state = stream[kState];
  const size = stream[kHandle].send(data, isLatin1, (status) => {
    if (status < 0) {
      state.writeError = errnoException(status, 'write');
    } else if (!stream.destroyed) {
      stream[kUpdateTimer]();
      untrackWrite(stream, size);
    }
    finishWrite(stream);
  });
  if (size >= 0) {
    trackWrite(stream, size);
    return;
  }
  state.writeError = errnoException(UV_EOF, 'write');
  finishWrite(stream);
}

function isNative(encoding) {
  return encoding === 'utf8' || encoding === 'utf-8' || encoding === 'latin1' || encoding === 'binary' ||
    encoding === undefined;
}

function toBytes(chunk, encoding) {
  return typeof chunk !== 'string' || isNative(encoding) ? chunk : require('buffer').Buffer.from(chunk, encoding);
}

function isLatin1(encoding) {
  return encoding === 'latin1' || encoding === 'binary';
}

// All chunks of _writev() as one list.
function toList(chunks) {
  const list = [];
  for (let i = 0; i < chunks.length; i++) {
    const { chunk, encoding } = chunks[i];
    ArrayPrototypePush(list, toBytes(chunk, encoding), isLatin1(encoding));
  }
  return list;
}

module.exports = { checkEnd, isLatin1, shutDown, startWrite, toBytes, toList, trackWrite, untrackWrite };
