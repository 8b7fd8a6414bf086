'use strict';
process.on('exit', (code) => console.log('exit', code));
setTimeout(() => { process.exit(5); }, 1);
setTimeout(() => console.log('never'), 1);
setTimeout(() => console.log('never'), 50);
