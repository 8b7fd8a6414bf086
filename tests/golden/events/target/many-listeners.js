'use strict';
// Order, duplicates and removal are the same however many listeners there are.
const { setMaxListeners } = require('events');
const target = new EventTarget();
setMaxListeners(0, target);
const called = [];
const listeners = [];
for (let i = 0; i < 50; i++) {
  const listener = i % 5 === 0 ? { handleEvent() { called.push(`object ${i}`); } } : () => called.push(i);
  listeners.push(listener);
  target.addEventListener('x', listener);
  target.addEventListener('x', listener); // The same: ignored.
  if (i % 10 === 0) target.addEventListener('x', listener, true); // Another one.
}
const fire = (text) => {
  called.length = 0;
  target.dispatchEvent(new Event('x'));
  console.log(text, called.length, called.join());
};
fire('all');
for (let i = 0; i < 50; i += 2) target.removeEventListener('x', listeners[i]);
target.removeEventListener('x', listeners[0], { capture: true });
target.removeEventListener('x', () => {});
fire('some');
target.addEventListener('x', listeners[4]);
target.addEventListener('x', listeners[1], { once: true });
target.addEventListener('x', () => target.removeEventListener('x', listeners[4]), { once: true });
fire('again');
fire('and again');
for (const listener of listeners) {
  target.removeEventListener('x', listener);
  target.removeEventListener('x', listener, { capture: true });
}
fire('none');
target.addEventListener('x', listeners[7]);
fire('one');

const controller = new AbortController();
setMaxListeners(0, controller.signal);
for (let i = 0; i < 30; i++) target.addEventListener('x', () => called.push(`signal ${i}`), { signal: controller.signal });
fire('with a signal');
controller.abort();
fire('aborted');
