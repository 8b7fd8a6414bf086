'use strict';
// rondo explore app.js: finds all outcomes that the program can have, each with the schedule that leads to it.
const os = require('os');
const { parseArguments, refuse } = require('internal/commands/arguments');
const { Explorer } = require('internal/explore/explorer');
const { SystematicSearch, RandomSearch, scheduleOf } = require('internal/explore/search');
const { explain } = require('internal/explore/explain');
const { Races, printRaces, toData } = require('internal/explore/races');
const { traceRun } = require('internal/explore/traced');
const { isFailure } = require('internal/explore/outcomes');
const { shrink } = require('internal/explore/shrink');
const { printReport, showProgress } = require('internal/explore/report');

const kMostExplained = 20;
const kFails = 1; // Exit code if the program fails in every order that was tried.
const kSeveral = 3; // Exit code if --expect-one found more than one outcome, or a race.

const kHelp = `usage: rondo explore [options] app.js [arguments]
       rondo explore [options] uv PROGRAM [arguments]
       rondo explore [options] node ARGUMENTS

Runs the program under every order of callbacks that is legal, with virtual time, and prints each outcome once.

      --bound=N         at most N deviations from the default order
      --all             no limit on the number of schedules
      --limit=N         at most N schedules (10,000)
      --time=SECONDS    stop after this time (60)
      --runs=N          N random schedules instead of all
      --seed=N          seed of the random schedules
      --races           report unordered operations on the same file instead of outcomes
      --expect-one      exit code 3 if there is more than one outcome
      --json            print one JSON object only
      --jobs=N          number of parallel runs
      --timeout=SECONDS time limit of one run (10)
      --slow=MS         longest time of an operation while timers run (1,000)
      --reach=MS        longest time code may run before the loop checks timers (1)
      --late=N          most polls for which completions may be late while nothing else completes (8)
      --no-reduction    also try orders that cannot make a difference
  -h, --help            print this text

Options of rondo itself are passed on to the program. See docs/EXPLORING.md.
`;

const kOwn = {
  '__proto__': null,
  'bound': 'value', 'all': 'nothing', 'limit': 'value', 'time': 'value', 'runs': 'value', 'seed': 'value',
  'expect-one': 'nothing', 'json': 'nothing', 'jobs': 'value', 'timeout': 'value', 'slow': 'value', 'reach': 'value',
  'late': 'value', 'races': 'nothing', 'no-reduction': 'nothing',
};

function numberOf(options, name, least, otherwise) {
  const text = options[name];
  if (text === undefined) return otherwise;
  if (!/^\d+(\.\d+)?$/.test(text) || +text < least) {
    refuse('explore', `--${name} needs a number from ${least}, not '${text}'`);
  }
  return +text;
}

function wholeOf(options, name, least, otherwise) {
  const number = numberOf(options, name, least, otherwise);
  if (number !== otherwise && !Number.isSafeInteger(number)) {
    refuse('explore', `--${name} needs a whole number, not '${options[name]}'`);
  }
  return number;
}

function readSettings(args, execArgv) {
  const parsed = parseArguments('explore', kHelp, args, kOwn);
  const { options } = parsed;
  const isEval = parsed.execArgv.some((arg) => /^(-e|--eval|-p|--print|-pe)(=|$)/.test(arg));
  if (parsed.rest.length === 0 && !isEval) refuse('explore', 'no program given. Try rondo explore app.js');
  if (parsed.execArgv.some((arg) => /^--trace-(file|on)/.test(arg))) {
    refuse('explore', 'a trace needs a single run: rondo replay SCHEDULE --trace-file=FILE app.js');
  }
  const isInstalled = parsed.rest[0] === 'uv' || parsed.rest[0] === 'node';
  if (isInstalled && parsed.rest.length === 1) {
    refuse('explore', `no program given. Try rondo explore ${parsed.rest[0] === 'uv' ? 'uv PROGRAM' : 'node app.js'}`);
  }
  if (isInstalled && options.races !== undefined) {
    refuse('explore', "--races works only in Rondo's own runtime (rondo explore --races app.js)");
  }
  const runs = wholeOf(options, 'runs', 1, 0);
  if (runs === 0 && options.seed !== undefined) refuse('explore', '--seed needs --runs: otherwise nothing is random');
  if (options.all !== undefined && options.limit !== undefined) {
    refuse('explore', 'use either --all or --limit, not both');
  }
  const hasAll = options.all !== undefined;
  return {
    execArgv: [...execArgv, ...parsed.execArgv],
    replayArgv: parsed.execArgv,
    program: parsed.rest,
    jobs: wholeOf(options, 'jobs', 1, Math.min(os.availableParallelism(), 8)),
    limit: Math.max(1, Math.round(numberOf(options, 'timeout', 0.001, 10) * 1000)),
    reach: wholeOf(options, 'reach', 0, 1),
    slow: wholeOf(options, 'slow', 0, 1000),
    late: wholeOf(options, 'late', 0, 8),
    reduces: options['no-reduction'] === undefined,
    bound: wholeOf(options, 'bound', 0, Infinity),
    schedules: hasAll ? Infinity : wholeOf(options, 'limit', 1, options.races === undefined ? 10_000 : 500),
    time: hasAll && options.time === undefined ? Infinity : numberOf(options, 'time', 0.001, 60) * 1000,
    runs,
    seed: wholeOf(options, 'seed', 0, 1),
    findsRaces: options.races !== undefined,
    expectsOne: options['expect-one'] !== undefined,
    isJson: options.json !== undefined,
  };
}

// Finds, for each outcome except that of the default order, a schedule with as few deviations as possible, and
// describes the deviations in sentences.
async function explainOutcomes(explorer, settings) {
  const plain = explorer.outcomes.keyOf(await explorer.run('-'));
  let left = kMostExplained;
  for (const [key, outcome] of explorer.outcomes.keyed()) {
    if (key === plain || left-- === 0) continue;
    outcome.schedule = await shrink(outcome.schedule, async (schedule) =>
      explorer.outcomes.keyOf(await explorer.run(schedule)) === key);
    if (settings.isJson) continue;
    const run = await explorer.run(outcome.schedule, { describes: true });
    outcome.reasons = explain(run.log, explorer.folder);
  }
}

function reportRaces(races, result, settings) {
  const found = races.list(result.complete);
  if (settings.isJson) {
    const { schedules, complete, outside } = result;
    process.stdout.write(`${JSON.stringify({ ...toData(found), schedules, complete, outside })}\n`);
  } else {
    printRaces(found, result, races.isCut, settings);
  }
  process.exitCode = settings.expectsOne && found.races.length > 0 ? kSeveral : 0;
}

async function explore(settings) {
  const explorer = new Explorer(settings);
  const search = settings.runs > 0 ? new RandomSearch(settings) : new SystematicSearch(settings);
  const races = settings.findsRaces ? new Races() : null;
  const limits = {
    describes: settings.findsRaces,
    schedules: settings.runs > 0 ? Infinity : settings.schedules,
    until: Date.now() + settings.time,
  };
  const progress = showProgress(explorer, settings);
  let result;
  try {
    result = await explorer.explore(search, limits, (run, task, folder) => {
      races?.add(run.log, folder, task.seed === undefined ? task.schedule : scheduleOf(run.decisions));
      progress.update();
    });
  } catch (error) {
    progress.end();
    process.stderr.write(error.message);
    process.exit(error.code || 1);
  }
  if (races === null) {
    await explainOutcomes(explorer, settings);
  } else {
    const { causes, folder } = await traceRun(settings, explorer);
    if (causes !== null) races.addTrace(causes, folder);
  }
  progress.end();
  await explorer.close();
  if (races !== null) return reportRaces(races, result, settings);
  if (settings.isJson) {
    const fields = ['stdout', 'stderr', 'exitCode', 'error', 'schedules', 'schedule'];
    const outcomes = result.outcomes.map((outcome) => Object.fromEntries(fields.map((name) => [name, outcome[name]])));
    process.stdout.write(`${JSON.stringify({ ...result, outcomes })}\n`);
  } else {
    printReport(result, settings, search);
  }
  const fails = result.outcomes.length > 0 && result.outcomes.every(isFailure);
  if (fails && !settings.isJson) {
    const { error, exitCode, stderr } = result.outcomes[0];
    const what = error ?? (stderr.trim().split('\n', 1)[0] || `exit code ${exitCode}`);
    process.stderr.write(
      `rondo explore: the program fails in every order: ${what.split('\n', 1)[0].replace(/ \{$/, '')}\n`);
  }
  process.exitCode = settings.expectsOne && result.outcomes.length !== 1 ? kSeveral : fails ? kFails : 0;
}

function run(args, execArgv) {
  explore(readSettings(args, execArgv));
}

module.exports = { run };
