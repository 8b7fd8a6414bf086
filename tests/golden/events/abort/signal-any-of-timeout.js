'use strict';
// Only the timer refers to the timeout's signal, but a dependent signal has a listener.
let heard = false;
(() => { AbortSignal.any([AbortSignal.timeout(40)]).addEventListener('abort', () => { heard = true; }); })();
let turns = 0;
const interval = setInterval(() => {
  global.gc();
  if (++turns < 10) return;
  clearInterval(interval);
  setTimeout(() => console.log(heard), 60);
}, 2);
