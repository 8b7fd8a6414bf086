'use strict';
// WeakRef, WeakSet, WeakMap and FinalizationRegistry: what they take and refuse.

const show = (name, call) => {
  try {
    console.log(name, call());
  } catch (error) {
    console.log(name, error.name, error.message);
  }
};
show('WeakRef', () => new WeakRef(1));
show('WeakRef', () => new WeakRef(Symbol.for('registered')));
show('WeakRef', () => typeof new WeakRef(Symbol('local')).deref());
show('WeakSet', () => new WeakSet([Symbol('local')]).has(Symbol('local')));
show('WeakMap', () => new WeakMap([[Symbol.iterator, 1]]).get(Symbol.iterator));
show('registry', () => new FinalizationRegistry(1));
show('registry', () => new FinalizationRegistry(() => {}).register(1));
const same = {};
show('registry', () => new FinalizationRegistry(() => {}).register(same, same));
show('registry', () => new FinalizationRegistry(() => {}).unregister({}));
console.log(new FinalizationRegistry(() => {}), new WeakRef(same));
