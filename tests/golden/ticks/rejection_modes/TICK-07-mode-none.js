'use strict';
process.on('exit', (code) => console.log('exit', code));
Promise.reject(new Error('nobody hears of it'));
setTimeout(() => console.log('timer'), 1);
