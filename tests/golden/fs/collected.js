'use strict';
// A FileHandle and a Dir that the program lost are closed when they are collected, with a warning.
const fs = require('fs');

process.removeAllListeners('warning');
process.on('warning', (warning) => console.log(warning.name, warning.code, warning.message.replace(/\d+/, 'N')));

(async () => {
  await (async () => {
    const handle = await fs.promises.open('/dev/null');
    await handle.close(); // No warning for this one.
    const dir = await fs.promises.opendir('.');
    await dir.close();
  })();
  const count = () => fs.readdirSync('/proc/self/fd').length;
  const before = count();
  await (async () => {
    await fs.promises.open('/dev/null');
  })();
  for (let i = 0; i < 5; i++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await (async () => {
    fs.opendirSync('.');
  })();
  for (let i = 0; i < 5; i++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  // A thread closes unreferenced handles at some later time.
  for (let i = 0; i < 500 && count() > before; i++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  console.log(count() - before);
})();
