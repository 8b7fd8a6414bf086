'use strict';
// This program has one legal order: every seed prints the same, also with a clock that stands still.
const { spawnSync } = require('child_process');
const fs = require('fs');

if (process.argv[2] === 'child') {
  const order = [];
  fs.createReadStream(__filename).on('close', () => {
    setTimeout(() => order.push('timeout'), 0);
    setImmediate(() => order.push('immediate'));
  }).resume();
  process.on('exit', () => console.log(order.join(', ')));
} else {
  const orders = new Set();
  for (let seed = 1; seed <= 30; seed++) {
    const options = [`--seed=${seed}`, ...(seed % 2 === 0 ? ['--clock=virtual'] : [])];
    orders.add(spawnSync(process.execPath, [...options, __filename, 'child'], { encoding: 'utf8' }).stdout);
  }
  console.log([...orders].join(''));
}
