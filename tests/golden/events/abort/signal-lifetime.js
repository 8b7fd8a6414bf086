'use strict';
// Unreachable signals are collected, unless they have listeners.
const { setTimeout: sleep } = require('timers');
const { setMaxListeners } = require('events');

async function survivors(make) {
  const refs = [];
  for (let i = 0; i < 500; i++) refs.push(new WeakRef(make(i)));
  for (let i = 0; i < 8; i++) {
    await new Promise((resolve) => sleep(resolve, 2));
    global.gc();
  }
  return refs.filter((ref) => ref.deref() !== undefined).length;
}

const source = new AbortController();
const longLived = new AbortController();
setMaxListeners(0, longLived.signal);

(async () => {
  console.log('derived', await survivors(() => AbortSignal.any([source.signal])) < 50);
  console.log('timeouts', await survivors(() => AbortSignal.timeout(100000)) < 50);
  console.log('targets of a long-lived signal', await survivors(() => {
    const short = new EventTarget();
    short.addEventListener('x', () => {}, { signal: longLived.signal });
    return short;
  }) < 50);
  let heard = false;
  (() => { AbortSignal.timeout(50).addEventListener('abort', () => { heard = true; }); })();
  await survivors(() => ({}));
  await new Promise((resolve) => sleep(resolve, 100));
  console.log('listened to', heard);
  source.abort();
})();
