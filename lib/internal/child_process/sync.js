'use strict';

// spawnSync(): native code runs the child and waits for it, while no other code runs.

const { ArrayPrototypeSlice, Int32Array, String } = primordials;

const binding = internalBinding('child_process');
const { errnoException } = require('internal/errors');
const { names: signalNames } = require('internal/util/signals');

const kIgnore = -1;
const kPipe = -2;

// Encodes the stdio list for native code: a descriptor, kIgnore or kPipe for each entry.
function codesOf(stdio) {
  const codes = new Int32Array(stdio.length);
  for (let i = 0; i < stdio.length; i++) {
    const { type, fd } = stdio[i];
    codes[i] = type === 'ignore' ? kIgnore : fd === undefined ? kPipe : fd;
  }
  return codes;
}

// Converts arguments to strings for native code. As in Node, spawnSync() rejects symbols and spawn() does not.
function textsOf(args, takesSymbols) {
  const texts = [];
  for (let i = 0; i < args.length; i++) texts[i] = takesSymbols ? String(args[i]) : `${args[i]}`;
  return texts;
}

function run(options) {
  const args = textsOf(options.args, false);
  const codes = codesOf(options.stdio);
  return binding.spawnSync(
    options.stdio[0].type === 'pipe' ? options.stdio[0].input : undefined, options.timeout ?? 0,
    options.maxBuffer ?? 0, options.killSignal ?? 15,
    options.file, args, options.envPairs, options.cwd ?? undefined, options.detached, options.uid ?? undefined,
    options.gid ?? undefined, false, codes);
}

function spawnSync(options) {
  const { 0: pid, 1: status, 2: signal, 3: error, 4: output } = run(options);
  const result = {};
  if (error !== 0) {
    result.error = errnoException(error, `spawnSync ${options.file}`);
    result.error.path = options.file;
    result.error.spawnargs = ArrayPrototypeSlice(options.args, 1);
  }
  result.status = status;
  result.signal = signal === null ? null : signalNames[signal];
  result.output = output;
  result.pid = pid;
  if (output !== null) {
    const { Buffer } = require('buffer');
    const asText = options.encoding && options.encoding !== 'buffer';
    for (let i = 0; i < output.length; i++) {
      if (output[i] === null) continue;
      const bytes = Buffer.from(output[i]);
      output[i] = asText ? bytes.toString(options.encoding) : bytes;
    }
  }
  result.stdout = output?.[1];
  result.stderr = output?.[2];
  return result;
}

module.exports = { codesOf, spawnSync, textsOf };
