'use strict';
const EventEmitter = require('events');
const log = console.log;

const toError = new EventEmitter({ captureRejections: true });
toError.on('x', async () => {
  throw new Error('a');
});
toError.on('error', (error) => log('error event', error.message));
toError.emit('x');

const toMethod = new EventEmitter({ captureRejections: true });
toMethod[Symbol.for('nodejs.rejection')] = function (error, type, ...args) {
  log('method', error.message, type, args, this === toMethod);
};
toMethod.on('y', async () => {
  throw new Error('b');
});
toMethod.on('y', () => Promise.reject(new Error('c')));
toMethod.emit('y', 1, 2);
log(EventEmitter.captureRejectionSymbol === Symbol.for('nodejs.rejection'));

// Thenables count; values without `then` do not.
const thenable = new EventEmitter({ captureRejections: true });
thenable.on('error', (error) => log('thenable', error.message ?? error));
thenable.on('x', () => ({ then(resolve, reject) { reject('plain text'); } }));
thenable.on('x', () => ({ get then() { throw new Error('getter'); } }));
thenable.on('x', () => ({ then: 5 }));
thenable.emit('x');

// The rejection of an 'error' handler is not captured again.
process.on('unhandledRejection', (error) => log('unhandled', error.message));
const loop = new EventEmitter({ captureRejections: true });
loop.on('error', async (error) => {
  log('handler', error.message);
  throw new Error('from the handler');
});
loop.on('x', async () => {
  throw new Error('d');
});
loop.emit('x');

// The default applies to emitters that are made later.
const before = new EventEmitter();
EventEmitter.captureRejections = true;
log(EventEmitter.captureRejections);
const after = new EventEmitter();
EventEmitter.captureRejections = false;
for (const [name, emitter] of Object.entries({ before, after })) {
  emitter.on('error', (error) => log(name, error.message));
  emitter.on('x', async () => {
    throw new Error('e');
  });
  emitter.emit('x');
}
