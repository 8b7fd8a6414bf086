// From a callback of poll an immediate always comes before a timer: check is the next phase.
//   ./dev run examples/loop/4-check.js
'use strict';

const fs = require('fs');

fs.readFile(__filename, function onFile() {
  setTimeout(function timeout() {
    console.log('timeout');
  }, 0);
  setImmediate(function immediate() {
    console.log('immediate');
    setImmediate(function nested() {
      console.log('nested: one turn later');
    });
  });
});
