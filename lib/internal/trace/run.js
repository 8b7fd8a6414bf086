'use strict';
// Runs a program as `rondo` would, untouched but for being recorded. For `rondo trace` and `rondo order`.
const fs = require('fs');
const path = require('path');
const { makeFolder, start } = require('internal/commands/program');
const { readTraceFiles } = require('internal/trace/files');

// Runs it with a recording in a folder of its own, which is removed before onEnd(outcome, { traces, failures }, session) is
// called. `session` is what onStart({ file, child }) gave, if there is one.
// There are no traces if the program was never started: an option that rondo refuses, a question for its version.
function runRecorded(command, options, rest, onStart, onEnd) {
  const { folder, remove } = makeFolder(command, 'the recording');
  const file = path.join(folder, 'main.rtrace');
  let session;
  const child = start(command, [`--trace-file=${file}`, ...options], rest, (outcome) => {
    let recorded = { traces: [], failures: [] };
    try {
      if (fs.existsSync(file)) recorded = readTraceFiles(file);
    } catch (error) {
      recorded.failures.push(error.message);
    }
    remove();
    onEnd(outcome, recorded, session);
  });
  if (onStart !== null) session = onStart({ file, child });
}

// "ended with code 0 after 1.2 s"
function tellOutcome({ code, signal }, took) {
  return `${signal === null ? `ended with code ${code}` : `was ended by ${signal}`} after ${took}`;
}

module.exports = { runRecorded, tellOutcome };
