'use strict';
// ReadableStream: pulling, backpressure, tee, iteration, byte streams.
const log = console.log;
async function drain(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

async function main() {
  // Number of calls of pull, with a mark of 3.
  let pulls = 0;
  const counted = new ReadableStream({
    pull(controller) {
      pulls++;
      controller.enqueue(pulls);
      if (pulls === 6) controller.close();
    },
  }, { highWaterMark: 3 });
  await new Promise(setImmediate);
  log('before reading', pulls);
  const reader = counted.getReader();
  log(await reader.read(), await reader.read());
  await new Promise(setImmediate);
  log('after two', pulls);
  reader.releaseLock();
  log(await drain(counted), counted.locked);

  // desiredSize.
  const sizes = [];
  new ReadableStream({
    start(c) {
      sizes.push(c.desiredSize);
      c.enqueue('abc');
      sizes.push(c.desiredSize);
      c.enqueue('de');
      sizes.push(c.desiredSize);
      c.error(new Error('x'));
      sizes.push(c.desiredSize);
    },
  }, { highWaterMark: 4, size: (chunk) => chunk.length });
  log(sizes);

  // Two branches see the same chunks; cancel waits for both.
  const source = new ReadableStream({
    start(c) { c.enqueue(1); c.enqueue(2); c.close(); },
    cancel(reason) { log('cancelled', reason); },
  });
  const [left, right] = source.tee();
  log(await drain(left), await drain(right), source.locked);
  const [one, two] = new ReadableStream({ cancel(reason) { log('cancelled', reason); } }).tee();
  one.cancel('a');
  await two.cancel('b');

  // Leaving a loop cancels, unless it must not.
  const left2 = new ReadableStream({ start(c) { c.enqueue(1); c.enqueue(2); }, cancel(r) { log('left', r); } });
  for await (const chunk of left2) { log(chunk); break; }
  log(left2);
  const kept = new ReadableStream({ start(c) { c.enqueue(1); c.enqueue(2); c.close(); }, cancel() { log('not told'); } });
  for await (const chunk of kept.values({ preventCancel: true })) { log(chunk); break; }
  log(await drain(kept));

  // Errors reach readers, those that wait and those that come.
  let fail;
  const failing = new ReadableStream({ start(c) { fail = c; } }).getReader();
  const waiting = failing.read();
  fail.error(new RangeError('bad'));
  for (const promise of [waiting, failing.read(), failing.closed]) {
    await promise.catch((error) => log(error.name, error.message));
  }

  // From iterables.
  log(await drain(ReadableStream.from(['a', 'b'])));
  log(await drain(ReadableStream.from((async function*() { yield 1; yield Promise.resolve(2); })())));

  // Bytes, with a reader that brings its memory.
  const bytes = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const { view } = controller.byobRequest;
      view[0] = 65;
      view[1] = 66;
      controller.byobRequest.respond(2);
    },
  });
  log(bytes);
  const byob = bytes.getReader({ mode: 'byob' });
  const mine = new Uint8Array(8);
  const { value, done } = await byob.read(mine);
  log(value, done, mine.byteLength, value.buffer.byteLength);
  log((await byob.read(new Uint8Array(6), { min: 3 })).value);
  log((await byob.read(new Uint16Array(2))).value);
  const automatic = new ReadableStream({
    type: 'bytes',
    autoAllocateChunkSize: 4,
    pull(c) { log('size', c.byobRequest.view.byteLength); c.byobRequest.view[0] = 1; c.byobRequest.respond(1); c.close(); },
  });
  log(await drain(automatic));

  // A chunk that is larger than what the reader brought stays for the next.
  const large = new ReadableStream({ type: 'bytes', start(c) { c.enqueue(new Uint8Array([1, 2, 3, 4, 5])); c.close(); } });
  const small = large.getReader({ mode: 'byob' });
  log(await small.read(new Uint8Array(2)), await small.read(new Uint8Array(9)), await small.read(new Uint8Array(1)));
}
main();
