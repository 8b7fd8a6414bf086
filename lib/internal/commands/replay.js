'use strict';
// rondo replay SCHEDULE app.js: the program in an order that `rondo explore` has found, or that `rondo --record=FILE` has
// written down.
const fs = require('fs');
const { parseArguments, refuse } = require('internal/commands/arguments');
const { endAs, makeFolder, start } = require('internal/commands/program');

const kCommand = 'replay';
const kOwn = { __proto__: null };

const kHelp = `usage: rondo replay SCHEDULE [options of rondo] app.js [arguments]
       rondo replay FILE [options of rondo] app.js [arguments]

Runs the program in one order of callbacks, with virtual time: that of a schedule, as rondo explore prints them
(0t1/2; - is the plain order), or that of a run that rondo --record=FILE has written down. Where the program or its
world is no longer the same, says at which step, and ends with code 4.

  -h, --help            print this text

docs/EXPLORING.md tells more.
`;

// Schedules have no letters but these, so that whatever else there is names a file.
function isSchedule(text) {
  return /^(-|[\dtcbe/.]+)$/.test(text) && !fs.existsSync(text);
}

function run(args, execArgv) {
  const before = parseArguments(kCommand, kHelp, args, kOwn);
  if (before.rest.length === 0) {
    refuse(kCommand, 'which schedule, or which record? Try rondo replay 0t1/2 app.js, as rondo explore prints it');
  }
  const [schedule, ...line] = before.rest;
  const behind = parseArguments(kCommand, kHelp, line, kOwn);
  const options = [...execArgv, ...before.execArgv, ...behind.execArgv];
  if (!isSchedule(schedule)) {
    start(kCommand, [...options, `--replay=${schedule}`], behind.rest, endAs);
    return;
  }
  // Temporary files go where there is nothing yet, as in each explored run.
  const { folder, remove } = makeFolder(kCommand, "the program's temporary files");
  const end = (outcome) => {
    remove();
    endAs(outcome);
  };
  start(kCommand, [...options, `--schedule=${schedule}`], behind.rest, end, { ...process.env, TMPDIR: folder });
}

module.exports = { run };
