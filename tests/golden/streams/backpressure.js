'use strict';
// Sources ahead of slow readers, chunk by chunk.
const { PassThrough, Readable, Transform, Writable, pipeline } = require('node:stream');
const tick = () => new Promise(setImmediate);

async function count(name, { readMark, throughMark, writeMark, objectMode = false, stages = 1, sync = false }) {
  let produced = 0;
  let consumed = 0;
  const source = new Readable({ objectMode, highWaterMark: readMark, read() {
    const push = () => { produced++; this.push(produced > 30 ? null : objectMode ? { produced } : 'x'); };
    if (sync) push();
    else setImmediate(push);
  } });
  const middle = Array.from({ length: stages }, () => new PassThrough({ objectMode, highWaterMark: throughMark }));
  const waiting = [];
  const sink = new Writable({ objectMode, highWaterMark: writeMark, write(chunk, encoding, callback) { consumed++; waiting.push(callback); } });
  let ended;
  pipeline(source, ...middle, sink, (error) => { ended = error ?? 'done'; });
  const seen = [];
  for (let round = 0; round < 5; round++) {
    for (let i = 0; i < 60; i++) await tick();
    seen.push(`${produced}/${consumed}/${sink.writableLength}/${source.readableLength}`);
    waiting.shift()?.();
  }
  while (ended === undefined) {
    await tick();
    waiting.shift()?.();
  }
  console.log(name.padEnd(20), seen.join(' '), produced, consumed, ended);
}

(async () => {
  await count('small marks', { readMark: 1, throughMark: 1, writeMark: 1 });
  await count('small, at once', { readMark: 1, throughMark: 1, writeMark: 1, sync: true });
  await count('middle', { readMark: 2, throughMark: 4, writeMark: 3 });
  await count('zero', { readMark: 0, throughMark: 0, writeMark: 0 });
  await count('objects', { readMark: 2, throughMark: 2, writeMark: 2, objectMode: true });
  await count('objects at once', { readMark: 3, throughMark: 1, writeMark: 4, objectMode: true, sync: true });
  await count('long', { readMark: 1, throughMark: 2, writeMark: 1, stages: 4, sync: true });

  // write() and 'drain'.
  const slow = new Writable({ highWaterMark: 3, write(chunk, encoding, callback) { setImmediate(callback); } });
  let drains = 0;
  slow.on('drain', () => drains++);
  let refused = 0;
  for (let i = 0; i < 20; i++) {
    if (!slow.write('ab')) {
      refused++;
      await new Promise((resolve) => slow.once('drain', resolve));
    }
  }
  console.log(refused, drains, slow.writableLength);

  // A transform that grows its input.
  const grow = new Transform({ highWaterMark: 4, transform(chunk, encoding, callback) { callback(null, `${chunk}${chunk}${chunk}`); } });
  let writes = 0;
  while (grow.write('ab')) writes++;
  console.log(writes, grow.readableLength, grow.writableLength, grow.writableNeedDrain);
})();
