'use strict';
process.on('exit', (code) => console.log('exit', code));
process.on('warning', (warning) => console.log(warning.name, warning.message.split('\n')[0].slice(0, 40)));
Promise.reject(new Error('warned of'));
setTimeout(() => console.log('timer'), 1);
