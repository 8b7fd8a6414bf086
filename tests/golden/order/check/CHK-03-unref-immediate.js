'use strict';
setImmediate(() => console.log('never')).unref();
const back = setImmediate(() => console.log('taken back')).unref();
back.ref();
const ran = setImmediate(() => {
  console.log(ran.hasRef(), ran._destroyed);
  ran.ref();
  ran.unref();
});
process.on('exit', () => console.log('exit'));
