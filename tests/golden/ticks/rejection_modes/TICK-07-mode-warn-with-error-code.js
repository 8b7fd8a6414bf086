'use strict';
process.on('exit', (code) => console.log('exit', code));
Promise.reject(new Error('warned of'));
setTimeout(() => console.log('timer'), 1);
