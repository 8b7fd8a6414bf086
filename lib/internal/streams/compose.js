'use strict';
// stream.compose(): a Duplex that writes to the first of several streams and reads from the last.
const { ArrayPrototypeSlice } = primordials;
const { AbortError, codes: { ERR_INVALID_ARG_VALUE, ERR_MISSING_ARGS } } = require('internal/errors');
const { destroyer } = require('internal/streams/destroy');
const { Duplex } = require('internal/streams/duplex');
const { eos } = require('internal/streams/end_of_stream');
const { PendingCallback } = require('internal/streams/pending_callback');
const { pipeline } = require('internal/streams/pipeline');
const {
  isNodeStream,
  isReadable,
  isReadableStream,
  isTransformStream,
  isWebStream,
  isWritable,
  isWritableStream,
} = require('internal/streams/utils');

const canRead = (stream) => !!(isReadable(stream) || isReadableStream(stream) || isTransformStream(stream));
const canWrite = (stream) => !!(isWritable(stream) || isWritableStream(stream) || isTransformStream(stream));

function checkStreams(streams, given) {
  const last = streams.length - 1;
  for (let i = 0; i <= last; i++) {
    const stream = streams[i];
    if (!isNodeStream(stream) && !isWebStream(stream)) continue;
    if (i < last && !canRead(stream)) throw new ERR_INVALID_ARG_VALUE(`streams[${i}]`, given[i], 'must be readable');
    if (i > 0 && !canWrite(stream)) throw new ERR_INVALID_ARG_VALUE(`streams[${i}]`, given[i], 'must be writable');
  }
}

// ---- Writing

function writeToNode(duplex, head, onDrain, onFinish) {
  duplex._write = function(chunk, encoding, callback) {
    if (head.write(chunk, encoding)) callback();
    else onDrain.set(callback);
  };
  duplex._final = function(callback) {
    head.end();
    onFinish.set(callback);
  };
  head.on('drain', () => onDrain.call());
}

function writeToWeb(duplex, head, onFinish) {
  const writer = (isTransformStream(head) ? head.writable : head).getWriter();
  duplex._write = async function(chunk, encoding, callback) {
    try {
      await writer.ready;
      // A failure rejects `ready`.
      writer.write(chunk).catch(() => {});
      callback();
    } catch (error) {
      callback(error);
    }
  };
  duplex._final = async function(callback) {
    try {
      await writer.ready;
      writer.close().catch(() => {});
      onFinish.set(callback);
    } catch (error) {
      callback(error);
    }
  };
}

// ---- Reading

function readFromNode(duplex, tail) {
  duplex._read = function() {
    tail.resume();
  };
  tail.on('data', (chunk) => {
    if (!duplex.push(chunk)) tail.pause();
  });
  tail.on('end', () => duplex.push(null));
}

function readFromWeb(duplex, tail) {
  const reader = (isTransformStream(tail) ? tail.readable : tail).getReader();
  duplex._read = async function() {
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) {
          duplex.push(null);
          return;
        }
        if (!duplex.push(value)) return;
      }
    } catch {
      // The pipeline reports the error.
    }
  };
}

function compose(...streams) {
  if (streams.length === 0) throw new ERR_MISSING_ARGS('streams');
  if (streams.length === 1) return Duplex.from(streams[0]);
  const given = ArrayPrototypeSlice(streams);
  const last = streams.length - 1;
  if (typeof streams[0] === 'function') streams[0] = Duplex.from(streams[0]);
  if (typeof streams[last] === 'function') streams[last] = Duplex.from(streams[last]);
  checkStreams(streams, given);

  // All streams are done; the callback of _destroy(), which waits for that.
  let isDone = false;
  let onDone = null;
  const head = streams[0];
  const tail = pipeline(streams, (error) => {
    isDone = true;
    const callback = onDone;
    onDone = null;
    if (callback !== null) callback(error);
    else if (error) duplex.destroy(error);
    else if (!readable && !writable) duplex.destroy();
  });
  const writable = canWrite(head);
  const readable = canRead(tail);
  const duplex = new Duplex({
    writableObjectMode: !!head?.writableObjectMode,
    readableObjectMode: !!tail?.readableObjectMode,
    writable,
    readable,
  });

  const onDrain = new PendingCallback();
  const onFinish = new PendingCallback();
  if (writable) {
    if (isNodeStream(head)) writeToNode(duplex, head, onDrain, onFinish);
    else writeToWeb(duplex, head, onFinish);
    eos(isTransformStream(tail) ? tail.readable : tail, () => onFinish.call());
  }
  if (readable) {
    if (isNodeStream(tail)) readFromNode(duplex, tail);
    else readFromWeb(duplex, tail);
  }
  duplex._destroy = function(error, callback) {
    const reason = !error && !isDone ? new AbortError() : error;
    onDrain.set(null);
    onFinish.set(null);
    if (isNodeStream(tail)) destroyer(tail, reason);
    if (isDone) callback(reason);
    else onDone = callback;
  };
  return duplex;
}

module.exports = { compose };
