'use strict';
// The parts of zlib that undici uses. The module is loaded for the first compressed response only.

const { ReflectApply } = primordials;

const { requireBuiltin } = require('internal/bootstrap/realm');

function lazily(name) {
  return function() { return ReflectApply(requireBuiltin('zlib')[name], undefined, arguments); };
}

module.exports = {
  // The constant of the same name of zlib, which undici reads when it is loaded.
  Z_DEFAULT_WINDOWBITS: 15,
  get constants() { return requireBuiltin('zlib').constants; },
  createBrotliDecompress: lazily('createBrotliDecompress'),
  createGunzip: lazily('createGunzip'),
  createInflate: lazily('createInflate'),
  createInflateRaw: lazily('createInflateRaw'),
  createZstdDecompress: lazily('createZstdDecompress'),
};
