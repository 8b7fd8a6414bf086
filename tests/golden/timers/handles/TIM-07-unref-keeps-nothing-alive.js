'use strict';
const far = 100000;
setTimeout(() => console.log('never'), far).unref();
const back = setTimeout(() => console.log('ran: it was taken back'), 2).unref();
back.ref();
setTimeout(() => {
  console.log('last timer');
  setTimeout(() => console.log('never'), far).unref();
}, 30);
const twice = setTimeout(() => console.log('never'), far);
twice.unref();
twice.unref();
process.on('exit', () => console.log('exit'));
