'use strict';
process.on('exit', (code) => console.log('exit', code));
setImmediate(() => { throw new RangeError('in an immediate'); });
setImmediate(() => console.log('never'));
console.log('main');
