'use strict';
// The report of `rondo explore`.

const kMostLines = 20; // Of the output of one outcome.

function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

function hasColour(stream) {
  return stream.isTTY && process.env.NO_COLOR === undefined;
}

// A progress line on stderr that is overwritten with each update, if stderr is a terminal.
function showProgress(explorer, settings) {
  const stream = process.stderr;
  const isShown = stream.isTTY && !settings.isJson;
  let last = 0;
  return {
    update() {
      const now = Date.now();
      if (!isShown || now - last < 100) return;
      last = now;
      stream.write(`\r\x1b[K${plural(explorer.schedules, 'schedule')}, ${plural(explorer.outcomes.size, 'outcome')}`);
    },
    end() {
      if (isShown && last > 0) stream.write('\r\x1b[K');
    },
  };
}

function quote(word) {
  return /^[\w./:=@,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function replayLine(schedule, settings) {
  return ['rondo', 'replay', schedule, ...settings.replayArgv, ...settings.program].map(quote).join(' ');
}

function howComplete(result, settings, search) {
  if (result.complete) return 'Every order that the model allows was tried.';
  if (settings.runs > 0) return 'They were chosen at random: there may be more outcomes.';
  if (settings.bound !== Infinity && search.isDone) {
    return `Every order with at most ${plural(settings.bound, 'deviation')} was tried; there may be more outcomes.`;
  }
  if (!search.isDone) return 'The limit was reached before every order was tried: use --all to try all of them.';
  return 'Not every order could be tried to its end.';
}

function indented(text) {
  const lines = text.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, kMostLines).map((line) => `   ${line}`);
  if (lines.length > kMostLines) shown.push(`   ... and ${plural(lines.length - kMostLines, 'line')} more`);
  return shown.join('\n');
}

// The error message of a failed program, without the stack.
function withoutStack(text) {
  return text.trim().replace(/\n +at .*/g, '');
}

function printReport(result, settings, search) {
  const bold = hasColour(process.stdout) ? (text) => `\x1b[1m${text}\x1b[22m` : (text) => text;
  const out = [];
  const count = plural(result.outcomes.length, 'outcome');
  out.push(`${bold(count)} in ${plural(result.schedules, 'schedule')}. ${howComplete(result, settings, search)}`);
  if (result.outside.length > 0) {
    out.push(`Not controlled by schedules: ${result.outside.join(', ')}.`);
  }
  result.outcomes.forEach((outcome, i) => {
    const { schedules, stdout, stderr, omitted, exitCode, error, schedule } = outcome;
    out.push('', bold(`${i + 1}. ${plural(schedules, 'schedule')}: ${replayLine(schedule, settings)}`));
    if (stdout !== '') out.push(indented(stdout));
    if (omitted > 0) out.push(`   ... and ${plural(omitted, 'byte')} more`);
    if (error !== null) {
      out.push(indented(error).replace(/^ {3}/, ' ! '));
    } else if (exitCode !== 0 && stderr !== '') {
      out.push(indented(withoutStack(stderr)).replace(/^ {3}/, ' ! '));
    }
    if (exitCode !== 0 && exitCode !== null) out.push(`   exit code ${exitCode}`);
    if (outcome.reasons !== undefined) out.push(...outcome.reasons.map((reason) => `   because ${reason}`));
  });
  process.stdout.write(`${out.join('\n')}\n`);
}

module.exports = { printReport, showProgress, replayLine, plural };
