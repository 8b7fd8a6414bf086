'use strict';
// The timer does not keep the loop alive, but it falls due while the last callback runs.
setTimeout(() => console.log('unref timer'), 400).unref();
setImmediate(() => {
  for (const end = Date.now() + 500; Date.now() < end;);
  console.log('immediate');
});
process.on('exit', () => console.log('exit'));
