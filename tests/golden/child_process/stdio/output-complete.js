'use strict';
// A child of the same kind as this program that ends right after writing: all of it arrives.
const { spawn, spawnSync, execFile } = require('child_process');

const many = 1 << 20;
const programs = {
  'process.exit': `process.stdout.write('x'.repeat(${many})); process.exit(3)`,
  'falls off the end': `process.stdout.write('x'.repeat(${many}))`,
  'console.log': `console.log('x'.repeat(${many - 1})); process.exit(4)`,
  'lines': `for (let i = 0; i < 20000; i++) console.log('line ' + i); process.exit(5)`,
  'stderr': `process.stderr.write('y'.repeat(${many})); process.exit(6)`,
  'throws': `process.stdout.write('x'.repeat(${many})); process.on('uncaughtException', () => process.exit(7)); throw 1`,
};
(async () => {
  for (const [name, program] of Object.entries(programs)) {
    const sync = spawnSync(process.execPath, ['-e', program], { maxBuffer: Infinity });
    console.log(name, sync.status, sync.stdout.length, sync.stderr.length);
    await new Promise((resolve) => {
      const child = spawn(process.execPath, ['-e', program]);
      let out = 0;
      let err = 0;
      child.stdout.on('data', (chunk) => { out += chunk.length; });
      child.stderr.on('data', (chunk) => { err += chunk.length; });
      child.on('close', (code) => {
        console.log(name, code, out, err);
        resolve();
      });
    });
  }
  await new Promise((resolve) => {
    execFile(process.execPath, ['-p', '"x".repeat(5)'], (error, stdout) => resolve(console.log(error, stdout)));
  });
  const reader = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)']);
  let text = '';
  reader.stdout.on('data', (chunk) => { text += chunk; });
  reader.on('close', () => console.log(text.length));
  reader.stdin.end('z'.repeat(many));
})();
