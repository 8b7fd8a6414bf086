'use strict';
// process.stdin: as in Node, a socket for a pipe or socket, a terminal stream, or a file stream.
const { FunctionPrototypeCall, ObjectDefineProperty } = primordials;
const { keepFlags } = internalBinding('stdin');
const { guessHandleType } = internalBinding('streams');

function makeStream() {
  switch (guessHandleType(0)) {
    case 'TTY': return new (require('tty').ReadStream)(0);
    case 'FILE': return new (require('fs').ReadStream)(null, { fd: 0, autoClose: false });
    case 'PIPE':
    case 'TCP': {
      keepFlags();
      const { Socket } = require('net');
      const stream = new Socket({ fd: 0, readable: true, writable: false, manualStart: true });
      stream._writableState.ended = true; // The program must not end it.
      return stream;
    }
    default: {
      const { Readable } = require('stream');
      const stream = new Readable({ read() {} });
      stream.push(null);
      return stream;
    }
  }
}

// Makes every chunk go through push(). Sockets deliver most chunks without it, but push() schedules the next read in a
// tick, which programs can observe: a pause in a 'data' listener stops reading, and the tick starts it again.
function alwaysPush(stream) {
  const { push } = stream;
  ObjectDefineProperty(stream, 'push', {
    __proto__: null,
    value(chunk, encoding) { return FunctionPrototypeCall(push, this, chunk, encoding); },
    configurable: true,
    enumerable: false,
    writable: true,
  });
}

// Stops reading once the stream is paused, so that the program can end. Done in a tick, so that earlier data is kept.
function stopIfPaused(stream) {
  const handle = stream._handle;
  if (!handle || !handle.reading || stream.readableFlowing) return;
  stream._readableState.reading = false;
  handle.readStop();
}

function makeStdin() {
  const stream = makeStream();
  stream.fd = 0;
  if (stream._handle) alwaysPush(stream);
  stream.on('pause', () => process.nextTick(stopIfPaused, stream));
  return stream;
}

module.exports = { makeStdin };
