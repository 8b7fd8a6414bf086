'use strict';
// Web streams in transfer lists: what arrives, and how ends, errors and cancellations come across.
const { Worker } = require('node:worker_threads');
const log = console.log;
const attempt = (fn) => { try { log(fn()); } catch (error) { log(error.name, error.code, error.message); } };
const move = (stream) => structuredClone(stream, { transfer: [stream] });
const three = () => new ReadableStream({ start(c) { for (const value of ['a', { b: 1 }, 3n]) c.enqueue(value); c.close(); } });

for (const stream of [new ReadableStream(), new WritableStream(), new TransformStream()]) attempt(() => structuredClone({ stream }));
attempt(() => structuredClone(Object.create(ReadableStream.prototype)));
attempt(() => structuredClone(1, { transfer: [Object.create(ReadableStream.prototype)] }));
const twice = three();
attempt(() => structuredClone(twice, { transfer: [twice, twice] }));
const locked = three();
locked.getReader();
attempt(() => move(locked));
const held = new WritableStream();
held.getWriter();
attempt(() => move(held));
const half = new TransformStream();
half.writable.getWriter();
attempt(() => move(half));

// The side that stays behind does not keep the process alive.
const alive = setInterval(() => {}, 1000);

(async () => {
  const source = three();
  const moved = move(source);
  log(source, moved, moved instanceof ReadableStream);
  for await (const chunk of moved) log(chunk);
  log(source.locked, moved.locked);
  for await (const chunk of move(move(three()))) log('twice', chunk);

  let closed = new Promise((resolve) => { globalThis.onClosed = resolve; });
  const writable = new WritableStream({
    write(chunk) { log('write', chunk); },
    close() { globalThis.onClosed('closed'); },
  });
  const writer = move(writable).getWriter();
  log(writable.locked, writer.desiredSize);
  await writer.write(new Map([[1, 2]]));
  await writer.close();
  log(await closed);

  const transform = new TransformStream({ transform(chunk, controller) { controller.enqueue(chunk * 2); } });
  const arrived = move(transform);
  log(arrived instanceof TransformStream, transform.readable.locked, transform.writable.locked, arrived);
  const into = arrived.writable.getWriter();
  into.write(21);
  into.close();
  for await (const chunk of arrived.readable) log(chunk);

  const failing = (underlying) => move(new ReadableStream(underlying)).getReader().read().catch((error) => log(error.name, error.message));
  await failing({ pull() { throw new RangeError('broken'); } });
  await failing({ start(controller) { controller.enqueue(() => {}); } });
  closed = new Promise((resolve) => { globalThis.onClosed = resolve; });
  await move(new ReadableStream({ cancel(reason) { globalThis.onClosed(reason); } })).cancel('why');
  log('cancelled', await closed);
  closed = new Promise((resolve) => { globalThis.onClosed = resolve; });
  await move(new WritableStream({ abort(reason) { globalThis.onClosed(reason.message); } })).abort(new Error('stop'));
  log('aborted', await closed);

  clearInterval(alive);
  move(new ReadableStream());
  move(new WritableStream());

  const readable = three();
  const worker = new Worker(`
    const { parentPort, workerData } = require('node:worker_threads');
    (async () => { for await (const chunk of workerData) parentPort.postMessage(chunk); })();
  `, { eval: true, workerData: readable, transferList: [readable] });
  worker.on('message', (message) => log('from the worker', message));
})();
