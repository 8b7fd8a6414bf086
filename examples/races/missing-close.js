// A missing close: the shutdown closes what is open, but a file that is still being opened is not among them.
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
