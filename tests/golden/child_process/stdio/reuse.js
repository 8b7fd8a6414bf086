'use strict';
// A stream that was lent to a child is ours again when the child is done with it.
const { spawn } = require('child_process');

const cat = spawn('cat', { stdio: ['pipe', 'pipe', 'inherit'] });
const head = spawn('head', ['-n1'], { stdio: [cat.stdout, 'pipe', 'inherit'] });
cat.stdin.write('for the child\n');
head.stdout.on('data', (chunk) => console.log('child', chunk.toString()));
head.on('close', (code) => {
  console.log(code, cat.stdout.isPaused(), cat.stdout.readableFlowing);
  cat.stdin.end('for us\n');
  cat.stdout.on('data', (chunk) => console.log('us', chunk.toString()));
  cat.stdout.resume();
  cat.on('close', (status) => console.log(status));
});
