'use strict';
// Runs the program once more in the default order and records a trace, from which causes are derived.
const { spawn } = require('child_process');
const { once } = require('events');
const fs = require('fs');
const path = require('path');
const { kEndsWithParent } = require('internal/child_process/process_handle');
const { Causes } = require('internal/explore/causes');
const { readTraceFile } = require('internal/trace/files');

// `causes` is null if there is no trace: the program was never started.
function traceRun({ execArgv, program, limit }, explorer) {
  const { folder, choiceLimits } = explorer;
  const file = path.join(folder, 'races.rtrace');
  const temporary = path.join(folder, 't'); // Of the same length as those of the servers.
  fs.mkdirSync(temporary);
  return new Promise((resolve) => {
    const child = spawn(process.execPath,
      [`--trace-file=${file}`, '--schedule=-', choiceLimits, ...execArgv, ...program],
      { stdio: 'ignore', env: { ...process.env, TMPDIR: temporary }, [kEndsWithParent]: true });
    explorer.traced = {
      abandon() {
        child.kill('SIGKILL');
        return once(child, 'exit');
      },
    };
    const timer = setTimeout(() => child.kill('SIGKILL'), limit);
    child.on('error', () => {});
    child.on('close', () => {
      clearTimeout(timer);
      explorer.traced = null;
      let causes = null;
      try {
        causes = new Causes(readTraceFile(file));
      } catch {
        // Best effort: without a trace the report relies on the explored runs alone.
      }
      fs.rmSync(temporary, { recursive: true, force: true });
      resolve({ causes, folder: temporary });
    });
  });
}

module.exports = { traceRun };
