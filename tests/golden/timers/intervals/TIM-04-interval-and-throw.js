'use strict';
// An interval whose callback throws goes on.
let count = 0;
process.on('uncaughtException', (error) => console.log('caught', error.message));
const timer = setInterval(() => {
  if (++count === 3) clearInterval(timer);
  throw new Error(`call ${count}`);
}, 1);
