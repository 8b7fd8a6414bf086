'use strict';
// Smaller parts of process: features, ref and unref, finalization, capture callbacks, CPU time of a thread.
process.removeAllListeners('warning');
const tried = (call) => {
  try {
    return call();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};
console.log(process.features.require_module, process.features.typescript, process.features.cached_builtins);
console.log(Object.keys(process.features).slice(-5).join());

const calls = [];
process.ref({ ref() { calls.push('ref'); } });
process.unref({ unref() { calls.push('unref'); } });
process.ref({ [Symbol.for('nodejs.ref')]() { calls.push('symbol'); }, ref() { calls.push('not this'); } });
process.unref({ [Symbol.for('nodejs.unref')]() { calls.push('other symbol'); } });
process.ref(null);
process.unref(undefined);
process.ref({});
process.ref({ ref: 1 });
console.log(calls);

const { user, system } = process.threadCpuUsage();
console.log(typeof user, typeof system, Object.keys(process.threadCpuUsage({ user: 0, system: 0 })));
for (const wrong of [1, {}, { user: -1, system: 0 }, { user: 0, system: 'x' }, { user: 0, system: Infinity }]) {
  console.log(tried(() => process.threadCpuUsage(wrong)));
}

console.log(tried(() => process.finalization.register(1, () => {})));
const kept = { name: 'kept' };
const dropped = { name: 'dropped' };
process.finalization.register(kept, (object, event) => console.log('finalized', object.name, event));
process.finalization.register(dropped, () => console.log('never'));
process.finalization.registerBeforeExit(kept, (object, event) => console.log('before', object.name, event));
process.finalization.unregister(dropped);

console.log(tried(() => process.addUncaughtExceptionCaptureCallback(1)));
process.addUncaughtExceptionCaptureCallback((error) => {
  console.log('first', error.message);
  return true;
});
process.addUncaughtExceptionCaptureCallback((error) => {
  console.log('second', error.message);
  return error.message === 'two';
});
console.log(process.hasUncaughtExceptionCaptureCallback());
setTimeout(() => { throw new Error('one'); }, 1);
setTimeout(() => { throw new Error('two'); }, 2);

console.log(process.getBuiltinModule('fs') === require('fs'), process.getBuiltinModule('node:test') === require('node:test'));
console.log(process.getBuiltinModule('test'), process.getBuiltinModule('nothing'), tried(() => process.getBuiltinModule(1)));
console.log(process.assert, process.domain, process.sourceMapsEnabled);
console.log(tried(() => process.dlopen({ exports: {} }, '/dev/null')).slice(0, 40));
setTimeout(() => console.log(kept.name), 5);
