'use strict';
// A timer that a timer started waits for the next turn, even if its time has come already: no phase
// can starve the next one.
let count = 0;
setImmediate(() => console.log('immediate after', count));
function again() {
  count++;
  if (count < 5) setTimeout(again, 1);
  for (const end = Date.now() + 5; Date.now() < end;);
}
setTimeout(again, 1);
for (const end = Date.now() + 5; Date.now() < end;);
process.on('exit', () => console.log('in all', count));
