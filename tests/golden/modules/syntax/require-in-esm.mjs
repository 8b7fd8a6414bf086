// A name of CommonJS in a module.
console.log('body');
const path = require('node:path');
