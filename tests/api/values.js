'use strict';
// Values of every kind, valid and invalid, for calls. Each is created again, as calls may modify them.
const EventEmitter = require('events');

// A small generator of random numbers (mulberry32): the same seed gives the same calls.
function makeRandom(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function fail() { throw new Error('from a callback'); }

const numbers = [0, -0, 1, -1, 2, 3, 7, 16, 100, 255, 256, 4096, 65536, 0.5, -1.5, NaN, Infinity, -Infinity, -(2 ** 31),
  2 ** 53,
  -(2 ** 53), 1e21, Number.MIN_VALUE, Number.MAX_VALUE];
const strings = ['', 'a', 'abc', 'utf8', 'UTF-8', 'hex', 'base64', 'base64url', 'latin1', 'utf16le', 'ascii', 'binary',
  '0', '12', '-1', 'constructor', '__proto__', 'prototype', 'length', 'error', 'event', 'abort', '\0', '\ud800',
  'x\udc00y',
  '\u00e9\u4e2d\ud83d\ude00', 'http://user:pass@example.org:81/p/a?q=1#h', 'file:///no/such/file', 'no/such/file',
  '%zz%41', 'a=b&c=d', '%s %d %o %j', 'node:events',
  'x'.repeat(70000), '\u4e2d'.repeat(5000)];

const makers = [
  () => undefined, () => null, () => true, () => false, () => 0n, () => 2n ** 70n, () => -1n,
  () => Symbol('s'), () => Symbol.iterator,
  () => ({}), () => ({ a: 1 }), () => Object.create(null), () => Object.freeze({ a: 1 }), () => [], () => [1, 2, 3],
  () => new Array(5), () => ['a', { b: 1 }, null], () => ({ length: 3 }), () => ({ length: -1 }),
  () => ({ length: 'x', 0: 1 }), () => ({ length: 1000 }), () => () => {}, () => fail,
  () => async () => { throw new Error('from an async callback'); }, () => class Made {},
  () => function* () { yield 1; }, () => (...args) => args, () => Function.prototype, () => fail.bind(null),
  () => Buffer.from('buffer'), () => Buffer.alloc(0), () => Buffer.alloc(10).subarray(3, 7), () => new Uint8Array(9),
  () => new Uint16Array(3), () => new Float64Array(2), () => new BigInt64Array(2),
  () => new DataView(new ArrayBuffer(8), 2),
  () => new ArrayBuffer(12), () => new SharedArrayBuffer(8), () => new Uint8Array(new SharedArrayBuffer(8)), detached,
  () => new Uint8Array(detached()), () => new Map([[1, 2]]), () => new Set(['a']), () => new WeakMap(),
  () => new Date(0), () => new Date(NaN),
  () => /x/g, () => new Error('an error'), () => Promise.resolve(1), () => new Promise(() => {}),
  () => ({ then(done) { done(1); } }), () => ({ then: fail }),
  () => new Proxy({}, {}), () => new Proxy(() => {}, {}), throwingProxy, revokedProxy, () => new Proxy([], {}),
  () => new Proxy(new Uint8Array(4), {}),
  () => ({ get a() { throw new Error('from a getter'); }, get length() { throw new Error('from length'); } }),
  () => ({ valueOf: fail, toString: fail }), () => ({ [Symbol.toPrimitive]: fail }),
  () => ({ valueOf: () => 3, toString: () => 'three' }),
  () => ({ [Symbol.iterator]: fail }), () => ({ [Symbol.iterator]() { return {}; } }), () => circular(),
  () => Object.create(new EventEmitter()), () => ({ encoding: 'hex', signal: 1 }),
  () => ({ signal: AbortSignal.abort() }), () => ({ type: 'x', code: 'y' }),
  () => ({ highWaterMark: -1 }), () => globalThis, () => Object.prototype, () => new Proxy(Object.create(null), {}),
  // Objects of the modules themselves.
  () => new EventEmitter(), () => new EventTarget(), () => new Event('x'), () => new AbortController(),
  () => new AbortController().signal, () => AbortSignal.abort('why'), () => new URL('http://example.org/a?b=c'),
  () => new URLSearchParams('a=b'), () => setTimeout(() => {}, 1),
  () => setInterval(() => {}, 5).unref(), () => setImmediate(() => {}), () => new TextEncoder(),
  () => new TextDecoder('utf-16le'), () => new (require('buffer').Blob)(['blob']),
  () => new (require('string_decoder').StringDecoder)('utf8'),
  () => require('module'), () => module, () => new (require('async_hooks').AsyncResource)('R'),
  () => new (require('async_hooks').AsyncLocalStorage)(),
];

function detached() {
  const buffer = new ArrayBuffer(16);
  structuredClone(buffer, { transfer: [buffer] });
  return buffer;
}

function throwingProxy() {
  return new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail, set: fail,
    getOwnPropertyDescriptor: fail });
}

function revokedProxy() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function circular() {
  const object = { list: [] };
  object.self = object;
  object.list.push(object.list, object);
  return object;
}

function makeValue(random) {
  switch (random(4)) {
    case 0: return numbers[random(numbers.length)];
    case 1: return strings[random(strings.length)];
    default:
      try {
        return makers[random(makers.length)]();
      } catch {
        return undefined; // A property that does not exist, or was modified.
      }
  }
}

module.exports = { makeRandom, makeValue };
