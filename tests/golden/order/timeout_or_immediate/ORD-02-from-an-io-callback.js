'use strict';
// From a callback of the poll phase the check phase comes first, however late the timer is.
process.stdin.once('data', () => {
  setTimeout(() => console.log('timeout'), 0);
  setImmediate(() => console.log('immediate'));
  for (const end = Date.now() + 5; Date.now() < end;);
});
