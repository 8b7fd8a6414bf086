'use strict';
// Lines of standard input, asked for one by one.
const readline = require('node:readline/promises');
(async () => {
  const rl = readline.createInterface({ input: process.stdin, output: process.stdout });
  console.log(rl.terminal);
  console.log(`[${await rl.question('First? ')}]`);
  console.log(`[${await rl.question('Second? ')}]`);
  for await (const line of rl) console.log(`<${line}>`);
  console.log('end', process.stdin.readableEnded);
})();
