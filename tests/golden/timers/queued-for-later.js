'use strict';
// Durations whose first timer was cleared and started again: the later start decides their place among the others.
const order = [];
const start = (name, ms) => setTimeout(() => order.push(name), ms);
const busy = (ms) => {
  const until = process.hrtime.bigint() + BigInt(ms) * 1_000_000n;
  while (process.hrtime.bigint() < until);
};

const durations = [80, 200, 110, 70_000, 170, 2 ** 31 - 1, 65_535, 65_536, 140];
for (const ms of durations) clearTimeout(setTimeout(() => order.push(`cleared ${ms}`), ms));
busy(50);
start('50', 50);
const again = durations.map((ms) => start(String(ms), ms));
again[2].refresh();
for (let i = 0; i < 3000; i++) clearTimeout(setTimeout(() => order.push(`cleared ${i}`), 201 + i));
busy(300);

setTimeout(() => {
  console.log(order.join(' '));
  for (const timer of again) clearTimeout(timer);
  order.length = 0;
  let rounds = 0;
  const interval = setInterval(() => {
    order.push('interval');
    if (++rounds === 2) {
      clearInterval(interval);
      setTimeout(() => console.log(order.join(' ')), 100);
      return;
    }
    busy(20);
    clearTimeout(setTimeout(() => order.push('cleared'), 60)); // Queues the interval's list for later than the interval does.
    start('70', 70);
    setImmediate(busy, 150);
  }, 60);
}, 1);

// Numbers that are no durations of setTimeout(), but which a program can set.
const odd = setInterval(() => {
  odd._repeat = [NaN, -3, 2.5, 0][odd.turns = (odd.turns ?? -1) + 1];
  if (odd.turns === 4) clearInterval(odd);
}, 1);
odd.unref();
