'use strict';
// A worker can be made, and process.env be used, after the program has patched what all objects and strings inherit.
const { Worker } = require('node:worker_threads');

Object.prototype.get = () => { throw new Error('get was called'); };
Object.prototype.set = () => { throw new Error('set was called'); };
Object.prototype.writable = false;
String.prototype.includes = () => { throw new Error('includes was called'); };

process.env.PATCHED = 'yes';
Object.defineProperty(process.env, 'DEFINED', { __proto__: null, value: 'too', configurable: true, enumerable: true, writable: true });
console.log(process.env.PATCHED, process.env.DEFINED, Object.keys(process.env).indexOf('PATCHED') >= 0, 'PATCHED' in process.env);

const source = "require('worker_threads').parentPort.postMessage([process.env.PATCHED, process.env.DEFINED])";
new Worker(source, { eval: true })
  .on('message', (message) => console.log(message[0], message[1]))
  .on('exit', (code) => console.log('exit', code));
