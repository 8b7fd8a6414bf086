'use strict';
const EventEmitter = require('events');
const emitter = new EventEmitter();
function removed() { console.log('runs once more: the list was taken when emit began'); }
emitter.on('event', () => {
  console.log('first');
  emitter.removeListener('event', removed);
  emitter.on('event', () => console.log('added, and called next time only'));
});
emitter.on('event', removed);
emitter.emit('event');
emitter.emit('event');
emitter.removeAllListeners();
emitter.on('event', () => console.log('one'));
emitter.on('event', () => { throw new Error('two throws'); });
emitter.on('event', () => console.log('never'));
try {
  emitter.emit('event');
} catch (error) {
  console.log(error.message);
}
