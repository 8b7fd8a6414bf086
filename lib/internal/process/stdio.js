'use strict';
// process.stdout, stderr and stdin, made when they are first read.
const binding = internalBinding('stdio');

let stdout;
let stderr;
let stdin;

function makeOutput(fd) {
  return require('internal/process/std_writer').makeStdout(fd);
}

module.exports = {
  get stdout() { return stdout ??= makeOutput(1); },
  set stdout(value) { stdout = value; },
  get stderr() { return stderr ??= makeOutput(2); },
  set stderr(value) { stderr = value; },
  get stdin() { return stdin ??= require('internal/process/std_reader').makeStdin(); },
  set stdin(value) { stdin = value; },
  // Past streams, listeners and whatever was put in place of them.
  _rawDebug(...args) {
    const { format } = require('internal/util/inspect');
    binding.writeString(2, `${format(...args)}\n`);
  },
};
