'use strict';
// A reader of standard input waits for the writer.
const { spawn } = require('child_process');
if (process.argv[2] === 'reader') {
  const hour = setTimeout(() => console.log('never'), 3600000);
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (text) => {
    console.log('read', text.trim());
    clearTimeout(hour);
    setTimeout(() => console.log('nobody reads any more, so this comes at once'), 7200000);
    process.stdin.destroy();
  });
} else {
  const child = spawn(process.execPath, ['--clock=virtual', __filename, 'reader'], { stdio: ['pipe', 'inherit', 'inherit'] });
  setTimeout(() => child.stdin.write('late\n'), 300);
  child.on('exit', (code) => console.log('exit', code));
}
