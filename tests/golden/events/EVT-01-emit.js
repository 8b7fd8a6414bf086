'use strict';
// Listeners are called synchronously, in order, with `this` the emitter; an 'error' without listeners throws.
const EventEmitter = require('node:events');

const emitter = new EventEmitter();
const log = (...args) => console.log(...args);

function first(...args) {
  log('first', args, this === emitter);
}
emitter.on('x', first);
log('none', emitter.emit('y'), 'one', emitter.emit('x'));
emitter.emit('x', 1);
emitter.emit('x', 1, 2);
emitter.emit('x', 1, 2, 3);
emitter.emit('x', 1, 2, 3, 4, 5);
emitter.on('x', (...args) => log('second', args, this === emitter));
emitter.prependListener('x', () => log('zeroth'));
log('before');
emitter.emit('x');
emitter.emit('x', 'a');
emitter.emit('x', 'a', 'b');
emitter.emit('x', 'a', 'b', 'c', 'd');
log('after');

const symbol = Symbol('type');
emitter.once(symbol, (value) => log('symbol', value));
log(emitter.emit(symbol, 1), emitter.emit(symbol, 2));
log(emitter.eventNames());

for (const value of [undefined, null, 3, 'text', { a: 1 }, new TypeError('mine'), Symbol('s')]) {
  try {
    emitter.emit('error', value);
  } catch (error) {
    log(error.name, error.code, error.message, error.context === value, error === value);
  }
}
try {
  new EventEmitter().emit('error');
} catch (error) {
  log(error.code, error.message, 'context' in error, error.context);
}

// Monitors are called, and it still throws.
emitter.on(EventEmitter.errorMonitor, (error) => log('watched', error.message));
try {
  emitter.emit('error', new RangeError('seen'));
} catch (error) {
  log(error.name);
}
emitter.on('error', (error) => log('handled', error.message));
log(emitter.emit('error', new RangeError('seen again')));

// A listener that throws keeps the later ones from running, and nothing is left behind.
const throwing = new EventEmitter();
throwing.on('x', () => {
  throw new Error('from a listener');
});
throwing.on('x', () => log('never'));
for (let i = 0; i < 2; i++) {
  try {
    throwing.emit('x');
  } catch (error) {
    log(error.message);
  }
}
throwing.on('x', () => log('never either'));
log(throwing.listenerCount('x'));
