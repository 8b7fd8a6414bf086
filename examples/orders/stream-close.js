// From the 'close' of a file stream, which comes from a callback in poll (ORD-04). One outcome.
require('fs').createReadStream(__filename).on('close', () => {
  setTimeout(() => console.log('timeout'), 0);
  setImmediate(() => console.log('immediate'));
}).resume();
