'use strict';
// A quick source and a slow sink: what waits in between stays little, however long the source is. What the stream has
// handed out and not yet taken is counted. What it has read ahead shows in the memory of the process, which has a bound
// where it is the program's own: a sanitizer keeps what was freed, and puts room around what was not.
const fs = require('fs');
const { Transform, Writable } = require('stream');
const { pipeline } = require('stream/promises');

const kSize = 256 * 2 ** 20;
const kChunk = 65536;
// Its shadow takes terabytes of addresses, of pages of 4 KiB.
const isSanitized = +fs.readFileSync('/proc/self/statm', 'latin1').split(' ')[0] > 2 ** 28;

function source() {
  return fs.createReadStream('/dev/zero', { end: kSize - 1 });
}

function hasGrownLittle(before, after) {
  return isSanitized || after - before < 100 * 2 ** 20;
}

(async () => {
  await new Promise((resolve) => fs.createReadStream('/dev/zero', { end: 2 ** 24 }).on('close', resolve).resume());
  let bytes = 0;
  let waiting = 0;
  let memory = 0;
  let chunks = 0;
  const before = process.memoryUsage().rss;
  const quick = source();
  // It takes a turn of the loop for each chunk.
  const sink = new Writable({
    write(chunk, encoding, callback) {
      bytes += chunk.length;
      waiting = Math.max(waiting, quick.bytesRead - bytes);
      if (++chunks % 200 === 0) memory = Math.max(memory, process.memoryUsage().rss);
      setImmediate(callback);
    },
  });
  await pipeline(quick, sink);
  console.log(bytes === kSize, chunks >= kSize / kChunk); // A signal cuts a read of /dev/zero short.
  console.log('at most four chunks wait:', waiting <= 4 * kChunk);
  console.log('grew by less than 100 MiB:', hasGrownLittle(before, memory));

  // A sink that stops takes nothing more: the source reads ahead a little, and then waits.
  const stream = source();
  let taken = 0;
  await new Promise((resolve) => {
    stream.on('data', (chunk) => {
      taken += chunk.length;
      stream.pause();
      resolve();
    });
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  console.log(taken <= kChunk, stream.bytesRead <= 4 * kChunk, stream.readableLength <= 2 * kChunk);
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
  console.log('at most four chunks wait:', many.every((slow) => slow.bytesRead - 3 * kChunk <= 4 * kChunk));
  console.log('grew by less than 100 MiB:', hasGrownLittle(start, process.memoryUsage().rss));
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
