'use strict';
// Runs a program for a command as `rondo` itself would: the program inherits the standard streams, receives signals,
// and its exit code or signal becomes that of the command.
const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { kEndsWithParent } = require('internal/child_process/process_handle');
const { refuse } = require('internal/commands/arguments');

const kForwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];
// Signals that a terminal sends to every process in the foreground, including the program.
const kOfTerminal = new Set(['SIGINT', 'SIGQUIT', 'SIGHUP']);

// True if this process is in the foreground of a terminal, that is, if fields 5 and 8 of its stat, its process group
// and that of the terminal, are equal.
function isInForeground() {
  try {
    const line = fs.readFileSync('/proc/self/stat', 'latin1');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return fields[2] === fields[5];
  } catch {
    return false;
  }
}

// Ends this process as the program ended: with its code, or by the signal that killed it.
function endAs({ code, signal }) {
  if (signal === null) {
    process.exitCode = code;
    return;
  }
  process.removeAllListeners(signal);
  try {
    process.kill(process.pid, signal);
  } catch {
    // The signal may have no name in this system's table.
  }
  // Reached only if the signal did not end the process, for example because it is ignored.
  setImmediate(() => process.exit(128 + (os.constants.signals[signal] ?? 0)));
}

function commandLineOf(options, rest) {
  const needsDashes = rest.length > 0 && rest[0].length > 1 && rest[0].startsWith('-');
  return needsDashes ? [...options, '--', ...rest] : [...options, ...rest];
}

// Starts the program with these options of rondo. Calls onEnd({ code, signal }) when it has ended.
function start(command, options, rest, onEnd, env = process.env) {
  const child = spawn(process.execPath, commandLineOf(options, rest),
    { stdio: 'inherit', argv0: process.argv0, env, [kEndsWithParent]: true });
  const forward = (signal) => {
    if (!kOfTerminal.has(signal) || !isInForeground()) child.kill(signal);
  };
  for (const signal of kForwarded) process.on(signal, forward);
  child.on('error', (error) => refuse(command, `cannot start ${process.execPath}: ${error.message}`, 1));
  child.on('exit', (code, signal) => {
    onEnd({ code, signal });
    for (const name of kForwarded) process.removeListener(name, forward);
  });
  return child;
}

// Creates a temporary folder. remove() deletes it; so does the end of this process, except by an uncatchable signal.
function makeFolder(command, purpose) {
  let folder;
  try {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), `rondo-${command}-`));
  } catch (error) {
    refuse(command, `cannot make a folder for ${purpose}: ${error.message}; set TMPDIR to use another folder`, 1);
  }
  const clear = () => {
    try {
      fs.rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      process.stderr.write(`rondo ${command}: cannot remove ${folder}: ${error.message}\n`);
    }
  };
  process.on('exit', clear);
  const remove = () => {
    clear();
    process.removeListener('exit', clear);
  };
  return { folder, remove };
}

module.exports = { endAs, makeFolder, start };
