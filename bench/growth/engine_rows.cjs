'use strict';
// Objects of the engine and of lib: nothing here waits for the kernel.
const EventEmitter = require('node:events');
const { PassThrough, Readable, Writable, pipeline } = require('node:stream');
const { MessageChannel } = require('node:worker_threads');

const nothing = () => {};
const turn = () => new Promise((resolve) => setImmediate(resolve));
const make = (count, item) => Array.from({ length: count }, (_, index) => item(index));

// A promise, and a function that settles it at its `count`-th call.
function counter(count) {
  let left = count;
  let settle;
  const done = new Promise((resolve) => { settle = resolve; });
  return [done, () => { if (--left === 0) settle(); }];
}

function emitter() {
  return new EventEmitter().setMaxListeners(0);
}

process.on('unhandledRejection', nothing);
process.on('rejectionHandled', nothing);

module.exports = {
  'timers, fired': {
    count: 50_000,
    run(count) {
      const [done, call] = counter(count);
      for (let i = 0; i < count; i++) setTimeout(call, 1 + i % 50);
      return done;
    },
  },
  'timers, cleared': {
    count: 100_000,
    run(count) {
      const timers = make(count, (i) => setTimeout(nothing, 1000 + i % 500));
      for (const timer of timers) clearTimeout(timer);
    },
  },
  'ticks': {
    count: 200_000,
    run(count) {
      const [done, call] = counter(count);
      for (let i = 0; i < count; i++) process.nextTick(call);
      return done;
    },
  },
  'immediates': {
    count: 200_000,
    run(count) {
      const [done, call] = counter(count);
      for (let i = 0; i < count; i++) setImmediate(call);
      return done;
    },
  },
  'microtasks': {
    count: 500_000,
    run(count) {
      const [done, call] = counter(count);
      for (let i = 0; i < count; i++) queueMicrotask(call);
      return done;
    },
  },
  'rejections, handled in the same turn': {
    count: 20_000,
    async run(count) {
      const promises = make(count, (i) => Promise.reject(i));
      for (const promise of promises) promise.catch(nothing);
      await turn();
    },
  },
  'rejections, handled a turn later': {
    count: 20_000,
    async run(count) {
      const promises = make(count, (i) => Promise.reject(i));
      await turn();
      for (const promise of promises) promise.catch(nothing);
      await turn();
    },
  },
  'rejections, awaited': {
    count: 20_000,
    async run(count) {
      for (let i = 0; i < count; i++) {
        try {
          await Promise.reject(i);
        } catch {
          // Expected.
        }
      }
    },
  },
  'listeners, added and removed in turn': {
    count: 200_000,
    run(count) {
      const target = emitter();
      target.on('x', nothing);
      for (let i = 0; i < count; i++) {
        const listener = () => i;
        target.on('x', listener);
        target.removeListener('x', listener);
      }
    },
  },
  'listeners, the last removed first': {
    count: 50_000,
    run(count) {
      const target = emitter();
      const listeners = make(count, (i) => () => i);
      for (const listener of listeners) target.on('x', listener);
      for (let i = count - 1; i >= 0; i--) target.off('x', listeners[i]);
    },
  },
  'listeners, the first removed first': {
    count: 10_000,
    run(count) {
      const target = emitter();
      const listeners = make(count, (i) => () => i);
      for (const listener of listeners) target.on('x', listener);
      for (const listener of listeners) target.off('x', listener);
    },
  },
  'listeners, once': {
    count: 5_000,
    run(count) {
      const target = emitter();
      for (let i = 0; i < count; i++) target.once('x', () => i);
      target.emit('x');
    },
  },
  'listeners, a type each': {
    count: 50_000,
    run(count) {
      const target = emitter();
      for (let i = 0; i < count; i++) target.on(`type ${i}`, nothing);
      for (let i = 0; i < count; i++) target.off(`type ${i}`, nothing);
    },
  },
  'emitters': {
    count: 50_000,
    run(count) {
      const emitters = make(count, () => new EventEmitter().on('a', nothing).on('b', nothing));
      for (const each of emitters) each.emit('a');
      for (const each of emitters) each.removeAllListeners();
    },
  },
  'abort listeners, removed': {
    count: 4_000,
    run(count) {
      const { signal } = new AbortController();
      EventEmitter.setMaxListeners(0, signal);
      const listeners = make(count, (i) => () => i);
      for (const listener of listeners) signal.addEventListener('abort', listener);
      for (const listener of listeners) signal.removeEventListener('abort', listener);
    },
  },
  'abort listeners, called': {
    count: 4_000,
    run(count) {
      const controller = new AbortController();
      EventEmitter.setMaxListeners(0, controller.signal);
      for (let i = 0; i < count; i++) controller.signal.addEventListener('abort', () => i, { once: true });
      controller.abort();
    },
  },
  'streams, made and ended': {
    count: 5_000,
    run(count) {
      const [done, call] = counter(count);
      for (let i = 0; i < count; i++) new PassThrough().on('close', call).resume().end('x');
      return done;
    },
  },
  'stream, chunks through a pipeline': {
    count: 50_000,
    run(count) {
      let next = 0;
      const source = new Readable({ objectMode: true, read() { this.push(next < count ? next++ : null); } });
      const sink = new Writable({ objectMode: true, write(chunk, encoding, callback) { callback(); } });
      return new Promise((resolve) => pipeline(source, new PassThrough({ objectMode: true }), sink, resolve));
    },
  },
  'stream, writes that wait': {
    count: 100_000,
    run(count) {
      const sink = new Writable({ write(chunk, encoding, callback) { process.nextTick(callback); } });
      for (let i = 0; i < count; i++) sink.write('x');
      return new Promise((resolve) => sink.end(resolve));
    },
  },
  'stream, corked writes': {
    count: 100_000,
    run(count) {
      const sink = new Writable({
        write(chunk, encoding, callback) { callback(); },
        writev(chunks, callback) { callback(); },
      });
      sink.cork();
      for (let i = 0; i < count; i++) sink.write('x');
      sink.uncork();
      return new Promise((resolve) => sink.end(resolve));
    },
  },
  'messages': {
    count: 20_000,
    run(count) {
      const { port1, port2 } = new MessageChannel();
      const [done, call] = counter(count);
      port2.on('message', call);
      for (let i = 0; i < count; i++) port1.postMessage(i);
      return done.then(() => port1.close());
    },
  },
  'ports': {
    count: 1_000,
    run(count) {
      const [done, call] = counter(count);
      const channels = make(count, () => new MessageChannel());
      for (const { port1, port2 } of channels) {
        port2.on('message', call);
        port1.postMessage('x');
      }
      return done.then(() => {
        for (const { port1 } of channels) port1.close();
      });
    },
  },
  'structuredClone of small objects': {
    count: 50_000,
    run(count) {
      for (let i = 0; i < count; i++) structuredClone({ a: i, b: 'text', c: [1, 2] });
    },
  },
  'structuredClone of one array': {
    count: 50_000,
    run(count) { structuredClone(make(count, (i) => ({ a: i }))); },
  },
};
