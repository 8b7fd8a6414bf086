'use strict';
// Work that waits for a thread waits its turn: threads that a FIFO holds up do not lose what is queued behind them.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'golden-'));
const fifo = path.join(dir, 'fifo');
execFileSync('mkfifo', [fifo]);
let opened = 0;
// Three of the four threads wait for a writer.
for (let i = 0; i < 3; i++) {
  fs.open(fifo, 'r', (error, fd) => {
    opened++;
    fs.closeSync(fd);
  });
}
let done = 0;
for (let i = 0; i < 100; i++) {
  fs.readdir(dir, (error, names) => {
    if (error || names.length !== 1) console.log(error, names);
    if (++done < 100) return;
    console.log('the others are done', opened);
    const writer = fs.openSync(fifo, 'r+');
    const wait = setInterval(() => {
      if (opened < 3) return;
      clearInterval(wait);
      fs.closeSync(writer);
      fs.rmSync(dir, { recursive: true });
      console.log('and so are they');
    }, 1);
  });
}
