'use strict';
// Mocha runs the file beside this one in a process of its own.
const { execFile } = require('child_process');
const path = require('path');

const bin = require.resolve('mocha/bin/mocha.js');
execFile(process.execPath, [bin, '--reporter', 'tap', path.join(__dirname, 'mocha_spec.cjs')],
  (error, stdout, stderr) => {
    console.log(stdout.replace(/^ {4,}at .*\n/gm, '').replaceAll(__dirname, '.'));
    console.log('exit', error?.code, stderr);
  });
