'use strict';
// rondo replay SCHEDULE app.js: runs the program in an order that `rondo explore` has found, or that `rondo
// --record=FILE` has recorded.
const fs = require('fs');
const { parseArguments, refuse } = require('internal/commands/arguments');
const { endAs, makeFolder, start } = require('internal/commands/program');

const kCommand = 'replay';
const kOwn = { __proto__: null };

const kHelp = `usage: rondo replay SCHEDULE [options of rondo] app.js [arguments]
       rondo replay FILE [options of rondo] app.js [arguments]
       rondo replay SCHEDULE|FILE [options of rondo] uv PROGRAM [arguments]
       rondo replay SCHEDULE|FILE [options of rondo] node ARGUMENTS

Runs the program in one order of callbacks, with virtual time: that of a schedule, as rondo explore prints them
(0t1/2; - is the default order), or that of a run recorded with rondo --record=FILE. If the program or the files it
reads have changed, reports the first step that differs, and ends with code 4.

  -h, --help            print this text

See docs/EXPLORING.md.
`;

// Schedules contain only these characters; any other argument is the name of a file.
function isSchedule(text) {
  return /^(-|[\dtcbe/.]+)$/.test(text) && !fs.existsSync(text);
}

function run(args, execArgv) {
  const before = parseArguments(kCommand, kHelp, args, kOwn);
  if (before.rest.length === 0) {
    refuse(kCommand, 'no schedule or record given. Try rondo replay 0t1/2 app.js, as printed by rondo explore');
  }
  const [schedule, ...line] = before.rest;
  const behind = parseArguments(kCommand, kHelp, line, kOwn);
  const options = [...execArgv, ...before.execArgv, ...behind.execArgv];
  if (!isSchedule(schedule)) {
    start(kCommand, [...options, `--replay=${schedule}`], behind.rest, endAs);
    return;
  }
  // Use an empty folder for temporary files, as in each explored run.
  const { folder, remove } = makeFolder(kCommand, "the program's temporary files");
  const end = (outcome) => {
    remove();
    endAs(outcome);
  };
  start(kCommand, [...options, `--schedule=${schedule}`], behind.rest, end, { ...process.env, TMPDIR: folder });
}

module.exports = { run };
