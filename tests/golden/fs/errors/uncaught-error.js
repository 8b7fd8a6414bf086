'use strict';
const fs = require('node:fs');
fs.readFile('/nowhere/at/all', (error) => {
  console.log(error.stack.split('\n').length);
  throw error;
});
