'use strict';
process.on('exit', (code) => console.log('exit', code));
queueMicrotask(() => { throw new Error('in a microtask'); });
console.log('main');
