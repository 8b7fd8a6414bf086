'use strict';
const EventEmitter = require('events');
const emitter = new EventEmitter();
emitter.on('event', function(...args) {
  console.log('first', this === emitter, args.join(' '));
});
emitter.on('event', (a) => console.log('second', a));
emitter.prependListener('event', () => console.log('before the first'));
emitter.once('event', () => console.log('once'));
console.log('before emit');
console.log(emitter.emit('event', 1, 2, 3, 4, 5));
console.log('after emit');
console.log(emitter.emit('event', 'again'), emitter.emit('nobody listens'));
try {
  emitter.emit('error', new Error('without a listener'));
} catch (error) {
  console.log(error.message);
}
for (const value of ['text', undefined, { a: 1 }]) {
  try {
    emitter.emit('error', value);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
emitter.on('error', (error) => console.log('heard', error));
emitter.emit('error', 'text');
