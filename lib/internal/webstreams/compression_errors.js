'use strict';
// Errors of CompressionStream and DecompressionStream, for the adapters.
const { ObjectKeys, SafeSet, StringPrototypeStartsWith, Symbol, TypeError } = primordials;

// An option of adapters: options[kCheckChunk](chunk) throws if the chunk is not valid. An exception of a write then
// destroys the stream, so that its readable side fails, too.
const kCheckChunk = Symbol('check of chunks');

let zlibCodes;
function isCompressionError(error) {
  const code = error?.code;
  if (typeof code !== 'string') return false;
  if (zlibCodes === undefined) {
    const { constants } = internalBinding('zlib');
    zlibCodes = new SafeSet(['Z_NEED_DICT']);
    const names = ObjectKeys(constants);
    for (let i = 0; i < names.length; i++) if (constants[names[i]] < 0) zlibCodes.add(names[i]);
  }
  // Codes of Brotli's decoder begin with ERR__ERROR_.
  return zlibCodes.has(code) || StringPrototypeStartsWith(code, 'ERR__ERROR_');
}

// The standard requires a TypeError.
function webErrorOf(cause) {
  const error = new TypeError(undefined, { cause });
  error.code = cause.code;
  return error;
}

module.exports = { isCompressionError, kCheckChunk, webErrorOf };
