'use strict';
// A stream whose signal came before it was made gives its descriptor back. Node keeps it open.
const fs = require('fs');

const descriptors = () => fs.readdirSync('/proc/self/fd').length;

(async () => {
  const before = descriptors();
  for (const make of [
    (signal) => fs.createReadStream(__filename, { signal }),
    (signal) => fs.createWriteStream('/dev/null', { signal }),
  ]) {
    for (let i = 0; i < 10; i++) {
      const stream = make(AbortSignal.abort());
      stream.on('error', () => {});
      await new Promise((resolve) => stream.on('close', resolve));
    }
    // They are opened, and closed, when a thread gets to it.
    let tries = 0;
    do await new Promise((resolve) => setTimeout(resolve, 50)); while (descriptors() > before && ++tries < 100);
    console.log(descriptors() - before);
  }
})();
