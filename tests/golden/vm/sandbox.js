'use strict';
// Global variables of a context are properties of its sandbox.
const vm = require('vm');
const { inspect } = require('util');

function attempt(label, call) {
  try {
    console.log(label, inspect(call(), { getters: false }));
  } catch (error) {
    console.log(label, 'throws', error.name, error.message);
  }
}

const calls = [];
const base = { inherited: 'from the prototype', get computed() { calls.push('get computed'); return 7; } };
const sandbox = Object.create(base, {
  fixed: { value: 1, enumerable: true },
  hidden: { value: 2, writable: true, configurable: true },
  accessor: {
    get() { calls.push(`get on ${this === sandbox}`); return this.stored; },
    set(value) { calls.push(`set ${value} on ${this === sandbox}`); this.stored = value; },
    enumerable: true, configurable: true,
  },
  getter: { get() { return 'only get'; }, configurable: true },
  setter: { set(value) { calls.push(`setter ${value}`); }, configurable: true },
  locked: { value: 3, enumerable: true, configurable: false, writable: true },
});
const symbol = Symbol('symbol');
sandbox[symbol] = 'by symbol';
sandbox.symbol = symbol;
vm.createContext(sandbox);
const run = (code) => attempt(code, () => vm.runInContext(code, sandbox));

run('[inherited, computed, fixed, hidden, accessor, getter, typeof setter, globalThis[symbol]]');
run('fixed = 2; fixed');
run('"use strict"; fixed = 2');
run('"use strict"; undeclared = 2');
run('undeclared = 2; undeclared');
run('"use strict"; getter = 2');
run('getter = 2; getter');
run('accessor = 5; accessor');
run('setter = 6; typeof setter');
run('var setter = 8');
run('var inherited = "own"; inherited');
run('function declared() { return 1 } declared()');
run('var declared = 2; typeof declared');
run('delete declared');
run('delete locked');
run('"use strict"; delete globalThis.locked');
run('delete undeclared; typeof undeclared');
run('globalThis[symbol] = 1; globalThis[symbol]');
run('globalThis[Symbol.for("new")] = 1; Object.getOwnPropertySymbols(globalThis).map(String)');
run('Object.getOwnPropertyDescriptor(globalThis, "fixed")');
run('Object.getOwnPropertyDescriptor(globalThis, "hidden")');
run('Object.getOwnPropertyDescriptor(globalThis, "accessor")');
run('Object.getOwnPropertyDescriptor(globalThis, "inherited")');
run('Object.getOwnPropertyDescriptor(globalThis, "computed")');
run('Object.getOwnPropertyDescriptor(globalThis, "NaN")');
run('Object.getOwnPropertyDescriptor(globalThis, "Array").enumerable');
run('Object.keys(globalThis)');
run('var found = []; for (const name in globalThis) found.push(name); found');
run('"inherited" in globalThis && "Array" in globalThis && !("nothing" in globalThis)');
run('Object.hasOwn(globalThis, "computed") + "" + Object.hasOwn(globalThis, "fixed") + Object.hasOwn(globalThis, "Map")');
run('Object.defineProperty(globalThis, "defined", { value: 1, enumerable: false, configurable: true }); defined');
run('Object.getOwnPropertyDescriptor(globalThis, "defined")');
run('Object.defineProperty(globalThis, "defined", { get() { return 2 } }); defined');
run('Object.defineProperty(globalThis, "NaN", { value: 1 })');
run('Object.defineProperty(globalThis, "fixed", { value: 9 })');
run('Object.defineProperty(globalThis, "partial", { enumerable: true }); Object.getOwnPropertyDescriptor(globalThis, "partial")');
run('globalThis[0] = "zero"; globalThis["1"] = "one"; [globalThis[0], globalThis[1], 0 in globalThis, 2 in globalThis]');
run('Object.keys(globalThis).slice(0, 2)');
run('delete globalThis[0]; 0 in globalThis');
run('Object.defineProperty(globalThis, 5, { value: 5, configurable: true }); Object.getOwnPropertyDescriptor(globalThis, 5)');
run('undefined = 1; NaN = 2; typeof undefined');
run('Array = 1; Array');
run('delete globalThis.Array; typeof Array');
run('const constant = 1; constant');
run('constant = 2');
run('let constant = 3');
run('class Class {}; typeof Class');
run('globalThis.Class');
run('eval("var evaluated = 1"); evaluated');
run('new Function("return this")() === globalThis');
run('this === globalThis && globalThis.globalThis === globalThis');
run('Object.preventExtensions(globalThis); globalThis.late = 1; late');
run('Reflect.ownKeys(globalThis).filter((key) => typeof key === "string").length > 60');
console.log(calls);
console.log(inspect(sandbox, { showHidden: true, getters: false }));
console.log(sandbox.evaluated, sandbox.found, Object.keys(sandbox));

// A proxy as the sandbox.
const traps = [];
const proxy = new Proxy({ seen: 1 }, new Proxy({}, {
  get(_, trap) {
    return (...args) => {
      if (typeof args[1] === 'string' && args[1].length < 10) traps.push(`${trap} ${args[1]}`);
      return Reflect[trap](...args);
    };
  },
}));
vm.createContext(proxy);
attempt('proxy get', () => vm.runInContext('seen', proxy));
attempt('proxy set', () => vm.runInContext('seen = 2; fresh = 3; seen + fresh', proxy));
attempt('proxy has', () => vm.runInContext('"seen" in globalThis', proxy));
attempt('proxy delete', () => vm.runInContext('delete globalThis.seen', proxy));
attempt('proxy keys', () => vm.runInContext('Object.keys(globalThis)', proxy));
console.log(traps, proxy);

// The sandbox changes while code of the context exists.
const later = vm.createContext({});
const read = vm.runInContext('(name) => globalThis[name]', later);
later.added = 'added later';
console.log(read('added'), read('missing'));
delete later.added;
console.log(read('added'));
Object.setPrototypeOf(later, { added: 'by the prototype' });
console.log(read('added'));
