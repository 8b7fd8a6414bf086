'use strict';
process.on('exit', (code) => {
  console.log('exit', code, process.exitCode);
  process.exitCode = 42;
});
throw new Error('ends with 42');
