// Prints what programs can see of the globals and of the modules that are given: a line for each member, with its kind,
// the number of parameters of a function, and whether it is enumerable. Names that begin with _ and symbols of the
// runtime's own are left out. surface.py compares the output of two programs.
'use strict';

const lines = new Set();
const wellKnown = new Set(Reflect.ownKeys(Symbol).map((key) => Symbol[key])
  .filter((value) => typeof value === 'symbol'));
// The arguments of the process, and streams.
const skipped = /^(process\.(env|argv|execArgv|execPath|config|stdin|stdout|stderr|report|title|mainModule|loop|versions|features|allowedNodeEnvironmentFlags|moduleLoadList|release)|module\.(builtinModules|globalPaths)|globalThis\.(global|globalThis|process|localStorage)|.*\.(arguments|caller|constructor))$/;
const ownOfFunction = new Set(['length', 'name', 'prototype']);

function isPublic(key) {
  if (typeof key === 'string') return key[0] !== '_';
  return wellKnown.has(key) || (Symbol.keyFor(key) ?? '').startsWith('nodejs.');
}

function nameOf(path, key) {
  return typeof key === 'symbol' ? `${path}[${key.description}]` : `${path}.${key}`;
}

// All members, those of the prototypes too: in which of two classes a method stands is of no interest.
function membersOf(object) {
  const result = new Map();
  const isEnd = (one) => one === null || one === Object.prototype || one === Function.prototype;
  for (let one = object; !isEnd(one); one = Object.getPrototypeOf(one)) {
    for (const key of Reflect.ownKeys(one)) {
      if (isPublic(key) && !result.has(key)) result.set(key, Object.getOwnPropertyDescriptor(one, key));
    }
  }
  return result;
}

function kindOf(value) {
  return typeof value === 'function' ? `function ${value.length}` : value === null ? 'null' : typeof value;
}

function add(path, kind, isEnumerable) {
  lines.add(`${path}\t${kind}\t${isEnumerable ? 'enumerable' : 'hidden'}`);
}

function walkPrototype(path, prototype) {
  for (const [key, descriptor] of membersOf(prototype)) {
    if (key === 'constructor') continue;
    const kind = 'value' in descriptor ? kindOf(descriptor.value) :
      `accessor${descriptor.get ? ' get' : ''}${descriptor.set ? ' set' : ''}`;
    add(nameOf(path, key), kind, descriptor.enumerable);
  }
}

function walk(path, object, depth) {
  const isFunction = typeof object === 'function';
  for (const [key, descriptor] of isFunction ? ownMembers(object) : membersOf(object)) {
    if (isFunction && ownOfFunction.has(key)) continue;
    const name = nameOf(path, key);
    if (skipped.test(name)) continue;
    let value;
    try {
      value = object[key];
    } catch {
      continue;
    }
    add(name, kindOf(value), descriptor.enumerable);
    if (depth === 0 || value === null || value === object || key === Symbol.species) continue;
    if (typeof value === 'function') {
      walk(name, value, depth - 1);
      const { prototype } = value;
      if (typeof prototype === 'object' && prototype !== null) walkPrototype(`${name}.prototype`, prototype);
    } else if (typeof value === 'object' && !Array.isArray(value)) {
      walk(name, value, depth - 1);
    }
  }
}

function ownMembers(object) {
  return Reflect.ownKeys(object).filter(isPublic).map((key) => [key, Object.getOwnPropertyDescriptor(object, key)]);
}

process.removeAllListeners('warning');
process.on('warning', () => {});
walk('globalThis', globalThis, 1);
walk('process', process, 1);
for (const name of process.argv.slice(2)) {
  const exported = require(name);
  if (name === 'process') continue;
  walk(name, exported, 2);
}
process.stdout.write(`${[...lines].sort().join('\n')}\n`, () => process.exit());
