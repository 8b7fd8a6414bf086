// A stale read: nothing waits for the write, assuming that it will be done by the time of the read.
const fs = require('fs');
const os = require('os');
const path = require('path');
const file = path.join(os.tmpdir(), `state-${process.pid}`);

fs.writeFileSync(file, 'old');
fs.writeFile(file, 'new', () => {});
setTimeout(() => {
  fs.readFile(file, 'utf8', (error, text) => {
    fs.rmSync(file);
    if (text !== 'new') throw new Error(`it is still ${text}`);
  });
}, 200);
