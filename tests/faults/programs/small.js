// A program for the commands that run programs: trace, explore, order.
'use strict';
const fs = require('node:fs');
const { begin } = require('./account.js');

const read = begin('read');
const timer = begin('timer');
fs.readFile(__filename, (error) => read(error));
setTimeout(() => timer(), 200);  // Long enough for the watchdog to go to sleep.
