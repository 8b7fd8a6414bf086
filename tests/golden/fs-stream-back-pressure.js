'use strict';
// A quick source and a slow sink: what waits in between stays little, however long the source is.
const fs = require('fs');
const { Transform, Writable } = require('stream');
const { pipeline } = require('stream/promises');

const kSize = 256 * 2 ** 20;

function source() {
  return fs.createReadStream('/dev/zero', { end: kSize - 1 });
}

(async () => {
  await new Promise((resolve) => fs.createReadStream('/dev/zero', { end: 2 ** 24 }).on('close', resolve).resume());
  let bytes = 0;
  let most = 0;
  let chunks = 0;
  const before = process.memoryUsage().rss;
  // It takes a turn of the loop for each chunk.
  await pipeline(source(), new Writable({
    write(chunk, encoding, callback) {
      bytes += chunk.length;
      if (++chunks % 200 === 0) most = Math.max(most, process.memoryUsage().rss);
      setImmediate(callback);
    },
  }));
  console.log(bytes === kSize, chunks === kSize / 65536);
  console.log('grew by less than 100 MiB:', most - before < 100 * 2 ** 20);

  // A sink that stops takes nothing more: the source reads ahead a little, and then waits.
  const stream = source();
  let taken = 0;
  stream.on('data', (chunk) => {
    taken += chunk.length;
    if (taken === 65536) stream.pause();
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  console.log(taken, stream.bytesRead <= 4 * 65536, stream.readableLength <= 2 * 65536);
  stream.destroy();

  // Many readers that are slow: each holds little.
  const many = Array.from({ length: 200 }, () => source());
  const start = process.memoryUsage().rss;
  await Promise.all(many.map((slow) => new Promise((resolve) => {
    let left = 3;
    slow.on('data', () => {
      slow.pause();
      if (--left === 0) resolve();
      else setTimeout(() => slow.resume(), 5);
    });
  })));
  await new Promise((resolve) => setTimeout(resolve, 20));
  console.log('grew by less than 100 MiB:', process.memoryUsage().rss - start < 100 * 2 ** 20);
  for (const slow of many) slow.destroy();

  // Through a transform, into a file that goes nowhere.
  let seen = 0;
  await pipeline(fs.createReadStream('/dev/zero', { end: 2 ** 24 - 1 }), new Transform({
    transform(chunk, encoding, callback) {
      seen += chunk.length;
      callback(null, chunk);
    },
  }), fs.createWriteStream('/dev/null'));
  console.log(seen);
})();
