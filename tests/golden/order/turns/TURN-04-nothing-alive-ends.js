'use strict';
// Neither of these keeps the process alive.
setTimeout(() => console.log('never'), 100000).unref();
setInterval(() => console.log('never'), 100000).unref();
setImmediate(() => console.log('never')).unref();
new Promise(() => {});
process.on('exit', (code) => console.log('exit', code));
