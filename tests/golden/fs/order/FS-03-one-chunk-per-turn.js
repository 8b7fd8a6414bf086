'use strict';
// A read stream brings one chunk per turn, and 'end' only after the read that found the end.
const fs = require('fs');
const os = require('os');
const path = require('path');

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'fs-03-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true }));
const file = path.join(dir, 'file');
fs.writeFileSync(file, Buffer.alloc(200000, 'x'));

function events(title, stream, next) {
  const seen = [];
  let turn = 0;
  let isOver = false;
  // Events of one turn have no immediate between them.
  (function count() {
    setImmediate(() => {
      turn++;
      if (!isOver) count();
    });
  })();
  const turns = [];
  const note = (name) => () => {
    seen.push(name);
    turns.push(turn);
  };
  stream.on('data', (chunk) => note(`data ${chunk.length}`)());
  stream.on('end', note('end'));
  stream.on('close', () => {
    isOver = true;
    note('close')();
    // The turns are numbered by those in which something came.
    const used = [...new Set(turns)];
    console.log(`${title}: ${seen.map((name, i) => `${used.indexOf(turns[i]) + 1} ${name}`).join(', ')}`);
    next();
  });
}

function immediates(stream, next) {
  let chunks = 0;
  stream.on('data', () => {
    const number = ++chunks;
    console.log('data', number);
    setImmediate(() => console.log('immediate', number));
    process.nextTick(() => console.log('tick', number));
  });
  stream.on('end', () => console.log('end'));
  stream.on('close', () => {
    console.log('close');
    next();
  });
}

async function handles() {
  const handle = await fs.promises.open(file);
  await new Promise((resolve) => events('FileHandle', handle.createReadStream(), resolve));
  let count = 0;
  for await (const chunk of fs.createReadStream(file)) {
    count++;
    const number = count;
    console.log('iterated', number, chunk.length);
    setImmediate(() => console.log('immediate', number));
  }
}

events('64 KiB', fs.createReadStream(file), () => {
  events('part', fs.createReadStream(file, { start: 10, end: 100009, highWaterMark: 30000 }), () => {
    immediates(fs.createReadStream(file), handles);
  });
});
