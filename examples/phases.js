// Timeout or immediate, and how late a timer can be.
//   ./dev run examples/phases.js
// From the main script both orders are possible: try --clock=virtual with --seed=1, 2, 3. From the callback of a file
// there is one: the check phase comes after poll.
'use strict';

const fs = require('fs');

function race(name) {
  setTimeout(() => console.log(`${name}: timeout`), 0);
  setImmediate(() => console.log(`${name}: immediate`));
}

race('main script');

fs.readFile(__filename, () => {
  race('file callback');

  // A timer of 100 ms; a file is read at 95 ms, and its callback takes 10 ms: the timer comes at 105 ms.
  const start = Date.now();
  setTimeout(() => console.log(`the timer of 100 ms ran after ${Date.now() - start} ms`), 100);
  setTimeout(() => {
    fs.readFile(__filename, () => {
      const begin = Date.now();
      while (Date.now() - begin < 10);
    });
  }, 95);
});
