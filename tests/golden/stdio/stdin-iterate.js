'use strict';
// Standard input as an async iterable, and as bytes.
(async () => {
  let size = 0;
  for await (const chunk of process.stdin) {
    if (!Buffer.isBuffer(chunk)) console.log('not a buffer');
    size += chunk.length;
  }
  console.log('bytes', size);
})();
