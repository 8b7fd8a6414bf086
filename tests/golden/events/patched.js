'use strict';
// Programs that change the language under us.
const EventEmitter = require('events');
const log = console.log.bind(console);
const saved = {
  slice: Array.prototype.slice,
  splice: Array.prototype.splice,
};
const emitter = new EventEmitter();
const seen = [];
let at = 0;
const bad = () => {
  throw new Error('patched');
};
for (const name of ['slice', 'splice']) Array.prototype[name] = bad;
const a = (...args) => {
  seen[at++] = args;
};
emitter.on('x', a);
emitter.on('x', a);
emitter.prependListener('x', a);
emitter.once('x', a);
emitter.emit('x', 1, 2, 3, 4);
emitter.off('x', a);
emitter.emit('x');
emitter.removeAllListeners('x');
const count = emitter.listenerCount('x');
for (const name of ['slice', 'splice']) Array.prototype[name] = saved[name];
log(seen, count);

// A listener with properties of its own, and one that is a proxy.
const listener = Object.assign(() => log('listener'), { listener: undefined });
emitter.on('p', listener);
emitter.emit('p');
emitter.off('p', listener);
const proxy = new Proxy(() => log('through a proxy'), {});
emitter.on('p', proxy);
emitter.emit('p');
emitter.off('p', proxy);
log(emitter.listenerCount('p'));
// Frozen errors are thrown as they are.
const frozen = Object.freeze(new Error('frozen'));
try {
  emitter.emit('error', frozen);
} catch (error) {
  log(error === frozen);
}
