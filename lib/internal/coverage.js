'use strict';
// Coverage of the program's code by V8's counters, written as files in the folder that NODE_V8_COVERAGE names.

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

// Scripts are named by path or URL; reports have URLs only. Those of the runtime itself are left out.
function isOfProgram(script) {
  if (StringPrototypeStartsWith(script.url, '/')) script.url = pathToHref(script.url);
  return StringPrototypeStartsWith(script.url, 'file:') || StringPrototypeStartsWith(script.url, 'data:');
}

// The counts since the last call, in the form of a file; undefined if nothing is counted.
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

// False if this V8 has no inspector that we know.
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
