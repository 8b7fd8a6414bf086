'use strict';
// Order, duplicates and removal are the same however many listeners there are.
const EventEmitter = require('events');
const emitter = new EventEmitter().setMaxListeners(0);
let called = [];
const fire = (text) => {
  called = [];
  emitter.emit('x');
  console.log(text, emitter.listenerCount('x'), emitter.listeners('x').length, called.join());
};
const listeners = Array.from({ length: 100 }, (_, i) => Object.assign(() => called.push(i), { toString: () => `${i}` }));
for (const listener of listeners) emitter.on('x', listener);
fire('all');
for (let i = 0; i < 30; i++) emitter.off('x', listeners[i]);
fire('from the front');
emitter.on('x', listeners[50]).on('x', listeners[99]);
emitter.off('x', listeners[50]); // The one that was added last.
fire('a duplicate less');
emitter.off('x', listeners[50]);
emitter.off('x', listeners[50]);
emitter.off('x', () => {});
fire('the other one less');
emitter.prependListener('x', listeners[3]);
emitter.once('x', listeners[4]);
emitter.off('x', listeners[60]);
fire('prepended, and once');
emitter.once('x', listeners[5]);
emitter.once('x', listeners[6]);
emitter.off('x', listeners[5]);
emitter.off('x', listeners[61]);
console.log(emitter.rawListeners('x').length, emitter.rawListeners('x').at(-1).listener === listeners[6]);
fire('once is gone');
console.log(emitter.listenerCount('x', listeners[99]), emitter.listenerCount('x', listeners[61]));

// An emit calls the listeners it began with, whatever is removed or added meanwhile.
emitter.prependOnceListener('x', () => {
  for (let i = 70; i < 90; i++) emitter.off('x', listeners[i]);
  emitter.on('x', listeners[0]);
  emitter.emit('x');
  called.push('inner is over');
});
fire('removed by a listener');
fire('afterwards');

const heard = [];
emitter.on('removeListener', (type, listener) => heard.push(String(listener)));
for (const listener of listeners) emitter.off('x', listener);
console.log(heard.join());
fire('the rest');
for (const listener of listeners) emitter.on('x', listener);
emitter.off('x', listeners[1]);
emitter.removeAllListeners('x');
fire('none');

const once = new EventEmitter().setMaxListeners(0);
called = [];
for (let i = 0; i < 200; i++) once.once('x', () => called.push(i));
once.emit('x');
console.log(called.length, called.every((value, index) => value === index), once.eventNames());

const warned = new EventEmitter();
process.on('warning', (warning) => console.log(warning.count));
warned.setMaxListeners(80);
for (let i = 0; i < 75; i++) warned.on('x', listeners[i]);
for (let i = 0; i < 10; i++) warned.off('x', listeners[i]);
for (let i = 75; i < 95; i++) warned.on('x', listeners[i]);
