'use strict';
// vm.compileFunction(): parameters, contexts, extensions, code caches.
const vm = require('vm');
const { inspect } = require('util');

function attempt(label, call) {
  try {
    console.log(label, inspect(call()));
  } catch (error) {
    console.log(label, 'throws', error.code ?? error.name, error.message);
  }
}

console.log(vm.compileFunction('return a + b', ['a', 'b'])(1, 2), vm.compileFunction('return arguments.length')(1, 2, 3));
console.log(vm.compileFunction('return this')() === globalThis, vm.compileFunction('"use strict"; return this')());
console.log(String(vm.compileFunction('return a', ['a'])), vm.compileFunction('', ['a', 'b']).length, vm.compileFunction('').name);
console.log(vm.compileFunction('return new.target')(), typeof vm.compileFunction('return eval("1")'));
for (const args of [[], [1], ['', 1], ['', [1]], ['', [], 1], ['', [], { filename: 1 }], ['', [], { lineOffset: 'x' }],
  ['', [], { columnOffset: 1.5 }], ['', [], { cachedData: 1 }], ['', [], { produceCachedData: 1 }],
  ['', [], { parsingContext: {} }], ['', [], { parsingContext: 1 }], ['', [], { parsingContext: null }],
  ['', [], { contextExtensions: {} }], ['', [], { contextExtensions: [1] }], ['', [], { importModuleDynamically: 1 }]]) {
  attempt(inspect(args), () => typeof vm.compileFunction(...args));
}
attempt('syntax', () => vm.compileFunction('let 1'));
attempt('closed', () => vm.compileFunction('});\n(function() {'));
attempt('comment', () => vm.compileFunction('return 1 //')());
try {
  vm.compileFunction('\n\nlet let = 1', [], { filename: 'bad.js', lineOffset: 5 });
} catch (error) {
  console.log(error.stack.split('\n').slice(0, 5));
}
const thrower = vm.compileFunction('\nthrow new Error("x")', [], { filename: 'thrower.js', lineOffset: 3, columnOffset: 4 });
try {
  thrower();
} catch (error) {
  console.log(error.stack.split('\n').slice(0, 2));
}

const context = vm.createContext({ global: 'of the context' });
const inside = vm.compileFunction('return [typeof global, global, Array]', [], { parsingContext: context })();
console.log(inside.slice(0, 2), inside[2] === Array);
const extended = vm.compileFunction('value += 1; return [value, other, global]', [],
  { parsingContext: context, contextExtensions: [{ value: 1, other: 2 }, { value: 5 }] });
console.log(extended(), extended());
const scope = { value: 1 };
vm.compileFunction('value = 2; extra = 3', [], { contextExtensions: [scope] })();
console.log(scope, globalThis.extra);
delete globalThis.extra;

const made = vm.compileFunction('return 42', [], { produceCachedData: true });
console.log(made.cachedDataProduced, Buffer.isBuffer(made.cachedData), Object.keys(made));
const used = vm.compileFunction('return 42', [], { cachedData: made.cachedData });
console.log(used.cachedDataRejected, used(), Object.keys(used));
console.log(vm.compileFunction('return 43', [], { cachedData: Buffer.from('no cache') }).cachedDataRejected);
