'use strict';
process.on('exit', (code) => {
  console.log('exit', code);
  throw new Error('from the listener');
});
process.on('exit', () => console.log('never'));
