'use strict';
// Ticks keep their order and their arguments while the queue grows, shrinks and goes round, also around ticks that throw.
let wrong = 0;
let next = 0;
let queued = 0;
const queue = () => {
  const id = queued++;
  const check = (...args) => {
    if (id !== next++ || args.length !== id % 5 || args.some((value, i) => value !== id + i)) wrong++;
  };
  process.nextTick(check, ...Array.from({ length: id % 5 }, (_, i) => id + i));
};

// More in each tick than it takes away, then fewer, many times over.
for (let i = 0; i < 10; i++) queue();
let steps = 0;
process.nextTick(function step() {
  const count = (steps * 7919) % 613;
  for (let i = 0; i < count; i++) queue();
  if (++steps < 200) process.nextTick(step);
});
setImmediate(() => {
  console.log(steps, queued, next, wrong);

  let thrown = 0;
  const order = [];
  process.on('uncaughtException', (error) => {
    console.log(error.message);
    if (++thrown < 3) return;
    console.log(order.length, order.every((value, i) => value === i));
    setImmediate(testHooks);
  });
  for (let i = 0; i < 600; i++) {
    process.nextTick((value) => {
      order.push(value);
      if (value % 200 === 199) throw new Error(`thrown by ${value}`);
    }, i);
  }
});

// Hooks that are switched on and off between queueing and running.
function testHooks() {
  const { createHook, executionAsyncResource } = require('node:async_hooks');
  const seen = [];
  const hook = createHook({
    init(id, type, trigger, resource) { if (type === 'TickObject') seen.push('init', resource.args); },
  });
  const note = (...args) => seen.push(args, executionAsyncResource().args);
  process.nextTick(note, 'before');
  hook.enable();
  process.nextTick(note, 'with', 'hooks');
  process.nextTick((...args) => { note(...args); hook.disable(); }, 1, 2, 3);
  process.nextTick(note);
  setImmediate(() => console.log(seen));
}
