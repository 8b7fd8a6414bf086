'use strict';
const EventEmitter = require('events');
const log = console.log;
process.on('warning', (warning) => {
  log(warning.name, warning.message);
  log(warning.type, warning.count, warning.emitter !== undefined);
});
const fn = () => {};

const emitter = new EventEmitter();
for (let i = 0; i < 15; i++) emitter.on('x', fn);
emitter.setMaxListeners(1);
log(emitter.getMaxListeners(), EventEmitter.getMaxListeners(emitter));
emitter.once('y', fn).prependListener('y', fn).on('y', fn);

class Named extends EventEmitter {}
const named = new Named();
EventEmitter.defaultMaxListeners = 2;
const symbol = Symbol('kept');
for (let i = 0; i < 3; i++) named.on(symbol, fn);
EventEmitter.defaultMaxListeners = 10;

const unlimited = new EventEmitter().setMaxListeners(0);
for (let i = 0; i < 50; i++) unlimited.on('x', fn);
const infinite = new EventEmitter().setMaxListeners(Infinity);
for (let i = 0; i < 50; i++) infinite.on('x', fn);

EventEmitter.setMaxListeners(1, emitter, named);
log(emitter.getMaxListeners(), named.getMaxListeners());
EventEmitter.setMaxListeners(7);
log(EventEmitter.defaultMaxListeners, new EventEmitter().getMaxListeners());
const target = new EventTarget();
EventEmitter.setMaxListeners(3, target);
log(EventEmitter.getMaxListeners(target));
// A signal has no limit of its own.
const { signal } = new AbortController();
log(EventEmitter.getMaxListeners(signal), EventEmitter.getMaxListeners(AbortSignal.any([signal])),
  EventEmitter.getMaxListeners(AbortSignal.abort()));
for (let i = 0; i < 20; i++) signal.addEventListener('abort', () => {});
EventEmitter.setMaxListeners(20, signal);
signal.addEventListener('abort', fn);
