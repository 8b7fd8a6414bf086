'use strict';
// Properties of timers that were never meant for programs, and that programs set nevertheless.
let runs = 0;
const timer = setTimeout(() => {
  runs++;
  if (timer._repeat) clearInterval(timer);
  timer._repeat = 1;
}, 1);
const counts = { idle: 0, callback: 0 };
const idle = setInterval(() => { counts.idle++; idle._idleTimeout = -1; }, 1);
const callback = setInterval(() => { counts.callback++; callback._onTimeout = null; }, 1);
process.on('exit', () => console.log(runs, counts));
const disposed = [setTimeout(() => console.log('no'), 1), setInterval(() => console.log('no'), 1), setImmediate(() => console.log('no'))];
for (const one of disposed) one[Symbol.dispose]();
console.log(disposed.map((one) => one._destroyed));
