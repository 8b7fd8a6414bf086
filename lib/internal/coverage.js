'use strict';
// Code coverage from V8's counters, written to files in the folder NODE_V8_COVERAGE.

const {
  ArrayPrototypeFilter,
  ArrayPrototypePush,
  DateNow,
  JSONParse,
  JSONStringify,
  StringPrototypeStartsWith,
} = primordials;

const binding = internalBinding('coverage');
const { threadId } = internalBinding('worker');
const { mkdirSync, writeFileSync } = require('fs');
const { pathToHref } = require('internal/modules/urls');
const { atExit } = require('internal/process/execution');
const { join, resolve } = require('path');

let directory;
let isCounting = false;

// Normalizes the script's path to a URL, and returns false for scripts of the runtime itself.
function isOfProgram(script) {
  if (StringPrototypeStartsWith(script.url, '/')) script.url = pathToHref(script.url);
  return StringPrototypeStartsWith(script.url, 'file:') || StringPrototypeStartsWith(script.url, 'data:');
}

// Returns the counts since the last call in the file format; undefined if counting is off.
function collect() {
  const answer = isCounting ? binding.take() : undefined;
  if (answer === undefined) return undefined;
  const { result } = JSONParse(answer);
  if (result === undefined) return undefined;
  result.result = ArrayPrototypeFilter(result.result, isOfProgram);
  const maps = require('internal/source_map/cache').toObject();
  if (maps !== undefined) result['source-map-cache'] = maps;
  return result;
}

function write() {
  if (directory === undefined) return;
  const result = collect();
  if (result === undefined) return;
  const path = join(directory, `coverage-${process.pid}-${DateNow()}-${threadId()}.json`);
  try {
    mkdirSync(directory, { __proto__: null, recursive: true });
    writeFileSync(path, JSONStringify(result));
  } catch (error) {
    process._rawDebug(`${error.code}: Failed to write file ${path}`);
  }
}

// Returns false if the inspector of this V8 is not supported.
function begin() {
  if (isCounting) return true;
  if (!binding.start()) {
    process.emitWarning('The inspector is disabled, coverage could not be collected', 'Warning');
    return false;
  }
  isCounting = true;
  require('internal/source_map/cache').keepAll();
  ArrayPrototypePush(atExit, write);
  return true;
}

// Returns the absolute path of the folder, or ''.
function start(folder) {
  directory = resolve(folder);
  return begin() ? directory : '';
}

function startFromEnvironment() {
  process.env.NODE_V8_COVERAGE = start(process.env.NODE_V8_COVERAGE);
}

function stop() {
  if (!isCounting) return;
  isCounting = false;
  binding.stop();
}

module.exports = { begin, start, startFromEnvironment, stop, write };
