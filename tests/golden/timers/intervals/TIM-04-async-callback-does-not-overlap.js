'use strict';
// The callback awaits as long as the interval: it ends before it is called again.
const { setTimeout: wait } = require('timers/promises');
let running = 0;
let calls = 0;
const interval = setInterval(async () => {
  if (++calls === 4) clearInterval(interval);
  console.log('begin', calls, 'running', ++running);
  await wait(25);
  running--;
}, 25);
