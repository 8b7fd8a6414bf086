// From a callback of a file: check comes right after poll (ORD-02). One outcome.
require('fs').stat(__filename, () => {
  setTimeout(() => console.log('timeout'), 0);
  setImmediate(() => console.log('immediate'));
});
