'use strict';
// node:stream/consumers: reads a whole stream, or any other async iterable, into one value.
const { ArrayPrototypePush, JSONParse, Uint8Array } = primordials;
const { Buffer } = require('buffer');
const { TextDecoder } = require('internal/encoding');

async function collect(stream) {
  const chunks = [];
  for await (const chunk of stream) ArrayPrototypePush(chunks, chunk);
  return chunks;
}

async function blob(stream) {
  const { Blob } = require('internal/blob');
  return new Blob(await collect(stream));
}

async function arrayBuffer(stream) {
  const whole = await blob(stream);
  return whole.arrayBuffer();
}

async function buffer(stream) {
  return Buffer.from(await arrayBuffer(stream));
}

async function bytes(stream) {
  return new Uint8Array(await arrayBuffer(stream));
}

async function text(stream) {
  const decoder = new TextDecoder();
  let result = '';
  for await (const chunk of stream) {
    result += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  }
  // Flush an incomplete character at the end.
  return result + decoder.decode(undefined, { stream: false });
}

async function json(stream) {
  return JSONParse(await text(stream));
}

module.exports = { arrayBuffer, blob, buffer, bytes, text, json };
