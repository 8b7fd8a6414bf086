'use strict';
// The message shows the reason as V8 would, without running any of its code.
process.on('uncaughtException', (error) => console.log(error.message.slice(error.message.indexOf('reason "'))));
class A {}
class B { toString() { throw new Error('called'); } }
for (const reason of [{ a: 1 }, [1], new Map(), () => 1, class C {}, new A(), new B(), Object.create(null), 5n, -0,
  new Date(0), /x/, { toString() { return 'q'; } }, { [Symbol.toStringTag]: 'T' }, Promise.resolve(), '', true]) {
  Promise.reject(reason);
}
