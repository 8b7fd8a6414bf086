'use strict';
// The seed may change what is left open, and this is not. ORD-01 is: both orders come.
const { execFileSync } = require('node:child_process');
const body = "setTimeout(() => console.log('timeout'), 0); setImmediate(() => console.log('immediate'));";
const fromFile = `require('fs').readFile(process.execPath, () => { ${body} });`;
const fromStat = `require('fs').stat('/', () => { ${body} });`;
function orders(program) {
  const seen = new Set();
  for (let seed = 1; seed <= 10; seed++) {
    const text = execFileSync(process.execPath, ['--clock=virtual', `--seed=${seed}`, '-e', program], { encoding: 'utf8' });
    seen.add(text.trim().split('\n').join(' '));
  }
  return [...seen].sort();
}
console.log(orders(fromFile), orders(fromStat), orders(body));
