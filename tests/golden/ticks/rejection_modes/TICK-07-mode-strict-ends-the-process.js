'use strict';
process.on('unhandledRejection', () => console.log('never'));
process.on('exit', (code) => console.log('exit', code));
Promise.reject(new Error('one'));
setTimeout(() => console.log('never'), 10);
