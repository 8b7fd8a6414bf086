'use strict';
// A seed picks one of the legal orders; what has one legal order only stays as it is.
for (let i = 0; i < 3; i++) setImmediate(() => console.log('immediate', i));
for (let i = 0; i < 3; i++) setTimeout(() => console.log('timer', i), 10);
process.nextTick(() => console.log('tick'));
