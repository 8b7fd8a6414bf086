'use strict';

// The parts of node:buffer that other built-in modules use.

const { FastBuffer } = require('internal/buffer/fast');
const { allocate, createUnsafe } = require('internal/buffer/create');
const { encodingOps, getEncodingOps } = require('internal/buffer/encodings');

module.exports = {
  FastBuffer,
  allocate,
  createUnsafeBuffer: createUnsafe,
  encodingOps,
  getEncodingOps,
};
