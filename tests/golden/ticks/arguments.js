'use strict';
// A tick calls back with as many arguments as it was given, undefined included; hooks see them as `args`.
const { createHook } = require('node:async_hooks');

const seen = [];
const hook = createHook({
  init(id, type, trigger, resource) {
    if (type === 'TickObject') seen.push(resource.args);
  },
}).enable();

function show(...args) {
  console.log(args.length, args);
}

process.nextTick(show);
process.nextTick(show, undefined);
process.nextTick(show, 1, undefined);
process.nextTick(show, [1, 2], 3);
process.nextTick(show, 1, 2, 3);
process.nextTick(show, 1, 2, 3, undefined);
process.nextTick(show, 1, 2, 3, 4, 5);
hook.disable();
console.log(seen);
