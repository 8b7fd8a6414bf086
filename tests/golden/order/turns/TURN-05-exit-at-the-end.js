'use strict';
// Callbacks for the end of the program, among all the others.
process.on('exit', () => console.log('exit callback'));
process.nextTick(() => console.log('tick'));
setImmediate(() => console.log('immediate'));
console.log('main');
