'use strict';
process.on('beforeExit', () => { throw new Error('from beforeExit'); });
process.on('exit', (code) => console.log('exit', code));
