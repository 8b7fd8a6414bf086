// Files are read on the pool; poll sleeps until something has arrived, and runs its callback.
//   ./dev run examples/loop/3-poll.js
'use strict';

const crypto = require('crypto');
const fs = require('fs');

fs.readFile(__filename, function onFile(error, text) {
  console.log(`onFile: ${text.length} bytes`);
  setTimeout(function soon() {}, 5); // Poll may sleep until then, and no longer.
});

// Six jobs for four workers: two have to wait.
for (let i = 1; i <= 6; i++) {
  crypto.pbkdf2('password', 'salt', 20000, 32, 'sha256', function onKey() {
    console.log(`onKey ${i}`);
  });
}
