'use strict';
process.on('exit', (code) => console.log('exit', code));
Promise.resolve().then(() => {
  try {
    process.exit(4);
  } catch {
    console.log('never');
  } finally {
    console.log('never');
  }
}).then(() => console.log('never'));
setImmediate(() => console.log('never'));
