'use strict';
// destroy is emitted at the beginning of a check phase: not between the immediates of one.
const { createHook, AsyncResource } = require('async_hooks');
const fs = require('fs');
const types = new Map();
const say = (text) => fs.writeSync(1, `${text}\n`);
const block = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

setTimeout(() => {
  createHook({
    init(asyncId, type) { types.set(asyncId, type); },
    destroy(asyncId) { if (types.has(asyncId)) say(`destroy ${types.get(asyncId)}`); },
  }).enable();
  setImmediate(() => {
    say('first immediate');
    setImmediate(() => say('immediate of the immediate'));
    process.nextTick(() => say('tick'));
    block(50);
  });
  setImmediate(() => say('second immediate'));
  setTimeout(() => say('timer'), 5);
  setTimeout(() => say('another timer'), 6);
  new AsyncResource('Resource').emitDestroy();
  say('started');
}, 1);
