'use strict';
// The parts of an error that are cloned.
const { Worker } = require('worker_threads');
const { once } = require('events');
async function run(code) {
  const worker = new Worker(code, { eval: true });
  const [e] = await once(worker, 'error');
  const names = Object.getOwnPropertyNames(e).filter((n) => n !== 'stack').sort();
  console.log(e.constructor.name, e instanceof Error, `${e}`, typeof e.stack, e.stack.includes('worker eval'), names, Object.keys(e));
  return e;
}
(async () => {
  await run('throw new Error("plain")');
  await run('class Mine extends RangeError { constructor(m) { super(m); this.code = "C"; this.f = () => {}; this.o = { a: 1 }; } get name() { return "Mine"; } } throw new Mine("m")');
  const caused = await run('throw new Error("a", { cause: new TypeError("b", { cause: 3 }) })');
  console.log(caused.cause instanceof TypeError, caused.cause.message, caused.cause.cause);
  await run('const e = new EvalError(""); e.name = "Renamed"; e.message = "changed"; throw e');
  await run('null.x');
  await run('new ArrayBuffer(-1)');
})();
