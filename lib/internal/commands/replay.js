'use strict';
// rondo replay SCHEDULE app.js: the program in an order that `rondo explore` has found.
const { spawn } = require('child_process');
const { constants: { signals } } = require('os');
const { parseArguments, refuse } = require('internal/commands/arguments');

function run(args, execArgv) {
  const [schedule, ...line] = args;
  if (schedule === undefined) refuse('replay', 'which schedule? Try rondo replay 0t1/2 app.js, as rondo explore prints it');
  const parsed = parseArguments('replay', line, { __proto__: null });
  const child = spawn(process.execPath,
                      [...execArgv, ...parsed.execArgv, `--schedule=${schedule}`, ...parsed.rest], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('close', (code, signal) => process.exit(signal === null ? code : 128 + signals[signal]));
}

module.exports = { run };
