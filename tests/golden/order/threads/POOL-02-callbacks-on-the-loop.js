'use strict';
// The work runs elsewhere, its callback here, in poll, one at a time, with the queues drained in between.
const fs = require('node:fs');
let running = 0;
let ticks = 0;
let left = 40;
let blocked = true;
for (let i = 0; i < 40; i++) {
  fs.readdir(__dirname, () => {
    if (blocked) console.log('ran while JavaScript was running');
    if (running++ !== 0) console.log('two at a time');
    if (ticks !== 0) console.log('ticks were left behind');
    ticks++;
    process.nextTick(() => ticks--);
    running--;
    if (--left === 0) console.log('all came');
  });
}
for (const end = Date.now() + 30; Date.now() < end;);
blocked = false;
