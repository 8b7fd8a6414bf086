'use strict';
process.on('uncaughtException', (error, origin) => console.log('caught', error.message, origin));
process.on('exit', (code) => console.log('exit', code));
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('promise'));
setTimeout(() => console.log('timer'), 1);
throw new Error('main');
