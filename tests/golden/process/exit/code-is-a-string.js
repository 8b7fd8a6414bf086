'use strict';
process.exitCode = '12';
process.on('exit', (code) => console.log('exit', typeof code, code));
