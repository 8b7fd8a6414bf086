// Shared by the programs of the fault tests: every operation that is started must be reported exactly once, with success or
// an error. The report is written at exit, by a call that throws if it fails.
'use strict';
const fs = require('node:fs');

const started = [];

// A function for a callback: `(error) => …`.
exports.begin = (name) => {
  const entry = { name, outcomes: [] };
  started.push(entry);
  return (error) => { entry.outcomes.push(error ? error.code ?? `${error}` : 'ok'); };
};

// A promise, or a function that may throw.
exports.attempt = async (name, task) => {
  const done = exports.begin(name);
  try {
    const value = await task();
    done();
    return value;
  } catch (error) {
    done(error);
    return undefined;
  }
};

// A successful result must be correct.
exports.expect = (isSo, otherwise) => {
  if (!isSo) started.push({ name: 'WRONG', outcomes: [otherwise] });
};

process.on('exit', () => {
  if (started.length === 0) return;  // A child.
  const lines = started.map(({ name, outcomes }) => {
    if (outcomes.length === 0) return `LOST ${name}`;
    return outcomes.length > 1 ? `TWICE ${name} ${outcomes}` : `${name} ${outcomes[0]}`;
  });
  let rest = Buffer.from(`${lines.join('\n')}\nEND\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(fs.writeSync(1, rest));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
});
