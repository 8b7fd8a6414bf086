'use strict';
// WritableStream and TransformStream, and pipes between them.
const log = console.log;
const tick = () => new Promise(setImmediate);

async function main() {
  const writes = [];
  const writable = new WritableStream({
    start() { log('start'); },
    async write(chunk) { await tick(); writes.push(chunk); },
    close() { log('close', writes); },
    abort(reason) { log('abort', reason); },
  }, new CountQueuingStrategy({ highWaterMark: 2 }));
  const writer = writable.getWriter();
  log(writer.desiredSize, writable.locked);
  const first = writer.write(1);
  log(writer.desiredSize);
  writer.write(2);
  log(writer.desiredSize);
  let isReady = false;
  writer.ready.then(() => { isReady = true; });
  await null;
  log('ready', isReady);
  await first;
  await null;
  log('ready', isReady, writer.desiredSize);
  await writer.close();
  log(await writer.closed, writable);

  // Abort drops what waits, and tells the sink and its signal.
  let signal;
  const aborted = new WritableStream({
    start(controller) { signal = controller.signal; },
    write() { return tick(); },
    abort(reason) { log('abort', reason.message, signal.aborted, signal.reason === reason); },
  });
  const aborter = aborted.getWriter();
  const dropped = [aborter.write(1), aborter.write(2), aborter.closed];
  const ended = aborter.abort(new Error('enough'));
  for (const result of await Promise.allSettled(dropped)) log(result.status, result.reason?.message);
  await ended;
  log(aborted);

  // An error in the sink.
  const broken = new WritableStream({ write() { throw new Error('sink'); } }).getWriter();
  await broken.write(1).catch((error) => log('write', error.message));
  await broken.closed.catch((error) => log('closed', error.message));
  await broken.ready.catch((error) => log('ready', error.message));

  // Transform.
  const doubling = new TransformStream({
    start(c) { c.enqueue('first'); },
    transform(chunk, c) { c.enqueue(chunk); c.enqueue(chunk); },
    flush(c) { c.enqueue('last'); },
  });
  const seen = [];
  for await (const chunk of ReadableStream.from(['a', 'b']).pipeThrough(doubling)) seen.push(chunk);
  log(seen);
  const plain = new TransformStream();
  const end = plain.writable.getWriter();
  end.write('through');
  end.close();
  for await (const chunk of plain.readable) log(chunk);

  // Pipes: what closes, what cancels, what aborts.
  const sink = (name) => new WritableStream({
    write(chunk) { log(name, 'write', chunk); },
    close() { log(name, 'close'); },
    abort(reason) { log(name, 'abort', reason?.message ?? reason); },
  });
  const source = (name, chunks, error) => new ReadableStream({
    start(c) {
      for (const chunk of chunks) c.enqueue(chunk);
      if (error) queueMicrotask(() => c.error(error));
      else c.close();
    },
    cancel(reason) { log(name, 'cancel', reason?.message ?? reason); },
  });
  await source('s1', [1, 2]).pipeTo(sink('w1'));
  const kept = sink('w2');
  await source('s2', [1]).pipeTo(kept, { preventClose: true });
  log(kept);
  await source('s3', [], new Error('source')).pipeTo(sink('w3')).catch((error) => log('rejected', error.message));
  await source('s4', [], new Error('source')).pipeTo(sink('w4'), { preventAbort: true }).catch((e) => log('rejected', e.message));
  const refusing = new WritableStream({ write() { throw new Error('refused'); } });
  const endless = new ReadableStream({ pull(c) { c.enqueue(0); }, cancel(r) { log('s5 cancel', r.message); } });
  await endless.pipeTo(refusing).catch((error) => log('rejected', error.message));
  const controller = new AbortController();
  const cut = new ReadableStream({ cancel(r) { log('s6 cancel', r.name); } }).pipeTo(sink('w6'), { signal: controller.signal });
  controller.abort();
  await cut.catch((error) => log('rejected', error.name, error.message));

  // Text.
  const bytes = [];
  for await (const chunk of ReadableStream.from(['é', '\ud83d', '\ude00', '\ud800']).pipeThrough(new TextEncoderStream())) {
    bytes.push(...chunk);
  }
  log(Buffer.from(bytes).toString('hex'));
  const halves = [[0xe2, 0x82], [0xac, 0x21], [0xf0]].map((list) => new Uint8Array(list));
  const texts = [];
  for await (const text of ReadableStream.from(halves).pipeThrough(new TextDecoderStream())) texts.push(text);
  log(texts);
  log(new TextDecoderStream('latin1', { fatal: true }));
  const fatal = new TextDecoderStream('utf-8', { fatal: true });
  const text = fatal.readable.getReader().read();
  fatal.writable.getWriter().write(new Uint8Array([0xff])).catch(() => {});
  await text.catch((error) => log(error.name, error.code));
}
main();
