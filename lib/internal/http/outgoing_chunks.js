'use strict';
// Writes to an OutgoingMessage that is corked: with chunked encoding they are collected, and sent as one chunk.

const {
  ArrayPrototypePush,
  NumberPrototypeToString,
  Symbol,
} = primordials;

const { FastBuffer } = require('internal/buffer/fast');
const { kNeedDrain } = require('internal/http/symbols');

// Chunks that were written while the message was corked: data, encoding, callback, and so on.
const kChunks = Symbol('kChunkedBuffer');
const kChunksSize = Symbol('kChunkedLength');

const lineEnd = new FastBuffer(2);
lineEnd[0] = 13;
lineEnd[1] = 10;

function nothing() {}

// Bytes of the chunk that is being collected, with its size in front, both line ends, and unsent header fields.
function chunksLength(message) {
  const size = message[kChunksSize];
  if (size === 0) return 0;
  const head = !message._headerSent && message._header !== null ? message._header.length : 0;
  return size + NumberPrototypeToString(size, 16).length + 4 + head;
}

function failChunks(message, error) {
  const chunks = message[kChunks];
  message[kChunks] = null;
  message[kChunksSize] = 0;
  for (let i = 2; i < chunks.length; i += 3) {
    if (chunks[i] !== nothing) process.nextTick(chunks[i], error);
  }
}

// Sends what was written while the message was corked, as one chunk.
function sendChunks(message) {
  const chunks = message[kChunks];
  const callbacks = [];
  message._send(NumberPrototypeToString(message[kChunksSize], 16), 'latin1', null);
  message._send(lineEnd, null, null);
  for (let i = 0; i < chunks.length; i += 3) {
    message._send(chunks[i], chunks[i + 1], null);
    if (chunks[i + 2] !== nothing) ArrayPrototypePush(callbacks, chunks[i + 2]);
  }
  message._send(lineEnd, null, (error) => {
    for (let i = 0; i < callbacks.length; i++) callbacks[i](error);
  });
  message[kChunks] = null;
  message[kChunksSize] = 0;
  emitDrainIfEmpty(message);
}

function emitDrainIfEmpty(message) {
  if (!message[kNeedDrain] || message.writableLength !== 0) return;
  message[kNeedDrain] = false;
  message.emit('drain');
}

module.exports = { chunksLength, failChunks, kChunks, kChunksSize, lineEnd, nothing, sendChunks };
