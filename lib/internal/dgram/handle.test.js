'use strict';
// Passes arbitrary values to the binding: it must throw or return an errno.
const assert = require('node:assert');
const { test } = require('node:test');
const { UDP } = require('internal/dgram/handle');
const { internalBinding } = require('internal/test/binding');

const strange = [
  undefined, null, true, 0, -1, 1.5, NaN, Infinity, 2 ** 31, 2 ** 32, 2 ** 53, '', 'x', '127.0.0.1', '::1%none', '\0',
  'x'.repeat(100_000), 10n, Symbol('s'), {}, [], [1], [null], () => {}, new Uint8Array(3), [new Uint8Array(70_000)],
  Array.from({ length: 2000 }, () => new Uint8Array(1)), new Proxy([], {}), [new Uint8Array(new SharedArrayBuffer(2))],
];

function callAll(handle) {
  for (const name of ['udp', 'udp_options']) {
    const binding = internalBinding(name);
    for (const key of Object.keys(binding)) {
      const call = binding[key];
      if (typeof call !== 'function' || /^(?:setHooks|create|open|close)$/.test(key)) continue;
      for (let i = 0; i < strange.length; i++) {
        const args = [0, 3, 7, 11].map((offset) => strange[(i + offset) % strange.length]);
        for (const first of [handle.wrap, strange[i]]) {
          try {
            Reflect.apply(call, binding, [first, ...args]);
          } catch (error) {
            assert.ok(error instanceof Error, key);
          }
        }
      }
    }
  }
}

for (const isIPv6 of [false, true]) {
  test(`functions of the binding survive any argument, IPv${isIPv6 ? 6 : 4}`, () => {
    const unbound = new UDP(isIPv6);
    callAll(unbound);
    unbound.close();
    callAll(unbound);
    const bound = new UDP(isIPv6);
    assert.strictEqual(bound.bind(isIPv6 ? '::1' : '127.0.0.1', 0, 0), 0);
    callAll(bound);
    bound.close();
  });
}

test('open() refuses what is no datagram socket', () => {
  const handle = new UDP(false);
  for (const fd of [-1, 1.5, 'x', undefined, 2 ** 31, 2 ** 20]) assert.ok(handle.open(fd) < 0, String(fd));
  const file = require('fs').openSync(__filename);
  assert.ok(handle.open(file) < 0);
  require('fs').closeSync(file);
  handle.close();
});
