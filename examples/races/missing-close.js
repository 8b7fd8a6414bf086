// A missing close: the shutdown closes open files, but misses a file that is still being opened.
const fs = require('fs');

const open = new Set();
let opened = 0;
let closed = 0;
for (let i = 0; i < 2; i++) {
  fs.open(__filename, (error, descriptor) => {
    opened++;
    open.add(descriptor);
  });
}

setTimeout(function shutdown() {
  for (const descriptor of open) fs.close(descriptor, () => { closed++; });
}, 100);

process.on('exit', () => {
  if (closed !== opened) throw new Error(`${opened - closed} of ${opened} descriptors were left open`);
});
