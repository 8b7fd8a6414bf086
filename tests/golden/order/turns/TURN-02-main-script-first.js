'use strict';
// The whole script, then its ticks and microtasks, then the first turn.
setTimeout(() => console.log('timer'), 1);
setImmediate(() => console.log('immediate'));
Promise.resolve().then(() => console.log('promise'));
process.nextTick(() => console.log('tick'));
// Both are due by the time the loop starts.
for (const end = Date.now() + 5; Date.now() < end;);
console.log('main script, last line');
