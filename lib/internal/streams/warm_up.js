'use strict';
// Runs while the snapshot is made: what every stream does is then compiled when a program first prints or reads. Nothing
// here may leave a tick behind.
const { Buffer } = require('buffer');
const { Duplex, PassThrough, Readable, Writable } = require('stream');
const { SyncWriteStream, makeStdio, writesAtOnce } = require('internal/process/std_writer');

function warmWritable() {
  const writable = new Writable({ write(chunk, encoding, callback) { callback(); } });
  writable.write('text');
  writable.write(Buffer.from('bytes'));
  writable.cork();
  writable.write('corked');
  writable.uncork();
  const stdout = makeStdio(new SyncWriteStream(1, { emitClose: false }), 'pipe');
  if (!writesAtOnce(stdout)) throw new TypeError('A stream of the process must write at once');
}

function warmReadable() {
  const readable = new Readable({ read() {} });
  readable.read();
  readable.isPaused();
  new Duplex({ read() {} });
  new PassThrough();
}

warmWritable();
warmReadable();
