'use strict';
// The asynchronous context of callbacks and listeners, and rejections of listeners.
const { AsyncLocalStorage } = require('node:async_hooks');
const { PassThrough, Readable, Transform, Writable, finished, pipeline } = require('node:stream');
const storage = new AsyncLocalStorage();
const log = (...args) => console.log(...args, storage.getStore());

storage.run('write', () => {
  const writable = new Writable({ write(chunk, encoding, callback) { setImmediate(callback); } });
  writable.write('x', () => log('write callback'));
  storage.run('end', () => writable.end(() => log('end callback')));
  writable.on('finish', () => log('finish'));
});
storage.run('finished', () => finished(Readable.from(['a']).resume(), () => log('finished')));
storage.run('pipeline', () => pipeline(Readable.from(['a']), new PassThrough(), async (source) => {
  for await (const chunk of source) log('in function', String(chunk));
}, () => log('pipeline')));
storage.run('iterate', async () => {
  for await (const chunk of Readable.from([1, 2])) log('iterate', chunk);
  log('iterated');
});
storage.run('web', async () => {
  const transform = new TransformStream({ transform(chunk, controller) { log('transform', chunk); controller.enqueue(chunk); } });
  ReadableStream.from([1]).pipeThrough(transform).pipeTo(new WritableStream({ write(chunk) { log('sink', chunk); } })).then(() => log('piped'));
});

// After the rest, however long that took: a timer that is set now could be due before the first immediate.
setImmediate(() => setTimeout(() => {
  const rejecting = new Readable({ captureRejections: true, read() {} });
  rejecting.on('data', async () => { throw new Error('rejected in data'); });
  rejecting.on('error', (error) => console.log('error', error.message, rejecting.destroyed));
  rejecting.push('x');
  const bad = new Transform({ captureRejections: true, transform(chunk, encoding, callback) { callback(null, chunk); } });
  bad.on('finish', async () => { throw new Error('rejected in finish'); });
  bad.on('error', (error) => console.log('error', error.message));
  bad.end('x');
}, 20));
