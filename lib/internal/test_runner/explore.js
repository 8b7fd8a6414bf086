'use strict';
// rondo test --explore N: runs every file with N seeds. A test that fails with some of them depends on an order that is
// not guaranteed; it is reported with a seed that reproduces the failure.

const {
  ArrayPrototypeFilter,
  ArrayPrototypeForEach,
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  ArrayPrototypeSort,
  MathMin,
  SafeArrayIterator,
  SafeMap,
  SafePromiseAll,
  StringPrototypeSplit,
} = primordials;

const { once } = require('events');
const { relative } = require('path');
const { availableParallelism } = require('os');
const { kIsOfCommand, run } = require('internal/test_runner/runner');
const { sequences, symbols } = require('internal/test_runner/reporters/utils');

// All failures of one file under one seed.
async function runOnce(file, seed, settings) {
  const failures = [];
  const stream = run({
    __proto__: null,
    files: [file],
    timeout: settings.timeout,
    only: settings.only,
    testNamePatterns: settings.testNamePatterns,
    execArgv: [...settings.execArgv, `--seed=${seed}`],
    signal: settings.signal,
    [kIsOfCommand]: true,
  });
  stream.on('test:fail', (data) => {
    const isReported = data.details.error?.failureType === 'subtestsFailed';
    if ((data.todo === undefined || data.todo === false) && !isReported) ArrayPrototypePush(failures, data);
  });
  stream.resume();
  await once(stream, 'end');
  return failures;
}

// One line: with the values of assert.strictEqual(), which are below its first line.
function describe(error) {
  const cause = error?.code === 'ERR_TEST_FAILURE' ? error.cause : error;
  const lines = ArrayPrototypeFilter(StringPrototypeSplit(`${cause?.message ?? cause}`, '\n'), (line) => line !== '');
  return lines.length === 2 ? `${lines[0]} ${lines[1]}` : lines[0] ?? '';
}

async function exploreFile(file, seeds, settings) {
  const failed = new SafeMap(); // Name and place of a test => { data, seeds }
  let next = 1;
  const worker = async () => {
    while (next <= seeds && !settings.signal.aborted) {
      const seed = next++;
      ArrayPrototypeForEach(await runOnce(file, seed, settings), (data) => {
        const key = `${data.name} ${data.line}:${data.column}`;
        if (!failed.has(key)) failed.set(key, { data, seeds: [] });
        ArrayPrototypePush(failed.get(key).seeds, seed);
      });
    }
  };
  const workers = [];
  for (let i = MathMin(availableParallelism(), seeds); i > 0; i--) ArrayPrototypePush(workers, worker());
  await SafePromiseAll(workers);
  return failed;
}

async function explore(files, seeds, settings) {
  const paint = sequences();
  let failures = 0;
  for (let i = 0; i < files.length; i++) {
    const name = relative(process.cwd(), files[i]);
    const failed = await exploreFile(files[i], seeds, settings);
    if (settings.signal.aborted) {
      process.stdout.write(`${settings.signal.reason.message}: ${i} of ${files.length} files were explored\n`);
      failures++;
      break;
    }
    if (failed.size === 0) {
      process.stdout.write(`${paint.green}${symbols['test:pass']}${name}: ${seeds} seeds${paint.white}\n`);
      continue;
    }
    failures++;
    process.stdout.write(`${paint.red}${symbols['test:fail']}${name}${paint.white}\n`);
    const all = [...failed.values()];
    for (let j = 0; j < all.length; j++) {
      const { data, seeds: bad } = all[j];
      ArrayPrototypeSort(bad, (a, b) => a - b);
      const always = bad.length === seeds ? 'every seed' : `${bad.length} of ${seeds} seeds`;
      const options = ArrayPrototypeJoin([...new SafeArrayIterator(settings.execArgv), `--seed=${bad[0]}`], ' ');
      process.stdout.write(`  ${data.name} (${name}:${data.line}:${data.column}) fails with ${always}: ` +
        `${describe(data.details.error)}\n    again: rondo test ${options} ${name}\n`);
    }
  }
  if (failures > 0) process.exitCode = 1;
}

module.exports = { explore };
