'use strict';
// A stream whose signal came before it was made gives its descriptor back. Node keeps it open.
const fs = require('fs');

const descriptors = () => fs.readdirSync('/proc/self/fd').length;

(async () => {
  for (const make of [
    (signal) => fs.createReadStream(__filename, { signal }),
    (signal) => fs.createWriteStream('/dev/null', { signal }),
  ]) {
    const before = descriptors();
    for (let i = 0; i < 10; i++) {
      const stream = make(AbortSignal.abort());
      stream.on('error', () => {});
      await new Promise((resolve) => stream.on('close', resolve));
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    console.log(descriptors() - before);
  }
})();
