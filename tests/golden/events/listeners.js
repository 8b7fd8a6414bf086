'use strict';
const EventEmitter = require('events');
const log = console.log;
const emitter = new EventEmitter();
function a() {}
function b() {}
function c() {}

emitter.on('newListener', (type, listener) => log('new', type, listener.name));
emitter.on('removeListener', (type, listener) => log('removed', type, listener.name));
emitter.on('x', a);
emitter.once('x', b);
emitter.prependListener('x', c);
emitter.prependOnceListener('x', b);
log(emitter.listeners('x'));
log(emitter.rawListeners('x'));
log(emitter.listenerCount('x'), emitter.listenerCount('x', b), emitter.listenerCount('x', log), emitter.listenerCount('y'));
log(EventEmitter.listenerCount(emitter, 'x'));
emitter.rawListeners('x')[0]();
log(emitter.listenerCount('x'));
emitter.off('x', b);
emitter.off('x', b);
emitter.off('y', b);
emitter.removeListener('x', c);
log(emitter.eventNames(), emitter._eventsCount);
emitter.removeAllListeners('x');
log(emitter.eventNames());
emitter.on('y', a).on('y', b).on('z', c);
emitter.removeAllListeners('y');
emitter.removeAllListeners();
log(emitter.eventNames(), emitter);

// The one that was added last is the first to go.
const twice = new EventEmitter();
twice.on('x', a).on('x', b).on('x', a);
twice.off('x', a);
log(twice.listeners('x').map((f) => f.name));
twice.on('x', c).off('x', a);
log(twice.listeners('x').map((f) => f.name));

// Lists that were given out are copies.
const list = twice.listeners('x');
list.length = 0;
log(twice.listenerCount('x'));

log(new EventEmitter());
log(new EventEmitter({ captureRejections: true }));
log(Object.keys(EventEmitter), Object.keys(EventEmitter.prototype));
for (const name of Object.keys(EventEmitter.prototype)) {
  const value = EventEmitter.prototype[name];
  if (typeof value === 'function') log(name, value.name, value.length);
}
log(EventEmitter.prototype.on === EventEmitter.prototype.addListener, EventEmitter === EventEmitter.EventEmitter);
log(require('events') === require('node:events'), EventEmitter.usingDomains);

// Old ways to inherit.
function Old() {
  EventEmitter.call(this);
}
Object.setPrototypeOf(Old.prototype, EventEmitter.prototype);
const old = new Old();
old.on('x', () => log('old'));
old.emit('x');
const bare = Object.create(EventEmitter.prototype);
log(bare.emit('x'), bare.eventNames(), bare.listeners('x'), bare.rawListeners('x'), bare.listenerCount('x'));
bare.on('x', () => log('bare'));
log(bare.emit('x'), bare._eventsCount);
const mixed = Object.assign({}, EventEmitter.prototype);
mixed.on('x', () => log('mixed'));
mixed.emit('x');
// Prototypes with listeners of their own do not share them.
const parent = new EventEmitter();
function Child() {
  EventEmitter.call(this);
}
Child.prototype = parent;
const one = new Child();
const two = new Child();
one.on('x', a);
log(one.listenerCount('x'), two.listenerCount('x'), parent.listenerCount('x'));
// Names that objects have anyway.
const odd = new EventEmitter();
for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'undefined']) {
  log(name, odd.emit(name), odd.listenerCount(name));
  odd.on(name, () => log('heard', name));
  odd.emit(name);
}
log(odd.eventNames());
