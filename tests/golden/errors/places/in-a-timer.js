'use strict';
process.on('exit', (code) => console.log('exit', code));
setTimeout(() => { throw new Error('in a timer'); }, 1);
setTimeout(() => console.log('never'), 50);
console.log('main');
