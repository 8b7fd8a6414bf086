'use strict';
// stream/consumers: whole streams as one value.
const { PassThrough, Readable } = require('node:stream');
const consumers = require('node:stream/consumers');
const attempt = async (name, f) => { try { console.log(name, await f()); } catch (error) { console.log(name, error.name, error.code, error.code === undefined ? '' : error.message); } };

(async () => {
  const parts = () => Readable.from([Buffer.from('{"a":"'), Buffer.from([0xe2, 0x82]), Buffer.from([0xac]), Buffer.from('"}')]);
  await attempt('text', () => consumers.text(parts()));
  await attempt('json', () => consumers.json(parts()));
  await attempt('buffer', () => consumers.buffer(parts()));
  await attempt('arrayBuffer', () => consumers.arrayBuffer(parts()));
  await attempt('blob', async () => { const blob = await consumers.blob(parts()); return [blob, await blob.text()]; });
  await attempt('strings', () => consumers.text(Readable.from(['a', 'b', '\u20ac'])));
  await attempt('cut', () => consumers.text(Readable.from([Buffer.from([0xe2, 0x82])])));
  await attempt('empty', async () => [await consumers.text(Readable.from([])), (await consumers.buffer(Readable.from([]))).length]);
  await attempt('web', () => consumers.text(new ReadableStream({ start(c) { c.enqueue(new Uint8Array([104, 105])); c.close(); } })));
  await attempt('generator', () => consumers.text((async function*() { yield 'x'; yield 'y'; })()));
  await attempt('iterable', () => consumers.text(['p', 'q']));
  await attempt('bad json', () => consumers.json(Readable.from(['{'])));
  await attempt('objects', () => consumers.text(Readable.from([{ a: 1 }])));
  await attempt('failing', () => consumers.text(new Readable({ read() { this.destroy(new RangeError('broken')); } })));
  await attempt('number', () => consumers.text(1));
  await attempt('nothing', () => consumers.buffer());
  const slow = new PassThrough();
  setTimeout(() => slow.end('later'), 5);
  await attempt('slow', () => consumers.text(slow));
  await attempt('long', async () => (await consumers.text(Readable.from(Array.from({ length: 1000 }, (_, i) => `${i},`)))).length);
})();
