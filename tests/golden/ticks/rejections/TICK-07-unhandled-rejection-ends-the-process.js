'use strict';
process.on('exit', (code) => console.log('exit', code));
setTimeout(() => console.log('never'), 10);
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('promise'));
Promise.reject(new Error('nobody handles this'));
console.log('main');
