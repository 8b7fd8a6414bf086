'use strict';
// vm.measureMemory(); contexts, scripts and modules are freed.
const vm = require('vm');
const v8 = require('v8');

process.on('warning', (warning) => console.log('warning', warning.message));
for (const options of [null, 1, { mode: 'x' }, { execution: 'x' }]) {
  try {
    vm.measureMemory(options);
  } catch (error) {
    console.log(error.code, error.message);
  }
}

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');

function fill(box) {
  box.self = box;
  box.keep = vm.runInContext('() => box', box);
  box.script = new vm.Script('1', { importModuleDynamically: () => box });
  box.script.runInContext(box);
}

let left = 0;
const registry = new FinalizationRegistry(() => { left--; });
for (let i = 0; i < 20; i++) {
  const box = vm.createContext({}, i % 2 === 0 ? {} : { microtaskMode: 'afterEvaluate' });
  fill(box);
  registry.register(box, i);
  left++;
}

(async () => {
  for (let i = 0; i < 50 && left > 1; i++) {
    collect();
    await new Promise(setImmediate);
  }
  console.log('freed', left <= 1);
  const kept = vm.createContext({});
  const { total, current, other } = await vm.measureMemory({ mode: 'detailed', execution: 'eager' });
  console.log(typeof total.jsMemoryEstimate, total.jsMemoryRange.length, typeof current.jsMemoryEstimate, other.length >= 1);
  console.log(Object.keys(await vm.measureMemory({ execution: 'eager' })), vm.isContext(kept));
})();
