'use strict';
// When the starter ends, so do its workers, whatever they are at.
const { Worker } = require('worker_threads');
let ready = 0;
for (const code of ['for (;;);', 'setInterval(() => {}, 1000)', 'const { Worker } = require("worker_threads"); new Worker("for (;;);", { eval: true }); for (;;);']) {
  new Worker(code, { eval: true }).on('online', () => {
    if (++ready === 3) setTimeout(() => process.exit(4), 5);
  }).on('exit', () => console.log('never'));
}
process.on('exit', (code) => console.log('exit', code));
