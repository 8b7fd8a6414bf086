'use strict';
// The streams of the web, which are globals, too.
const classes = require('internal/webstreams/classes');
const { TextDecoderStream, TextEncoderStream } = require('internal/webstreams/encoding');
const { CompressionStream, DecompressionStream } = require('internal/webstreams/compression');
const { isReadableStream, isWritableStream, ...exported } = classes;

module.exports = {
  ...exported,
  TextEncoderStream,
  TextDecoderStream,
  CompressionStream,
  DecompressionStream,
};
