'use strict';
// process.stdout, stderr and stdin, created when they are first read.
const { ReflectApply } = primordials;
const binding = internalBinding('stdio');

let stdout;
let stderr;
let stdin;

function makeOutput(fd) {
  return require('internal/process/std_writer').makeStdout(fd);
}

// Calls visit(isTerminal, stream) for outputs that a program has used and that are pipes or terminals.
function forEachInUse(visit) {
  for (let fd = 1; fd <= 2; fd++) {
    const stream = fd === 1 ? stdout : stderr;
    // The program may have replaced them with other values.
    if (stream === undefined || stream === null || stream.fd !== fd || stream.destroyed) continue;
    const kind = binding.kind(fd);
    if (kind !== 'pipe' && kind !== 'tty') continue;
    visit(kind === 'tty', stream);
  }
}

// Properties of `process`, and functions for lib only.
const own = {
  get stdout() { return stdout ??= makeOutput(1); },
  set stdout(value) { stdout = value; },
  get stderr() { return stderr ??= makeOutput(2); },
  set stderr(value) { stderr = value; },
  get stdin() { return stdin ??= require('internal/process/std_reader').makeStdin(); },
  set stdin(value) { stdin = value; },
  // Bypasses the streams, their listeners and any replacement of them.
  _rawDebug(...args) {
    const { format } = require('internal/util/inspect');
    binding.writeString(2, `${ReflectApply(format, undefined, args)}\n`);
  },
};

module.exports = { forEachInUse, own };
