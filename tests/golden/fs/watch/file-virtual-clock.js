'use strict';
// Polling follows the loop's clock: a quarter of a minute takes no time.
const fs = require('fs');
const os = require('os');

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);
fs.writeFileSync('f', '');
const start = performance.now();
fs.watchFile('f', { interval: 5000 }, (now, before) => {
  console.log('seen after', Math.round((performance.now() - start) / 1000), 's:', before.size, now.size);
  fs.unwatchFile('f');
  fs.rmSync(folder, { recursive: true });
});
setTimeout(() => fs.writeFileSync('f', 'abc'), 12000);
