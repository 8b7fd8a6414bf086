'use strict';
// rondo order [options] app.js: runs a program, then lists its callbacks in the order in which they ran, with the
// reason for the position of each.
const { refuse } = require('internal/commands/arguments');
const { tryGetCwd } = require('internal/process/cwd');
const { parseCommand } = require('internal/trace/command_line');

const kCommand = 'order';
const kUsualLimit = 1000;
const own = {
  '__proto__': null,
  'o': 'value',
  'output': 'value',
  'json': 'nothing',
  'limit': 'value',
  'thread': 'value',
  'trace-buffer': 'value',
  'trace-file': 'value',
  'trace-on': 'value',
};

const kHelp = `usage: rondo order [options] [options of rondo] app.js [arguments]
       rondo order [options] [options of rondo] uv PROGRAM [arguments]
       rondo order [options] FILE.rtrace

Runs a program as rondo would, with the same output and exit code, and then lists its callbacks on stderr, in the order
in which they ran: the phase, the kind, the function, where it was scheduled and by which callback, and the rule that
determines its position.
With the file of an earlier run (rondo trace -o FILE.rtrace) it prints the list on stdout.

  -o, --output FILE       write the list into FILE instead; - is stdout
      --json              the list as JSON
      --limit=N           list the first N callbacks (${kUsualLimit}); 0: all
      --thread=N          list those of worker thread N
      --trace-buffer=MIB  keep the last MIB MiB of the run
  -h, --help              this text
`;

function readNumber(options, name, usual) {
  const text = options[name];
  if (text === undefined) return usual;
  if (!/^[0-9]{1,15}$/.test(text)) refuse(kCommand, `--${name} needs a whole number, not '${text}'`);
  return Number(text);
}

// Writes the list. Returns false if there was nothing to write.
function show(recorded, settings, stream) {
  const { Model } = require('internal/trace/model');
  const { orderLines, steps } = require('internal/trace/order');
  const { styleFor } = require('internal/trace/words');
  for (const failure of recorded.failures) process.stderr.write(`rondo order: ${failure}\n`);
  const trace = recorded.traces.find((each) => each.header.threadId === settings.thread);
  if (trace === undefined) {
    if (recorded.traces.length > 0) process.stderr.write(`rondo order: there was no thread ${settings.thread}\n`);
    return false;
  }
  const model = new Model(trace);
  const limit = settings.limit === 0 ? Infinity : settings.limit;
  let text = '';
  const put = (piece) => {
    text += piece;
    if (text.length < 65536) return;
    stream.write(text);
    text = '';
  };
  if (settings.isJson) {
    put('[');
    let separator = '\n';
    for (const step of steps(model, limit)) {
      put(separator + JSON.stringify(step));
      separator = ',\n';
    }
    put('\n]\n');
  } else {
    for (const line of orderLines(model, limit, styleFor(stream), tryGetCwd())) put(`${line}\n`);
  }
  stream.write(text);
  return true;
}

function run(args, execArgv) {
  const { options, rest, isOfFile, execArgv: more } = parseCommand(kCommand, kHelp, args, own);
  const { openOutput, readRecording } = require('internal/trace/files');
  for (const name of ['trace-file', 'trace-on']) {
    if (options[name] !== undefined) refuse(kCommand, `--${name} is for rondo and rondo trace`);
  }
  const settings = {
    isJson: options.json !== undefined,
    limit: readNumber(options, 'limit', kUsualLimit),
    thread: readNumber(options, 'thread', 0),
  };
  const output = options.o ?? options.output;
  if (isOfFile) {
    const recorded = readRecording(kCommand, rest[0]);
    if (!show(recorded, settings, openOutput(kCommand, output, process.stdout))) process.exitCode = 1;
    return;
  }
  const stream = openOutput(kCommand, output, process.stderr);
  const buffer = options['trace-buffer'] === undefined ? [] : [`--trace-buffer=${options['trace-buffer']}`];
  const { endAs } = require('internal/commands/program');
  const { runRecorded } = require('internal/trace/run');
  runRecorded(kCommand, [...buffer, ...execArgv, ...more], rest, null, (outcome, recorded) => {
    const isGood = show(recorded, settings, stream) || (recorded.traces.length === 0 && recorded.failures.length === 0);
    endAs(!isGood && outcome.code === 0 ? { code: 1, signal: null } : outcome);
  });
}

module.exports = { run };
