'use strict';
process.on('uncaughtException', (error, origin) => console.log('uncaughtException', error.message, origin));
process.on('unhandledRejection', (reason) => console.log('unhandledRejection', reason.message));
process.on('exit', (code) => console.log('exit', code));
Promise.reject(new Error('one'));
setTimeout(() => console.log('timer'), 1);
