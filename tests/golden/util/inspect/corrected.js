// Node's output has a bug here; ours is the intended one.
const { inspect } = require('util');

// Numbers with an exponent have nothing to separate.
console.log(inspect([1e-7, 1.5e-10, 1e21, 12345.678], { numericSeparator: true }));
// A limit below zero is none at all.
console.log(inspect(new ArrayBuffer(3), { maxArrayLength: -1 }));
console.log(inspect(new ArrayBuffer(0), { maxArrayLength: -1 }));
// The limit holds without a prototype too.
console.log(inspect(Object.setPrototypeOf(new Set([1, 2, 3]), null), { maxArrayLength: 1 }));
console.log(inspect(Object.setPrototypeOf(new Map([[1, 2], [3, 4]]), null), { maxArrayLength: 1 }));
// A proxy of a revoked proxy.
const { proxy, revoke } = Proxy.revocable({}, {});
const outer = new Proxy(proxy, {});
revoke();
console.log(inspect(outer));
// An array behind a proxy that begins with null is no revoked proxy.
console.log(inspect(new Proxy([null, 1], {})));
// A map whose iterator was taken away.
const map = new Map([[1, 2]]);
map[Symbol.iterator] = undefined;
console.log(inspect(map));
