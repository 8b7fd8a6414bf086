'use strict';
// Node's streams as web streams, and the other way round.
const { Duplex, PassThrough, Readable, Transform, Writable, addAbortSignal, finished, pipeline } = require('node:stream');
const stream = require('node:stream');
const log = console.log;
const tick = () => new Promise(setImmediate);
async function drain(source) {
  const chunks = [];
  for await (const chunk of source) chunks.push(chunk);
  return chunks;
}

async function main() {
  log(await drain(Readable.toWeb(Readable.from(['a', 'b']))));
  const bytes = Readable.toWeb(new Readable({ read() { this.push('xyz'); this.push(null); } }));
  log(bytes, await drain(bytes));
  log(await drain(Readable.fromWeb(ReadableStream.from(['c', 'd']), { objectMode: true })));
  log(await drain(Readable.fromWeb(ReadableStream.from([Buffer.from('ef')]), { encoding: 'utf8' })));

  // Backpressure crosses the border.
  let reads = 0;
  const counted = new Readable({ objectMode: true, highWaterMark: 2, read() { setImmediate(() => this.push(++reads)); } });
  const web = Readable.toWeb(counted);
  await tick();
  const reader = web.getReader();
  log(await reader.read(), await reader.read());
  for (let i = 0; i < 20; i++) await tick();
  log('read ahead', reads);
  await reader.cancel('stop');
  log(counted.destroyed);

  // Errors, too.
  const failing = new Readable({ read() { this.destroy(new Error('broken')); } });
  await drain(Readable.toWeb(failing)).catch((error) => log(error.message));
  const webError = new ReadableStream({ pull(c) { c.error(new Error('web broken')); } });
  await drain(Readable.fromWeb(webError)).catch((error) => log(error.message));
  const cut = new Readable({ read() {} });
  const cutWeb = Readable.toWeb(cut).getReader();
  cut.destroy();
  await cutWeb.read().catch((error) => log(error.name, error.code, error.cause?.code));
  let cancelled;
  const readable = Readable.fromWeb(new ReadableStream({ cancel(reason) { cancelled = reason; } }));
  readable.on('error', (error) => log('error', error.message));
  readable.destroy(new Error('ended'));
  await tick();
  log('cancelled', cancelled.message);

  // Writing.
  const written = [];
  const target = new Writable({ write(chunk, encoding, callback) { written.push(String(chunk)); setImmediate(callback); } });
  const writer = Writable.toWeb(target).getWriter();
  await writer.write('one');
  await writer.write(Buffer.from('two'));
  await writer.close();
  log(written, target.writableFinished);
  const sunk = [];
  const sink = new WritableStream({ write(chunk) { sunk.push(chunk); }, close() { sunk.push('closed'); } });
  const out = Writable.fromWeb(sink);
  out.write('text');
  out.end(Buffer.from('end'));
  await new Promise((resolve) => finished(out, resolve));
  log(sunk);
  const refusing = Writable.fromWeb(new WritableStream({ write() { throw new Error('refused'); } }));
  refusing.on('error', (error) => log('error', error.message));
  refusing.write('x', (error) => log('callback', error?.message));
  await tick();
  const gone = new Writable({ write(c, e, callback) { callback(new Error('gone')); } });
  await Writable.toWeb(gone).getWriter().write('x').catch((error) => log('rejected', error.message));

  // Both ways.
  const upper = new Transform({ transform(chunk, encoding, callback) { callback(null, String(chunk).toUpperCase()); } });
  const pair = Duplex.toWeb(upper);
  log(Object.keys(pair).sort());
  const end = pair.writable.getWriter();
  end.write('loud');
  end.close();
  log((await drain(pair.readable)).map((chunk) => Buffer.from(chunk).toString()));
  const { readable: r, writable: w } = new TransformStream({ transform(chunk, c) { c.enqueue(String(chunk) + '!'); } });
  const duplex = Duplex.fromWeb({ readable: r, writable: w }, { encoding: 'utf8', objectMode: true });
  duplex.end('hey');
  log(await drain(duplex));

  // Web streams with functions of `stream`.
  const some = new ReadableStream({ start(c) { c.enqueue('x'); c.close(); } });
  log(stream.isReadable(some), stream.isErrored(some), stream.isDisturbed(some));
  await drain(some);
  log(stream.isReadable(some), stream.isErrored(some), stream.isDisturbed(some));
  finished(some, (error) => log('finished', error));
  await tick();
  const bad = new ReadableStream({ start(c) { c.error(new Error('bad')); } });
  log(stream.isErrored(bad));
  finished(bad, (error) => log('finished', error.message));
  await tick();
  const controller = new AbortController();
  const abortable = addAbortSignal(controller.signal, new ReadableStream());
  controller.abort();
  await abortable.getReader().read().catch((error) => log(error.name));
  const collected = [];
  const last = new WritableStream({ write(chunk) { collected.push(String(chunk)); } });
  await new Promise((resolve) => pipeline(
    ReadableStream.from(['1', '2']), new TransformStream(), new PassThrough({ objectMode: true }), last, (error) => {
      log('pipeline', error, collected);
      resolve();
    }));

  // Blobs.
  const blob = new Blob(['hello ', new Uint8Array([119, 111]), 'rld']);
  log(Buffer.concat(await drain(blob.stream())).toString(), blob.stream());
  log((await drain(blob.slice(3, 8).stream())).map((chunk) => Buffer.from(chunk).toString()).join(''));

  for (const attempt of [
    () => Readable.toWeb(1), () => Readable.toWeb({}), () => Readable.fromWeb(1), () => Writable.toWeb(1), () => Writable.fromWeb({}),
    () => Duplex.toWeb({}), () => Duplex.fromWeb(1), () => Duplex.fromWeb({}), () => Duplex.fromWeb({ readable: new ReadableStream() }),
    () => Readable.fromWeb(new ReadableStream(), 1), () => Readable.fromWeb(new ReadableStream(), { objectMode: 1 }),
    () => Writable.fromWeb(new WritableStream(), { decodeStrings: 1 }),
  ]) {
    try { log(attempt()); } catch (error) { log(error.code, error.message); }
  }
}
main();
