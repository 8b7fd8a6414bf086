'use strict';
// The program once more in the plain order, with a trace, for what that tells about causes.
const { spawn } = require('child_process');
const fs = require('fs');
const path = require('path');
const { Causes } = require('internal/explore/causes');
const { readTraceFile } = require('internal/trace/files');

// Null if there is no trace: the program was never started.
function traceRun({ execArgv, program, limit }, limits, folder) {
  const file = path.join(folder, 'races.rtrace');
  const temporary = path.join(folder, 't'); // Of the same length as those of the servers.
  fs.mkdirSync(temporary);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [`--trace-file=${file}`, '--schedule=-', limits, ...execArgv, ...program],
                        { stdio: 'ignore', env: { ...process.env, TMPDIR: temporary } });
    const timer = setTimeout(() => child.kill('SIGKILL'), limit);
    child.on('error', () => {});
    child.on('close', () => {
      clearTimeout(timer);
      let causes = null;
      try {
        causes = new Causes(readTraceFile(file));
      } catch {
        // What explored runs have told must do.
      }
      fs.rmSync(temporary, { recursive: true, force: true });
      resolve({ causes, folder: temporary });
    });
  });
}

module.exports = { traceRun };
