'use strict';
// emit() with lists of all lengths up to 20: each listener once, in order, also if one throws, changes the list or returns
// a promise of an emitter that captures rejections.
const { EventEmitter } = require('node:events');

function callAll(length, options) {
  const emitter = new EventEmitter(options);
  emitter.setMaxListeners(0);
  const seen = [];
  for (let i = 0; i < length; i++) {
    emitter.on('x', function (...args) {
      seen.push(`${i}${this === emitter ? '' : '?'}:${args}`);
      return i % 2 === 0 ? i : Promise.resolve(i);
    });
  }
  const answers = [emitter.emit('x'), emitter.emit('x', 1), emitter.emit('x', 1, 2, 3), emitter.emit('y')];
  return `${answers} ${seen.join(' ')}`;
}

for (let length = 0; length <= 20; length++) {
  console.log(length, callAll(length));
  console.log(callAll(length, { captureRejections: true }) === callAll(length));
}

for (let length = 1; length <= 14; length++) {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  let seen = '';
  const listeners = [];
  for (let i = 0; i < length; i++) {
    listeners.push(() => {
      seen += ` ${i}`;
      if (i === length >> 1) emitter.off('x', listeners[length - 1]);
      if (i === length - 2) throw new Error(`thrown by ${i}`);
    });
    emitter.on('x', listeners[i]);
  }
  for (let round = 0; round < 2; round++) {
    try {
      seen += ` ${emitter.emit('x')}`;
    } catch (error) {
      seen += ` ${error.message};`;
    }
  }
  console.log(length, seen, emitter.listenerCount('x'));
}

// Errors, with and without listeners, with and without a monitor.
const { errorMonitor } = EventEmitter;
const emitter = new EventEmitter();
const attempt = (...args) => {
  try {
    console.log(emitter.emit('error', ...args));
  } catch (error) {
    console.log(error.name, error.code, error.message, error.context);
  }
};
attempt(new RangeError('own'));
attempt(1, 2);
attempt();
emitter.on(errorMonitor, (...args) => console.log('monitor', args.length));
attempt('text', 2, 3);
emitter.on('error', (...args) => console.log('heard', args));
attempt('text', 2, 3);
emitter.on('error', (...args) => console.log('heard too', args));
attempt();

// A rejection of one of eight listeners.
const capturing = new EventEmitter({ captureRejections: true });
for (let i = 0; i < 8; i++) capturing.on('x', async (a) => { if (i === 5) throw new Error(`rejected with ${a}`); });
capturing.on('error', (error) => console.log('captured', error.message));
capturing.emit('x', 'a');
