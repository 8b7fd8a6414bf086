'use strict';
const EventEmitter = require('events');
const log = console.log;

const emitter = new EventEmitter();
const late = () => log('late');
emitter.on('x', () => {
  log('adds');
  emitter.on('x', late);
});
emitter.on('x', () => log('second'));
emitter.emit('x');
log('--');
emitter.emit('x');
log('--', emitter.listenerCount('x'));

// A listener that is removed during an emit is still called by it.
const other = new EventEmitter();
function remover() {
  log('removes');
  other.off('x', victim);
}
function victim() {
  log('victim');
}
other.on('x', remover).on('x', victim).on('x', () => log('last'));
other.emit('x');
log('--');
other.emit('x');

// One list, emitted again from within.
const nested = new EventEmitter();
let depth = 0;
nested.on('x', () => {
  if (depth < 3) {
    depth++;
    const mine = depth;
    nested.prependListener('x', () => log('prepended at', mine));
    nested.emit('x');
  }
});
nested.on('x', () => log('end at', depth));
nested.emit('x');
log('--', nested.listenerCount('x'));

// All are removed in the middle.
const emptied = new EventEmitter();
emptied.on('x', () => emptied.removeAllListeners());
emptied.on('x', () => log('still told'));
log(emptied.emit('x'), emptied.emit('x'));

// once() inside the event it waits for.
const again = new EventEmitter();
let count = 0;
again.once('x', function self() {
  log('once', ++count);
  if (count < 3) again.once('x', self);
});
again.emit('x');
again.emit('x');
again.emit('x');
again.emit('x');

// A listener that emits its own event, once.
const recursive = new EventEmitter();
recursive.once('x', () => {
  log('once only');
  recursive.emit('x');
});
recursive.emit('x');
