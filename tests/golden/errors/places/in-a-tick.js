'use strict';
process.on('exit', (code) => console.log('exit', code));
process.nextTick(() => { throw new Error('in a tick'); });
process.nextTick(() => console.log('never'));
console.log('main');
