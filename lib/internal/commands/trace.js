'use strict';
// rondo trace [options] app.js: runs a program and reports where its time went. rondo trace FILE.rtrace: does the same
// for an earlier recording.
const fs = require('fs');
const path = require('path');
const { refuse } = require('internal/commands/arguments');
const { tryGetCwd } = require('internal/process/cwd');
const { parseCommand } = require('internal/trace/command_line');

const kCommand = 'trace';
const kMostTop = 10_000;
const own = {
  '__proto__': null,
  'o': 'values',
  'output': 'values',
  'open': 'nothing',
  'top': 'value',
  'json': 'nothing',
  'report': 'value',
  'quiet': 'nothing',
  'q': 'nothing',
  'no-report': 'nothing',
  'trace-buffer': 'value',
  'trace-on': 'values',
  'trace-file': 'value',
};

const kHelp = `usage: rondo trace [options] [options of rondo] app.js [arguments]
       rondo trace [options] [options of rondo] uv PROGRAM [arguments]
       rondo trace [options] FILE.rtrace

Runs a program like rondo, with the same output and exit code, and then prints on stderr where it spent its time.
For the trace file of an earlier run it prints the report on stdout.

  -o, --output FILE       also write FILE, in the format of its extension; may be repeated
                            .html     a page for a browser, in a single file
                            .json     Chrome's trace events, for chrome://tracing and ui.perfetto.dev
                            .pftrace  Perfetto's own format
                            .rtrace   the recording itself, for a later rondo trace
      --open              show the page in a browser while the program runs
      --top=N             number of slowest callbacks to list (10)
      --json              print the report as JSON
      --report=FILE       write the report to FILE; - is stdout
  -q, --quiet, --no-report
                          no report
      --trace-buffer=MIB  keep the last MIB MiB of the run
      --trace-on=WHEN     no report; write rondo-PID-N.rtrace on a trigger: SIGUSR2, blocked:MS or uncaught
  -h, --help              this text
`;

const formats = {
  '__proto__': null,
  '.json': (models) => require('internal/trace/chrome').chromePieces(models),
  '.pftrace': (models) => require('internal/trace/perfetto').perfettoPieces(models),
  '.html': (models, folder) => [require('internal/trace/html').render(models, { folder })],
  '.rtrace': null,
};

// Checks the names before the program runs, so that a long run is not wasted.
function checkOutputs(outputs) {
  for (const output of outputs) {
    if (formats[path.extname(output)] === undefined) {
      refuse(kCommand, `unknown format of '${output}': its name must end in .html, .json, .pftrace or .rtrace`);
    }
    const folder = path.dirname(path.resolve(output));
    try {
      fs.accessSync(folder, fs.constants.W_OK);
      if (fs.existsSync(output)) fs.accessSync(output, fs.constants.W_OK);
    } catch (error) {
      refuse(kCommand, `cannot write ${output}: ${error.message}`);
    }
  }
}

function readTop(text) {
  if (text === undefined) return 10;
  const top = Number(text);
  if (!/^[0-9]+$/.test(text) || top > kMostTop) {
    refuse(kCommand, `--top needs a whole number from 0 to ${kMostTop}, not '${text}'`);
  }
  return top;
}

function writeOutput(output, models) {
  const { writePieces, writeTraceFile } = require('internal/trace/files');
  const make = formats[path.extname(output)];
  if (make !== null) {
    writePieces(output, make(models, tryGetCwd()));
    return;
  }
  writeTraceFile(models[0].trace, output);
  for (const model of models.slice(1)) writeTraceFile(model.trace, `${output}.w${model.header.threadId}`);
}

// Writes all outputs for the recordings. Returns false if one of them could not be written.
function show(recorded, settings, stream, outcome) {
  const { Model } = require('internal/trace/model');
  const { summarize } = require('internal/trace/summary');
  const { duration, styleFor } = require('internal/trace/words');
  let isGood = true;
  const models = recorded.traces.map((trace) => new Model(trace));
  if (settings.reports && models.length > 0) {
    const summaries = models.map((model) => summarize(model, settings.top));
    if (settings.isJson) {
      const ended = outcome ?? { code: summaries[0].exitCode, signal: null };
      stream.write(`${JSON.stringify({ ...ended, threads: summaries, failures: recorded.failures }, null, 2)}\n`);
    } else {
      const { reportOn } = require('internal/trace/report');
      const { describeOutcome } = require('internal/trace/run');
      const style = styleFor(stream);
      summaries.forEach((summary, i) => {
        const ending = i === 0 && outcome !== null ? describeOutcome(outcome, duration(summary.to)) : undefined;
        stream.write(`${i === 0 ? '' : '\n'}${reportOn(summary, style, tryGetCwd(), ending)}`);
      });
    }
  }
  for (const failure of recorded.failures) process.stderr.write(`rondo trace: ${failure}\n`);
  for (const output of models.length === 0 ? [] : settings.outputs) {
    try {
      writeOutput(output, models);
    } catch (error) {
      process.stderr.write(`rondo trace: cannot write ${output}: ${error.message}\n`);
      isGood = false;
    }
  }
  return isGood && recorded.failures.length === 0;
}

// Returns the options that are passed on to the recorder.
function recorderOptions(options) {
  const list = [];
  if (options['trace-buffer'] !== undefined) list.push(`--trace-buffer=${options['trace-buffer']}`);
  for (const when of options['trace-on'] ?? []) list.push(`--trace-on=${when}`);
  return list;
}

function run(args, execArgv) {
  const { options, rest, isOfFile, execArgv: more } = parseCommand(kCommand, kHelp, args, own);
  const { openOutput, readRecording } = require('internal/trace/files');
  const settings = {
    outputs: [...(options.o ?? []), ...(options.output ?? [])],
    top: readTop(options.top),
    report: options.report,
    isJson: options.json !== undefined,
    reports: options.quiet === undefined && options.q === undefined && options['no-report'] === undefined,
  };
  checkOutputs(settings.outputs);
  if (options['trace-file'] !== undefined) {
    refuse(kCommand, '--trace-file is for rondo itself; use -o FILE.rtrace to keep the recording');
  }
  if (isOfFile) {
    const stream = openOutput(kCommand, settings.report, process.stdout);
    if (!show(readRecording(kCommand, rest[0]), settings, stream, null)) process.exitCode = 1;
    return;
  }
  const passed = [...recorderOptions(options), ...execArgv, ...more];
  const { endAs, start } = require('internal/commands/program');
  const { runRecorded } = require('internal/trace/run');
  if (options['trace-on'] !== undefined) {
    // The flight recorder writes its files itself, when one of its conditions occurs.
    if (settings.outputs.length > 0 || options.open !== undefined) {
      refuse(kCommand, '--trace-on writes rondo-PID-N.rtrace for a later rondo trace; ' +
        'it cannot be combined with -o or --open');
    }
    start(kCommand, passed, rest, endAs);
    return;
  }
  const stream = openOutput(kCommand, settings.report, process.stderr);
  const live = options.open === undefined ? null : require('internal/trace/live').open;
  runRecorded(kCommand, passed, rest, live, (outcome, recorded, session) => {
    const isGood = show(recorded, settings, stream, outcome);
    const ended = !isGood && outcome.code === 0 ? { code: 1, signal: null } : outcome;
    if (session === undefined) endAs(ended);
    else session.whenDone(() => endAs(ended)); // Serve the page until the browser closes it.
  });
}

module.exports = { run };
