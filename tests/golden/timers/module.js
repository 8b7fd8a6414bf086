'use strict';
const timers = require('timers');
console.log(Object.keys(timers).sort().join(' '));
for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate']) {
  console.log(name, timers[name] === globalThis[name], timers[name].name, timers[name].length, typeof Object.getOwnPropertyDescriptor(globalThis, name).value);
}
const { promisify } = require('util');
console.log(typeof promisify(setTimeout), promisify(setTimeout) === require('timers/promises').setTimeout);
promisify(setImmediate)('x').then(console.log);
const timeout = setTimeout(() => {}, 1);
const immediate = setImmediate(() => {});
console.log(timeout.constructor.name, immediate.constructor.name);
