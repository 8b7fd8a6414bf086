// Which members are enumerable, writable or have setters, as in Node.
'use strict';
for (const name of ['arch', 'config', 'platform', 'release', 'version', 'versions']) {
  const { configurable, enumerable, writable } = Object.getOwnPropertyDescriptor(process, name);
  console.log(name, configurable, enumerable, writable);
}
new Function('process.platform = "other";')();
console.log(process.platform);
try {
  (function() { 'use strict'; process.arch = 'other'; })();
} catch ({ name, message }) {
  console.log(name, message);
}
Object.defineProperty(process, 'platform', { value: 'mine' });
console.log(process.platform, Object.getOwnPropertyDescriptor(process.versions, 'v8').writable,
            Object.getOwnPropertyDescriptor(process.release, 'name').writable, Object.isExtensible(process.versions));
const tag = Object.getOwnPropertyDescriptor(process, Symbol.toStringTag);
console.log(tag.writable, tag.configurable, tag.enumerable);
console.log(['emitWarningSync', 'makeOwnEnv', 'refreshWarnings'].map((name) => name in process));

for (const cancelable of [true, false]) {
  const event = new Event('x', { cancelable });
  event.returnValue = true;
  console.log(event.returnValue, event.defaultPrevented);
  event.returnValue = false;
  console.log(event.returnValue, event.defaultPrevented);
  event.returnValue = true;
  console.log(event.returnValue);
}
const target = new EventTarget();
target.addEventListener('x', (event) => { event.returnValue = 0; });
console.log(target.dispatchEvent(new Event('x', { cancelable: true })), target.dispatchEvent(new Event('x')));

const keys = [];
for (const key in new Blob([])) keys.push(key);
console.log(keys.sort().join());
const v8 = require('v8');
for (const name of ['Serializer', 'Deserializer']) console.log(name, Object.keys(v8[name].prototype).sort().join());
const { asyncWrapProviders } = require('async_hooks');
console.log(Object.keys(asyncWrapProviders).length, asyncWrapProviders.LOCKS, asyncWrapProviders.VERIFYREQUEST);
