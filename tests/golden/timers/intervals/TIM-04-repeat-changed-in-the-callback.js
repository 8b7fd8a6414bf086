'use strict';
// An interval whose _repeat is taken away ends; a timeout that gets one goes on, from the end of its callback.
let intervals = 0;
const interval = setInterval(() => {
  console.log('interval', ++intervals);
  if (intervals === 2) interval._repeat = null;
}, 1);
let timeouts = 0;
const timeout = setTimeout(() => {
  console.log('timeout', ++timeouts, timeout._idleTimeout);
  timeout._repeat = timeouts === 3 ? null : 150;
}, 100);
const stopped = setInterval(() => {
  console.log('stopped');
  stopped._idleTimeout = -1;
}, 500);
process.on('exit', () => console.log(interval._destroyed, timeout._destroyed, stopped._destroyed));
