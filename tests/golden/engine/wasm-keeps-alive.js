'use strict';
// Asynchronous compilation of WebAssembly keeps the program alive until its promise is settled.
const { Worker, isMainThread, workerData } = require('node:worker_threads');

const unsigned = (n) => n < 128 ? [n] : [n % 128 + 128, ...unsigned(Math.floor(n / 128))];
const section = (id, body) => [id, ...unsigned(body.length), ...body];

// `count` functions without parameters and results, of which the first is exported as `f`.
function makeModule(count) {
  const body = [0, ...Array(300).fill([0x41, 1, 0x1a]).flat(), 0x0b];
  const codes = Array(count).fill([...unsigned(body.length), ...body]).flat();
  return Uint8Array.from([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [1, 0x60, 0, 0]),
    ...section(3, [...unsigned(count), ...Array(count).fill(0)]),
    ...section(7, [1, 1, 0x66, 0, 0]),
  ].concat(section(10, unsigned(count).concat(codes))));
}

const small = makeModule(1);
const steps = {
  compile: async () => WebAssembly.Module.exports(await WebAssembly.compile(makeModule(500))),
  instantiate: async () => {
    const { module, instance } = await WebAssembly.instantiate(makeModule(500));
    return [module instanceof WebAssembly.Module, instance.exports.f()];
  },
  both: async () => (await WebAssembly.instantiate(await WebAssembly.compile(small))).exports.f.name,
  invalid: () => WebAssembly.compile(new Uint8Array(9)).catch((error) => error.name),
  inARow: async () => {
    let count = 0;
    for (; count < 20; ++count) await WebAssembly.compile(small);
    return count;
  },
};

async function main() {
  for (const [name, step] of Object.entries(steps)) console.log(workerData ?? 'main', name, await step());
}
main();
if (isMainThread) {
  let beforeExits = 0;
  process.on('beforeExit', () => {
    if (++beforeExits === 1) new Worker(__filename, { workerData: 'worker' });
  });
  process.on('exit', (code) => console.log('exit', code, beforeExits));
}
