'use strict';
// vm.Script: options, code caches, errors.
const vm = require('vm');
const { inspect } = require('util');

function attempt(label, call) {
  try {
    console.log(label, inspect(call()));
  } catch (error) {
    console.log(label, 'throws', error.code ?? error.name, error.message);
  }
}

const script = new vm.Script('counter = (typeof counter === "undefined" ? 0 : counter) + 1', 'counter.js');
console.log(script instanceof vm.Script, Object.keys(script), Object.getPrototypeOf(vm.Script).name);
console.log(script.runInNewContext(), script.runInNewContext({ counter: 4 }), script.runInThisContext(), script.runInThisContext());
delete globalThis.counter;
console.log(new vm.Script({ toString: () => '1 + 1' }).runInThisContext(), vm.createScript('3').runInThisContext());
attempt('call', () => vm.Script('1'));
attempt('symbol', () => new vm.Script(Symbol('s')));
attempt('no instance', () => typeof vm.Script.prototype.runInThisContext.call({}));
for (const options of [null, 1, { filename: 1 }, { lineOffset: 'x' }, { columnOffset: 1.5 }, { cachedData: 'x' },
  { produceCachedData: 1 }, { importModuleDynamically: 'x' }]) {
  attempt(`new Script(${inspect(options)})`, () => new vm.Script('1', options));
}
for (const options of [null, 1, 'x', { timeout: -1 }, { timeout: 0 }, { timeout: 2 ** 32 }, { displayErrors: 'x' }, { breakOnSigint: 1 }]) {
  attempt(`runInThisContext(${inspect(options)})`, () => script.runInThisContext(options));
}
attempt('runInContext()', () => script.runInContext());
attempt('runInContext({})', () => script.runInContext({}));
attempt('runInNewContext(1)', () => script.runInNewContext(1));
delete globalThis.counter;

// Positions and source maps.
const where = new vm.Script('\n  new Error("here").stack', { filename: 'where.js', lineOffset: 10, columnOffset: 5 });
console.log(where.runInThisContext().split('\n').slice(0, 2).join(' | '));
console.log(new vm.Script('1', {}).sourceMapURL, new vm.Script('1\n//# sourceMappingURL=map.json').sourceMapURL,
  new vm.Script('1\n//# sourceURL=named.js').sourceURL);
console.log(vm.runInThisContext('new Error().stack\n//# sourceURL=named.js').split('\n')[1].trim());

// The source line is in front of the stack.
for (const displayErrors of [true, false]) {
  for (const code of ['let 1', 'throw new TypeError("thrown")', 'throw { stack: "own" }', 'null.x']) {
    try {
      vm.runInThisContext(code, { filename: 'bad.js', displayErrors });
    } catch (error) {
      console.log(displayErrors, inspect(error.stack?.replaceAll(__dirname, 'HERE').split('\n').slice(0, 5)
        .map((line) => line.replace(/node:vm:[\d:]+/, 'node:vm'))));
    }
  }
}
try {
  vm.runInThisContext('require("vm").runInThisContext("throw new Error(\'once\')", "inner.js")'.replace('require', 'loadIt'), 'outer.js');
} catch (error) {
  console.log(error.message);
}
globalThis.vm = vm;
try {
  vm.runInThisContext('vm.runInThisContext("throw new Error(\'once\')", "inner.js")', 'outer.js');
} catch (error) {
  console.log(error.stack.split('\n').slice(0, 6).join(' | ').replace(/node:vm:[\d:]+/g, 'node:vm'));
}
delete globalThis.vm;

// Errors of another context.
try {
  vm.runInNewContext('function inside() { throw new TypeError("inside") } inside()', {}, 'other.js');
} catch (error) {
  console.log(error instanceof TypeError, error.name, error.stack.split('\n').slice(0, 7).join(' | ').replace(/node:vm:[\d:]+/g, 'node:vm'));
}
const prepared = vm.runInNewContext(`
  Error.prepareStackTrace = (error, frames) => error.message + ' with ' + typeof frames[0].getLineNumber();
  new Error('prepared').stack`);
console.log(prepared, new Error('not prepared').stack.split('\n')[0]);

// Code caches.
const source = 'function double(x) { return 2 * x } double(21)';
const producer = new vm.Script(source, { produceCachedData: true });
console.log(Buffer.isBuffer(producer.cachedData), producer.cachedDataProduced, Object.keys(producer));
const consumer = new vm.Script(source, { cachedData: producer.cachedData });
console.log(consumer.cachedDataRejected, consumer.runInThisContext(), Object.keys(consumer));
console.log(new vm.Script('other', { cachedData: producer.cachedData }).cachedDataRejected);
console.log(new vm.Script(source, { cachedData: Buffer.alloc(0) }).cachedDataRejected);
const view = new DataView(producer.cachedData.buffer, producer.cachedData.byteOffset, producer.cachedData.length);
console.log(new vm.Script(source, { cachedData: view }).cachedDataRejected);
consumer.runInThisContext();
const cache = consumer.createCachedData();
console.log(Buffer.isBuffer(cache), cache.length > 100, new vm.Script(source, { cachedData: cache }).cachedDataRejected);

// Declarations of scripts in one context.
const context = vm.createContext({});
vm.runInContext('let lexical = 1; function f() { return lexical }', context);
attempt('redeclared', () => vm.runInContext('let lexical = 2', context));
attempt('function', () => vm.runInContext('f() + lexical', context));
attempt('strict', () => vm.runInContext('"use strict"; var strictly = 1; this.strictly', context));
attempt('await', () => vm.runInContext('await 1', context));
attempt('import', () => vm.runInContext('import "x"', context));
attempt('return', () => vm.runInContext('return 1', context));
attempt('hashbang', () => vm.runInContext('#!/usr/bin/env node\n1', context));
