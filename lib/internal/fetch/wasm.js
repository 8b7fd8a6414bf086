'use strict';
// WebAssembly.compileStreaming() and instantiateStreaming(): reads the bytes of a module from a Response.

const { PromisePrototypeThen, Uint8Array } = primordials;

const binding = internalBinding('wasm_streaming');
const { codedTypeError, codes: { ERR_INVALID_ARG_TYPE, ERR_WEBASSEMBLY_RESPONSE } } = require('internal/errors');
const { Response } = require('internal/fetch/undici');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');

async function read(stream, source) {
  const response = await source;
  if (!(response instanceof Response)) {
    throw new ERR_INVALID_ARG_TYPE('source', ['Response', 'Promise resolving to Response'], response);
  }
  const type = response.headers.get('Content-Type');
  if (type !== 'application/wasm') throw new ERR_WEBASSEMBLY_RESPONSE(`has unsupported MIME type '${type}'`);
  if (!response.ok) throw new ERR_WEBASSEMBLY_RESPONSE(`has status code ${response.status}`);
  if (response.bodyUsed) throw new ERR_WEBASSEMBLY_RESPONSE('body has already been used');
  if (response.url) binding.setUrl(stream, response.url);
  const { body } = response;
  if (body === null) return;
  for await (const chunk of body) pushChunk(stream, chunk);
}

function pushChunk(stream, chunk) {
  if (!isAnyArrayBuffer(chunk) && !isArrayBufferView(chunk)) {
    throw codedTypeError('ERR_INVALID_ARG_TYPE', 'chunk must be an ArrayBufferView or an ArrayBuffer');
  }
  binding.push(stream, isAnyArrayBuffer(chunk) ? new Uint8Array(chunk) : chunk);
}

// Called by native code; settles the promise that the program has.
function compile(stream, source) {
  PromisePrototypeThen(read(stream, source), () => binding.finish(stream), (error) => binding.abort(stream, error));
}

module.exports = { compile };
