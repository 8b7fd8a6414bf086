'use strict';
Promise.resolve().then(() => console.log('promise 1'));
queueMicrotask(() => console.log('microtask 1'));
Promise.resolve({ then(resolve) { console.log('thenable'); resolve(); } }).then(() => console.log('after the thenable'));
queueMicrotask(() => {
  console.log('microtask 2');
  queueMicrotask(() => console.log('microtask of microtask 2'));
});
Promise.reject(new Error('x')).catch(() => console.log('rejection caught'));
(async () => { await undefined; console.log('await'); })();
queueMicrotask(() => console.log('microtask 3'));
for (const bad of [undefined, null, 1, 'x', {}, []]) {
  try {
    queueMicrotask(bad);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
