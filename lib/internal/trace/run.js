'use strict';
// Runs a program as `rondo` would, but records it. For `rondo trace` and `rondo order`.
const fs = require('fs');
const path = require('path');
const { refuse } = require('internal/commands/arguments');
const { makeFolder, start } = require('internal/commands/program');
const { readTraceFiles } = require('internal/trace/files');

// Content of the file until a recording begins. Distinguishes a recording that never began from a truncated one.
const kNotBegun = 'not begun';

function writeOrRefuse(command, file) {
  try {
    fs.writeFileSync(file, kNotBegun);
  } catch (error) {
    refuse(command, `cannot write the recording: ${error.message}; set TMPDIR to use another folder`, 1);
  }
}

function readRecorded(file) {
  const recorded = { traces: [], failures: [] };
  try {
    const { size } = fs.statSync(file);
    if (size === kNotBegun.length && fs.readFileSync(file, 'latin1') === kNotBegun) return recorded;
    return readTraceFiles(file);
  } catch (error) {
    recorded.failures.push(error.code === 'ENOENT' ? `the recording was removed while the program ran: ${file}` :
      error.message);
  }
  return recorded;
}

// Records a run of the program in a temporary folder, which is removed before onEnd(outcome, { traces, failures },
// session) is called. `session` is the result of onStart({ file, child }), unless onStart is null. `traces` is empty if
// the program was never started, as with a bad option or --version. `failures` says why a recording that was begun
// cannot be read.
function runRecorded(command, options, rest, onStart, onEnd) {
  const { folder, remove } = makeFolder(command, 'the recording');
  const file = path.join(folder, 'main.rtrace');
  writeOrRefuse(command, file);
  let session;
  const child = start(command, [`--trace-file=${file}`, ...options], rest, (outcome) => {
    const recorded = readRecorded(file);
    remove();
    onEnd(outcome, recorded, session);
  });
  if (onStart !== null) session = onStart({ file, child });
}

// "ended with code 0 after 1.2 s"
function describeOutcome({ code, signal }, took) {
  return `${signal === null ? `ended with code ${code}` : `was ended by ${signal}`} after ${took}`;
}

module.exports = { runRecorded, describeOutcome };
