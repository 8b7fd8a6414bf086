'use strict';
const { Worker, resourceLimits } = require('worker_threads');
console.log(resourceLimits);
const limits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4, codeRangeSizeMb: 16, stackSizeMb: 1 };
// In turns of the loop: an endless loop that V8's Maglev has compiled may not be terminated, in Node neither.
const full = new Worker(
  'const keep = []; (function grow() { for (let i = 0; i < 100; i++) keep.push(new Array(1000).fill(1)); setImmediate(grow); })()',
  { eval: true, resourceLimits: limits });
console.log(full.resourceLimits);
full.on('error', (e) => console.log(e.name, e.code, e.message));
full.on('exit', (code) => {
  console.log(code, full.resourceLimits);
  new Worker('require("worker_threads").parentPort.postMessage(require("worker_threads").resourceLimits)', { eval: true, resourceLimits: limits })
    .on('message', (m) => console.log(m));
});
