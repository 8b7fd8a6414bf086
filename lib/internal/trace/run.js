'use strict';
// Runs a program as `rondo` would, untouched but for being recorded: its standard streams are ours, signals reach it, and
// what ended it ends us. For `rondo trace` and `rondo order`.
const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { refuse } = require('internal/commands/arguments');
const { readTraceFiles } = require('internal/trace/files');

const kForwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];
// What a terminal sends to everybody in the foreground, the program included.
const kOfTerminal = new Set(['SIGINT', 'SIGQUIT', 'SIGHUP']);

// Whether we are in the foreground of a terminal. Fields 5 and 8 of the line are our group and the terminal's.
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
    // Not every signal of a system is known to us by name.
  }
  // Only if it did not work: by a signal that we ignore.
  setImmediate(() => process.exit(128 + (os.constants.signals[signal] ?? 0)));
}

function commandLineOf(options, rest) {
  const needsDashes = rest.length > 0 && rest[0].length > 1 && rest[0].startsWith('-');
  return needsDashes ? [...options, '--', ...rest] : [...options, ...rest];
}

// Starts the program with these options of rondo. onEnd({ code, signal }) when it has ended.
function start(command, options, rest, onEnd) {
  const child = spawn(process.execPath, commandLineOf(options, rest), { stdio: 'inherit', argv0: process.argv0 });
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

// Runs it with a recording in a folder of its own, which is removed before onEnd(outcome, { traces, failures }, session) is
// called. `session` is what onStart({ file, child }) gave, if there is one.
// There are no traces if the program was never started: an option that rondo refuses, a question for its version.
function runRecorded(command, options, rest, onStart, onEnd) {
  let folder;
  try {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), `rondo-${command}-`));
  } catch (error) {
    refuse(command, `cannot make a folder for the recording: ${error.message}; TMPDIR says where`, 1);
  }
  const file = path.join(folder, 'main.rtrace');
  // Whatever ends us, but for what nobody can catch.
  const remove = () => fs.rmSync(folder, { recursive: true, force: true });
  process.on('exit', remove);
  let session;
  const child = start(command, [`--trace-file=${file}`, ...options], rest, (outcome) => {
    let recorded = { traces: [], failures: [] };
    try {
      if (fs.existsSync(file)) recorded = readTraceFiles(file);
    } catch (error) {
      recorded.failures.push(error.message);
    }
    remove();
    process.removeListener('exit', remove);
    onEnd(outcome, recorded, session);
  });
  if (onStart !== null) session = onStart({ file, child });
}

// "ended with code 0 after 1.2 s"
function tellOutcome({ code, signal }, took) {
  return `${signal === null ? `ended with code ${code}` : `was ended by ${signal}`} after ${took}`;
}

module.exports = { endAs, runRecorded, start, tellOutcome };
