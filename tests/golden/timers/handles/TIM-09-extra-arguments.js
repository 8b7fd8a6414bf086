'use strict';
const show = (name) => function(...args) {
  console.log(name, args.length, args.map(String).join(' '));
};
for (let count = 0; count <= 6; count++) {
  const args = Array.from({ length: count }, (_, i) => `a${i}`);
  process.nextTick(show('nextTick'), ...args);
  setImmediate(show('setImmediate'), ...args);
  setTimeout(show('setTimeout'), 1, ...args);
  const timer = setInterval((...more) => {
    clearInterval(timer);
    show('setInterval')(...more);
  }, 1, ...args);
}
setTimeout(show('undefined counts'), 1, undefined);
setImmediate(show('undefined counts'), undefined, undefined);
process.nextTick(show('undefined counts'), undefined);
// The timers are due when the loop starts, so they come before the immediates.
for (const end = Date.now() + 5; Date.now() < end;);
queueMicrotask(function() { console.log('queueMicrotask', arguments.length); }, 1, 2);
