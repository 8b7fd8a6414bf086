'use strict';
process.on('exit', (code) => console.log('exit', code));
require('./fixtures/syntax-error.js');
