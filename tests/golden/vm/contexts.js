'use strict';
// Contexts: creation, options, and what their code sees.
const vm = require('vm');
const { inspect } = require('util');

function attempt(label, call) {
  try {
    console.log(label, inspect(call()));
  } catch (error) {
    console.log(label, 'throws', error.code ?? error.name, error.message);
  }
}

const sandbox = { count: 1 };
console.log(vm.isContext(sandbox), vm.createContext(sandbox) === sandbox, vm.isContext(sandbox));
console.log(vm.createContext(sandbox) === sandbox, vm.isContext(vm.createContext()));
console.log(vm.runInContext('count += 40; var made = count; let hidden = 1; made', sandbox), sandbox);
console.log(vm.runInContext('hidden + made', sandbox), 'hidden' in sandbox);
console.log(vm.runInContext('this.constructor.name + Object.prototype.toString.call(this)', sandbox));
console.log(vm.runInNewContext('Object.prototype.toString.call(globalThis)', new (class Box {})()));
console.log(vm.runInNewContext('typeof require + typeof process + typeof console + typeof setTimeout + typeof Buffer'));
console.log(vm.runInNewContext('Array') === Array, vm.runInThisContext('Array') === Array);
console.log(vm.runInNewContext('[] instanceof Array'), vm.runInNewContext('[]') instanceof Array);
console.log(vm.runInNewContext('x', { x: 5 }), vm.runInNewContext('self.x', (() => { const box = { x: 6 }; box.self = box; return box; })()));

for (const value of [undefined, null, 1, 'text', Symbol('s'), [], () => {}]) {
  attempt(`isContext(${inspect(value)})`, () => vm.isContext(value));
  attempt(`createContext(${inspect(value)})`, () => vm.isContext(vm.createContext(value)));
  attempt(`runInContext(${inspect(value)})`, () => vm.runInContext('1', value));
}
for (const options of [null, 1, 'name', { name: 1 }, { origin: 1 }, { codeGeneration: 1 }, { codeGeneration: { strings: 1 } },
  { codeGeneration: { wasm: 1 } }, { microtaskMode: 'other' }, { microtaskMode: undefined }, { importModuleDynamically: 1 },
  { name: 'n', origin: 'o' }]) {
  attempt(`createContext({}, ${inspect(options)})`, () => vm.isContext(vm.createContext({}, options)));
}
for (const options of [null, 1, 'name', { contextName: 1 }, { contextOrigin: 1 }, { contextCodeGeneration: 1 },
  { contextCodeGeneration: { strings: 1 } }, { microtaskMode: 1 }, { timeout: 0 }, { timeout: 'x' }, { displayErrors: 1 },
  { breakOnSigint: 1 }, { filename: 1 }, { lineOffset: 1.5 }, { cachedData: 1 }, { produceCachedData: 1 }]) {
  attempt(`runInNewContext('1', {}, ${inspect(options)})`, () => vm.runInNewContext('1', {}, options));
}

const closed = { codeGeneration: { strings: false, wasm: false } };
const strict = vm.createContext({ WebAssembly, bytes: new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]) }, closed);
attempt('eval', () => vm.runInContext('eval("1")', strict));
attempt('Function', () => vm.runInContext('new Function("return 1")', strict));
attempt('indirect', () => vm.runInContext('(0, eval)("1")', strict));
attempt('new', () => vm.runInNewContext('eval("1 + 1")', {}, { contextCodeGeneration: { strings: true } }));
const own = vm.createContext({ bytes: [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0] }, closed);
attempt('wasm', () => vm.runInContext('String(new WebAssembly.Module(new Uint8Array(bytes)))', own));
attempt('wasm allowed', () => vm.runInNewContext('String(new WebAssembly.Module(new Uint8Array(bytes)))',
  { bytes: [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0] }));

// A context without a sandbox.
const vanilla = vm.createContext(vm.constants.DONT_CONTEXTIFY);
console.log(vm.isContext(vanilla), vm.runInContext('globalThis', vanilla) === vanilla, vm.createContext(vanilla) === vanilla);
vm.runInContext('var a = 1; let b = 2; globalThis.c = 3', vanilla);
console.log(vanilla.a, vanilla.b, vanilla.c, Object.keys(vanilla));
vanilla.d = 4;
console.log(vm.runInContext('d + a + b + c', vanilla));
attempt('frozen', () => vm.runInContext('Object.freeze(globalThis); "use strict"; globalThis.e = 1; typeof e', vanilla));
console.log(vm.runInNewContext('globalThis', vm.constants.DONT_CONTEXTIFY).constructor.name);

console.log(Object.keys(vm), inspect(vm.constants));
for (const name of Object.keys(vm)) console.log(name, typeof vm[name], vm[name].length);

// The names that a context has, without those that depend on options of V8.
const names = vm.runInNewContext('Object.getOwnPropertyNames(globalThis)');
console.log(names.sort().join(' '));
console.log(vm.runInNewContext('Object.getOwnPropertyNames(Error).sort() + "" + typeof Intl.v8BreakIterator'));
console.log(vm.runInNewContext('typeof WebAssembly.compileStreaming + Error.stackTraceLimit + typeof Error.prepareStackTrace'));
