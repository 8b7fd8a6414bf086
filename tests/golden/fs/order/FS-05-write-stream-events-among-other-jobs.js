'use strict';
// The events of write streams among the callbacks of other jobs, with a pool of one.
process.env.UV_THREADPOOL_SIZE = '1';
const fs = require('fs');
const os = require('os');
const path = require('path');

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'fs-05-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true }));

function watch(name, stream) {
  for (const event of ['open', 'ready', 'drain', 'finish', 'close']) {
    stream.on(event, () => console.log(name, event));
  }
  return stream;
}

function chain(count) {
  if (count === 0) return;
  fs.stat('/', () => {
    console.log('stat', count);
    chain(count - 1);
  });
}

const written = (name) => () => console.log(name, 'written');

const plain = watch('plain', fs.createWriteStream(path.join(dir, 'plain'), { highWaterMark: 4 }));
plain.write('one', written('one'));
plain.write('two', written('two'));
chain(5);
plain.write('three', written('three'));
plain.end('four', () => console.log('plain ended'));

plain.on('close', () => {
  const corked = watch('corked', fs.createWriteStream(path.join(dir, 'corked')));
  corked.on('open', () => {
    chain(6);
    corked.write('first', written('first'));
    corked.cork();
    corked.write('second', written('second'));
    corked.write('third', written('third'));
    process.nextTick(() => {
      corked.uncork();
      corked.end();
    });
  });
  corked.on('close', handle);
});

async function handle() {
  const file = await fs.promises.open(path.join(dir, 'handle'), 'w');
  const stream = watch('handle', file.createWriteStream());
  chain(6);
  stream.write('a', written('a'));
  stream.write('b', written('b'));
  stream.end('c');
  file.on('close', () => console.log('file closed'));
}
