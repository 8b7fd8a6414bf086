'use strict';
// Nobody but the timer knows the timeout's signal; still, somebody waits for it.
let heard = false;
(() => { AbortSignal.any([AbortSignal.timeout(40)]).addEventListener('abort', () => { heard = true; }); })();
let turns = 0;
const interval = setInterval(() => {
  global.gc();
  if (++turns < 10) return;
  clearInterval(interval);
  setTimeout(() => console.log(heard), 60);
}, 2);
