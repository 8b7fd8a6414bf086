'use strict';
// Timers whose duration was used before, by timers that were cleared: the order is that of new ones.
// The durations are long, so that a stall between two starts does not change the order.
const kUnit = 4;
const order = [];
const start = (name, ms) => setTimeout(() => order.push(name), ms * kUnit);
const cleared = (ms) => clearTimeout(setTimeout(() => order.push(`cleared ${ms}`), ms * kUnit));

for (const ms of [90, 60, 30, 60, 90]) cleared(ms);
for (let i = 0; i < 5000; i++) cleared(200 + i); // More durations than are remembered.
for (let round = 0; round < 3; round++) for (let i = 0; i < 700; i++) cleared(200 + i);
clearTimeout(start('unref', 120).unref());

start('90 a', 90);
start('30 a', 30);
start('60 a', 60);
start('90 b', 90);
start('120 a', 120);
start('150 a', 150);
const interval = setInterval(() => {
  order.push('interval');
  clearTimeout(setTimeout(() => {}, 180 * kUnit)); // Queues the list of the interval, and drops it again.
  if (order.filter((name) => name === 'interval').length === 2) clearInterval(interval);
}, 180 * kUnit);
setTimeout(() => {
  cleared(30);
  start('30 b', 30); // Due at 61 units or later, behind '60 a', which started before.
}, 31 * kUnit);

const until = process.hrtime.bigint() + 10_000_000n;
while (process.hrtime.bigint() < until);

setTimeout(() => {
  console.log(order.filter((name) => name !== '30 b').join(', '));
  console.log(order.includes('30 b'), order.indexOf('30 b') > order.indexOf('60 a'));
}, 600 * kUnit);
