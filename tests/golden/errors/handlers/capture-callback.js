'use strict';
console.log(process.hasUncaughtExceptionCaptureCallback());
for (const bad of [undefined, 1, 'x', {}, []]) {
  try {
    process.setUncaughtExceptionCaptureCallback(bad);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
process.on('uncaughtException', (error) => console.log('listener', error.message));
process.setUncaughtExceptionCaptureCallback((error) => console.log('captured', error.message));
console.log(process.hasUncaughtExceptionCaptureCallback());
try {
  process.setUncaughtExceptionCaptureCallback(() => {});
} catch (error) {
  console.log(error.name, error.code, error.message);
}
process.nextTick(() => { throw new Error('tick'); });
setImmediate(() => {
  process.setUncaughtExceptionCaptureCallback(null);
  console.log(process.hasUncaughtExceptionCaptureCallback());
  throw new Error('for the listener');
});
throw new Error('main');
