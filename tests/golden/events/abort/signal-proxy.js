'use strict';
// A proxy of a signal answers as the signal does.
const fs = require('fs');
const { once } = require('events');

const proxyOf = (target) => new Proxy(target, { get: (object, key, receiver) => Reflect.get(object, key, receiver) });
const fail = (error) => console.log(error.name, error.code);

const controller = new AbortController();
const signal = proxyOf(controller.signal);
console.log(signal.aborted, signal.reason, signal.throwIfAborted(), signal instanceof AbortSignal);
signal.addEventListener('abort', (event) => console.log(event.type));
signal.onabort = () => console.log('onabort');
controller.abort(new Error('reason'));
console.log(signal.aborted, signal.reason.message);
try {
  signal.throwIfAborted();
} catch (error) {
  console.log(error.message);
}

const { get } = Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'aborted');
for (const value of [{}, undefined, null, 1]) {
  try {
    console.log(get.call(value));
  } catch (error) {
    console.log(error.name, error.code);
  }
}

(async () => {
  await fs.promises.readFile(__filename, { signal }).catch(fail);
  await once(process, 'never', { signal }).catch(fail);
  const later = new AbortController();
  const waiting = once(process, 'never', { signal: proxyOf(later.signal) }).catch(fail);
  later.abort();
  await waiting;
})();
