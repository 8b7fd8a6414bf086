'use strict';
// Built-in modules work after a program has replaced iterators, methods and functions of the language.
const { AsyncResource, createHook } = require('async_hooks');
const EventEmitter = require('events');
const { addAbortListener } = EventEmitter;
const net = require('net');
const { Readable } = require('stream');
const url = require('url');

const results = [];
// Calls a function while the language is broken, and notes the result.
function broken(name, call) {
  const { Boolean, BigInt } = globalThis;
  const arrayIterator = Array.prototype[Symbol.iterator];
  const { charCodeAt, startsWith, split } = String.prototype;
  const fail = () => { throw new Error('user code was called'); };
  globalThis.Boolean = fail;
  globalThis.BigInt = fail;
  Array.prototype[Symbol.iterator] = fail;
  String.prototype.charCodeAt = fail;
  String.prototype.startsWith = fail;
  String.prototype.split = fail;
  let outcome;
  try {
    outcome = call();
  } catch (error) {
    outcome = error;
  } finally {
    globalThis.Boolean = Boolean;
    globalThis.BigInt = BigInt;
    Array.prototype[Symbol.iterator] = arrayIterator;
    String.prototype.charCodeAt = charCodeAt;
    String.prototype.startsWith = startsWith;
    String.prototype.split = split;
  }
  results.push(outcome);
  console.log(name, outcome instanceof Error ? `${outcome.name}: ${outcome.message}` : outcome);
}

broken('AsyncResource.bind', () => new AsyncResource('TEST').bind((a, b) => a + b)(1, 2));
broken('AsyncResource.bind with this', () => new AsyncResource('TEST').bind(function(a) { return this.n + a; }, { n: 5 })(2));
const socket = new net.Socket();
broken('net.Socket', () => new net.Socket({ allowHalfOpen: 1 }).allowHalfOpen);
broken('setKeepAlive', () => socket.setKeepAlive(true) === socket);
broken('net.Server', () => new net.Server({ pauseOnConnect: 1 }).pauseOnConnect);
broken('url.format', () => url.format({ protocol: 'http', host: 'a' }));
broken('URLPattern', () => new URLPattern({ pathname: '/:a' }).test({ pathname: '/b' }));
broken('setTimeout', () => clearTimeout(+setTimeout(() => {}, 1000)));

// Functions of the global object that programs replace, as fake timers do.
const { queueMicrotask, setImmediate } = globalThis;
globalThis.queueMicrotask = globalThis.setImmediate = () => { throw new Error('user code was called'); };
addAbortListener(AbortSignal.abort(), () => console.log('aborted'));
const hook = createHook({
  destroy(id) {
    if (id !== resource.asyncId()) return;
    console.log('destroyed');
    hook.disable();
  },
}).enable();
const resource = new AsyncResource('TEST', { requireManualDestroy: true });
resource.emitDestroy();
globalThis.queueMicrotask = queueMicrotask;
globalThis.setImmediate = setImmediate;

class Emitter extends EventEmitter.EventEmitterAsyncResource {}
const emitter = new Emitter({ name: 'TEST' });
emitter.on('event', (a, b) => console.log('emitted', a, b));
broken('EventEmitterAsyncResource', () => emitter.emit('event', 1, 2));

Readable.from([1, 2, 3]).every((n) => n > 0).then((all) => {
  console.log('every', all);
  console.log(results.length, 'calls');
});
