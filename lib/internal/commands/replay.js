'use strict';
// rondo replay SCHEDULE app.js: the program in an order that `rondo explore` has found, or that `rondo --record=FILE` has
// written down.
const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { parseArguments, refuse } = require('internal/commands/arguments');

// Schedules have no letters but these, so that whatever else there is names a file.
function isSchedule(text) {
  return /^(-|[\dtcbe/.]+)$/.test(text) && !fs.existsSync(text);
}

// A folder for temporary files in which there is nothing, as each explored run has one.
function makeFolder() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-replay-'));
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function run(args, execArgv) {
  const [schedule, ...line] = args;
  if (schedule === undefined) {
    refuse('replay', 'which schedule, or which record? Try rondo replay 0t1/2 app.js, as rondo explore prints it');
  }
  const parsed = parseArguments('replay', line, { __proto__: null });
  const options = [...execArgv, ...parsed.execArgv];
  const env = { ...process.env };
  if (isSchedule(schedule)) {
    options.push(`--schedule=${schedule}`);
    env.TMPDIR = makeFolder();
  } else {
    options.push(`--replay=${schedule}`);
  }
  const child = spawn(process.execPath, [...options, ...parsed.rest], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('close', (code, signal) => process.exit(signal === null ? code : 128 + os.constants.signals[signal]));
}

module.exports = { run };
