'use strict';
// Files do not wait for names that are looked up slowly: as many look-ups as there are threads leave some to others.
const fs = require('node:fs');
const dns = require('node:dns');
let looked = 0;
for (let i = 0; i < 8; i++) dns.lookup('localhost', () => looked++);
fs.readdir(__dirname, (error, names) => {
  console.log(error, names.includes('POOL-04-look-ups-leave-threads.js'));
  const wait = setInterval(() => {
    if (looked < 8) return;
    clearInterval(wait);
    console.log('all found');
  }, 1);
});
