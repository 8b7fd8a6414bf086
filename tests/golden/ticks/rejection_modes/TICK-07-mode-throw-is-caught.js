'use strict';
process.on('uncaughtException', (error, origin) => console.log('uncaughtException', error.name, error.message, error.code, origin));
Promise.reject(new Error('an error'));
Promise.reject('text');
Promise.reject(null);
Promise.reject(7);
Promise.reject(Symbol('s'));
setTimeout(() => console.log('timer'), 1);
