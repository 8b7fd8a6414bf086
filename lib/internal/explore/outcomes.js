'use strict';
// Groups runs by outcome: two runs have the same outcome if they printed the same on stdout, and ended the same way
// with the same error.
const { constants: { signals } } = require('os');

function signalName(number) {
  for (const name of Object.keys(signals)) {
    if (signals[name] === number) return name;
  }
  return `signal ${number}`;
}

// The line of an uncaught error in a program's stderr: the one before its stack, or the one after the source line and
// its caret.
function errorLine(stderr) {
  const lines = stderr.split('\n');
  const stack = lines.findIndex((line) => line.startsWith('    at '));
  if (stack > 0) {
    let first = stack - 1;
    while (first > 0 && lines[first - 1] !== '' && !/^\s*\^+$/.test(lines[first - 1])) first--;
    return lines.slice(first, stack).join('\n');
  }
  const caret = lines.findIndex((line) => /^\s*\^+$/.test(line));
  if (caret >= 0) return lines.slice(caret + 1).find((line) => line !== '') ?? '';
  return lines.find((line) => line.startsWith('Uncaught')) ?? '';
}

// { exitCode, error }: error is null where the program ended by itself with 0, or said nothing.
function endOf(run, limit) {
  if (run.how === 'timeout') return { exitCode: null, error: `did not end within ${limit / 1000} s` };
  if (run.how === 'signal') return { exitCode: null, error: `killed by ${signalName(run.code)}` };
  const line = run.code === 0 ? '' : errorLine(run.stderr);
  return { exitCode: run.code, error: line === '' ? null : line };
}

class Outcomes {
  #byKey = new Map();
  #limit;

  constructor(limit) {
    this.#limit = limit;
  }

  keyOf(run) {
    const { exitCode, error } = endOf(run, this.#limit);
    // A program that was cut off may have printed more or less by then.
    const text = run.how === 'timeout' ? '' : `${run.stdoutSize} ${run.stdoutHash} ${run.stdout}`;
    return `${exitCode} ${error} ${text}`;
  }

  // The first schedule that led to an outcome stands for it: it has the fewest deviations.
  add(run, schedule) {
    const key = this.keyOf(run);
    let outcome = this.#byKey.get(key);
    if (outcome === undefined) {
      outcome = { stdout: run.stdout, stderr: run.stderr, ...endOf(run, this.#limit), schedules: 0, schedule };
      if (run.stdoutSize > Buffer.byteLength(run.stdout)) {
        outcome.omitted = run.stdoutSize - Buffer.byteLength(run.stdout);
      }
      this.#byKey.set(key, outcome);
    }
    outcome.schedules++;
    return outcome;
  }

  get size() { return this.#byKey.size; }
  list() { return [...this.#byKey.values()]; }
  keyed() { return [...this.#byKey]; }
}

function isFailure(outcome) {
  return outcome.exitCode !== 0;
}

module.exports = { Outcomes, isFailure };
