'use strict';
// No callback is entered while another one is on the stack, whatever it does.
let depth = 0;
let deepest = 0;
let calls = 0;
function callback() {
  depth++;
  deepest = Math.max(deepest, depth);
  calls++;
  if (calls < 200) {
    setTimeout(callback, 0);
    setImmediate(callback);
    process.nextTick(callback);
    queueMicrotask(callback);
    Promise.resolve().then(callback);
  }
  depth--;
}
callback();
process.on('exit', () => console.log(`deepest ${deepest}, more than 200 calls: ${calls >= 200}`));
