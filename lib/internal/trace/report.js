'use strict';
// The report of `rondo trace`: a summary, laid out for a terminal of 80 columns or more; on a narrower one with less
// beside each other.
const { count, duration, functionAt, location, plural, printable, share, wrap } = require('internal/trace/words');

const kIndent = '  ';
const kTimeWidth = 9;
const kRoomBeside = 30; // Text beside a head that would have less than this comes below it.
const kTableWidth = 52; // Of the table of times, without its bars.
const kPoolWidth = 54;

function headline(summary, outcome, style, folder) {
  const program = summary.program === '' ? 'the program' : location({ file: summary.program, line: 0 }, folder);
  return wrap(`rondo trace: ${summary.thread === 0 ? program : `worker ${summary.thread}`} ${outcome}`,
    style.width).map(style.bold);
}

// The end of the run, as recorded in the file.
function outcomeOf(summary) {
  const took = duration(summary.to - summary.from);
  if (!summary.hasEnded) return `had run for ${took} at the last record`;
  return summary.exitCode === null ? `ran for ${took}` : `ended with code ${summary.exitCode} after ${took}`;
}

function bar(part, whole, width) {
  return '#'.repeat(whole > 0 && width > 0 ? Math.round(width * part / whole) : 0);
}

function timeTable(summary, style) {
  const whole = summary.to - summary.from;
  const rows = [];
  if (summary.starting > 0) rows.push(['starting', summary.starting, null]);
  rows.push(['main script', summary.mainScript, null]);
  if (summary.outside > 0) rows.push(['outside phases', summary.outside, null]);
  for (const name of Object.keys(summary.phases)) {
    const { total, callbacks } = summary.phases[name];
    if (total > 0 || callbacks > 0) rows.push([name, total, callbacks]);
  }
  if (summary.asleep > 0) rows.push(['asleep in poll', summary.asleep, null]);
  let rest = whole;
  for (const row of rows) rest -= row[1];
  if (rest > 0) rows.push(['in between', rest, null]);
  const isNarrow = style.width < kTableWidth;
  const head = `${kIndent}${'where'.padEnd(16)}${'time'.padStart(kTimeWidth)}${'share'.padStart(9)}`;
  const lines = [style.dim(isNarrow ? head : `${head}   callbacks`)];
  for (const { 0: name, 1: time, 2: callbacks } of rows) {
    const times = `${kIndent}${name.padEnd(16)}${duration(time).padStart(kTimeWidth)}${share(time, whole).padStart(9)}`;
    const chart = bar(time, whole, style.width - kTableWidth);
    const line = `${times}   ${(callbacks === null ? '' : count(callbacks)).padStart(9)}  ${style.cyan(chart)}`;
    lines.push(isNarrow ? times : line.trimEnd());
  }
  return lines;
}

function distributionLine(name, figures, note, style) {
  if (figures.count === 0) return [];
  if (style.width < 80) {
    return sentence(`${name}: p50 ${duration(figures.p50)}, p99 ${duration(figures.p99)}, max ${duration(figures.max)}`,
      style);
  }
  const parts = ['p50', 'p99', 'max'].map((key) =>
    `${style.dim(key)} ${duration(figures[key]).padEnd(kTimeWidth - 1)}`);
  return [`${kIndent}${name.padEnd(14)}${parts.join(' ')} ${style.dim(note)}`.trimEnd()];
}

function phaseOf(callback) {
  if (callback.kind === 'main') return 'main';
  if (callback.kind === 'callback') return callback.phase === 'none' ? 'outside' : callback.phase;
  return callback.kind;
}

// Text beside a head, or below it where there is no room, on as many lines as it needs.
function hang(head, text, style, paint) {
  if (style.width - head.length < kRoomBeside) {
    const lines = wrap(text, style.width - 6).map((line) => paint(`      ${line}`));
    return head.trim() === '' ? lines : [paint(head.trimEnd()), ...lines];
  }
  const margin = ' '.repeat(head.length);
  return wrap(text, style.width - head.length - 1).map((line, i) => paint(`${i === 0 ? head : margin} ${line}`));
}

function callbackLines(callback, style, folder) {
  const head = `${kIndent}${duration(callback.own).padStart(kTimeWidth)}  ${phaseOf(callback).padEnd(10)}`;
  const where = functionAt(callback.place, folder);
  const what = printable(callback.what);
  const name = where === '' ? what : `${what} ${where}`;
  const painted = callback.own >= 50e6 ? style.red : callback.own >= 10e6 ? style.yellow : (text) => text;
  const lines = hang(head, name, style, painted);
  const notes = [];
  if (callback.times > 1) notes.push(`${count(callback.times)} times, ${duration(callback.total)} in all`);
  if (callback.turn > 0) notes.push(`turn ${count(callback.turn)}`);
  if (callback.isUnfinished) notes.push('never finished');
  if (callback.late !== null && callback.late >= 1e6) notes.push(`${duration(callback.late)} late`);
  else if (callback.wait !== null && callback.late === null) notes.push(`waited ${duration(callback.wait)}`);
  const origin = location(callback.scheduled, folder);
  if (origin !== '') notes.push(`scheduled at ${origin}`);
  if (notes.length > 0) lines.push(...hang(' '.repeat(head.length), notes.join(', '), style, style.dim));
  return lines;
}

// On as many lines as it needs.
function sentence(text, style) {
  return wrap(text, style.width - kIndent.length).map((line) => kIndent + line);
}

function section(title, lines, style) {
  return lines.length === 0 ? [] : ['', ...wrap(title, style.width).map(style.bold), ...lines];
}

function drainLines(drain, style, folder) {
  const name = functionAt(drain.place, folder);
  const head = `${kIndent}${duration(drain.duration).padStart(kTimeWidth)}  ${drain.kind.padEnd(10)}`;
  const where = drain.turn > 0 ? `${drain.phase}, turn ${count(drain.turn)}` : 'outside of the loop';
  const most = name === '' ? '' : `, ${drain.times === drain.tasks ? 'all' : count(drain.times)} of them ${name}`;
  return [...hang(head, `${count(drain.tasks)} in a row${most}`, style, style.yellow),
    ...hang(' '.repeat(head.length), `${where}${drain.isUnfinished ? ', never finished' : ''}`, style, style.dim)];
}

function blockedLines(blocked, style, folder) {
  const name = blocked.callback === null ? 'code outside of any callback' :
    `${printable(blocked.callback.what)} ${functionAt(blocked.callback.place, folder)}`.trimEnd();
  const head = `${kIndent}${duration(blocked.lasted).padStart(kTimeWidth)} `;
  const lines = hang(head, name, style, style.red);
  const margin = ' '.repeat(head.length);
  for (const place of blocked.stack.slice(0, 8)) {
    lines.push(...hang(margin, `at ${functionAt(place, folder)}`, style, style.dim));
  }
  return lines;
}

function poolLines(summary, style) {
  const { pool } = summary;
  if (pool === null) return [];
  const whole = summary.to - summary.from;
  const unfinished = pool.unfinished === 0 ? '' : `, ${count(pool.unfinished)} of them not finished`;
  const lines =
    [...sentence(`${plural(pool.jobs, 'job')}${unfinished}; at most ${count(pool.mostWaiting)} waited at once`, style),
      ...distributionLine('waited', pool.wait, 'before a worker took it', style)];
  if (pool.saturated > 0) {
    lines.push(...sentence(
      `no worker was free for ${duration(pool.saturated)}, ${share(pool.saturated, whole)} of the time` +
      `${pool.saturated > whole / 10 ? '; set RONDO_THREADPOOL_SIZE=N for more' : ''}`, style));
  }
  for (const worker of pool.workers.slice(0, 16)) {
    const jobs = plural(worker.jobs, 'job');
    if (style.width < kPoolWidth) {
      lines.push(...sentence(
        `worker ${worker.worker}: ${jobs}, busy ${duration(worker.busy)}, ${share(worker.busy, whole)}`, style));
      continue;
    }
    lines.push(`${kIndent}worker ${String(worker.worker).padEnd(4)} ${jobs.padStart(14)}  busy ` +
      `${duration(worker.busy).padStart(kTimeWidth)} ${share(worker.busy, whole).padStart(7)}`);
  }
  if (pool.workers.length > 16) lines.push(`${kIndent}and ${count(pool.workers.length - 16)} more workers`);
  return lines;
}

const partTexts = {
  __proto__: null,
  ran: '',
  blocked: 'blocked by ',
  outgoing: 'waited for ',
  job: 'pool job ',
  waited: 'waited for ',
};

const kMostReasons = 4;
const kLeastShare = 0.05; // Of the time of the request.

function requestLines(request, style, folder) {
  const head = `${kIndent}${duration(request.total).padStart(kTimeWidth)} `;
  const ending = request.hasFailed ? 'aborted' : request.isUnfinished ? 'unfinished' : `${request.status}`;
  const painted = request.total >= 50e6 ? style.red : request.total >= 10e6 ? style.yellow : (text) => text;
  const isUncertain = request.mostQueued >= 2 * request.queued && request.mostQueued >= 1e6;
  const queued = `queued ${duration(request.queued)}${isUncertain ? ` to ${duration(request.mostQueued)}` : ''}`;
  const handler = functionAt(request.handler, folder);
  const lines = hang(head, `${printable(request.name)} ${ending}, ${queued}`, style, painted);
  const margin = ' '.repeat(head.length);
  if (handler !== '') lines.push(...hang(margin, `handler ${handler}`, style, style.dim));
  const reasons = request.reasons.filter((reason) => reason.duration >= request.total * kLeastShare);
  for (const reason of reasons.slice(0, kMostReasons)) {
    const where = functionAt(reason.place, folder);
    const times = reason.times > 1 ? `, ${count(reason.times)} times` : '';
    const text = `${duration(reason.duration)} ${partTexts[reason.kind]}${printable(reason.what)}${times}` +
      `${where === '' ? '' : ` ${where}`}`;
    lines.push(...hang(margin, text, style, style.dim));
  }
  return lines;
}

function requestSection(summary, style, folder) {
  const { requests } = summary;
  if (requests === null) return [];
  const { failed, outgoing, slowest, time, unfinished } = requests;
  const notes = [plural(requests.count, 'request')];
  if (outgoing > 0) notes.push(`${count(outgoing)} sent to servers`);
  if (failed > 0) notes.push(`${count(failed)} aborted`);
  if (unfinished > 0) notes.push(`${count(unfinished)} unfinished`);
  return section('Slowest requests', [...sentence(notes.join(', '), style),
    ...distributionLine('took', time, 'from the first byte to the last', style),
    ...slowest.flatMap((request) => requestLines(request, style, folder))], style);
}

// States which records are missing, so that readers know that the report is incomplete.
function recordLines(summary, style) {
  const { records } = summary;
  const lines = [];
  const say = (text) => lines.push(...sentence(text, style));
  if (records.dropped > 0) {
    say(`The first ${count(records.dropped)} of ${plural(records.written, 'record')} were overwritten: ` +
      'the report covers the end of the run only.');
    say('Use --trace-buffer=MIB to keep more.');
  }
  if (records.diskFull) say(`The disk was full: only the first ${duration(summary.to)} were recorded.`);
  if (records.lost > 0) say(`${plural(records.lost, 'record')} were overwritten while the trace was copied.`);
  if (records.missing > 0) say(`The file is truncated: ${plural(records.missing, 'record')} are missing.`);
  if (records.skipped > 0) say(`${plural(records.skipped, 'record')} were invalid and left out.`);
  if (records.namesMissing > 0 || records.withoutName > 0) {
    say('The table of names is damaged: some names are missing.');
  }
  if (records.namesUsedUp) say('The table of names was full: some callbacks have no name.');
  if (records.tooDeep > 0) say(`${plural(records.tooDeep, 'callback')} were nested too deeply and left out.`);
  return lines;
}

// The lines of one thread. `outcome` is how the program ended, if the caller knows more than the file contains.
function reportOn(summary, style, folder, outcome = outcomeOf(summary)) {
  const lines = [...headline(summary, outcome, style, folder), ''];
  lines.push(...sentence(`${plural(summary.turns, 'turn')}, ${plural(summary.callbacks, 'callback')}, ` +
    `${plural(summary.ticks, 'tick')}, ${plural(summary.microtasks, 'microtask')}; ${plural(summary.records.written, 'record')}` +
    `${summary.isVirtual ? '; the clock was virtual, times here are real ones' : ''}`, style));
  lines.push('', ...timeTable(summary, style), '');
  lines.push(...distributionLine('loop lag', summary.lag, 'how long a turn was busy', style));
  lines.push(...distributionLine('timers late', summary.timersLate, 'after they were due', style));
  if (lines[lines.length - 1] === '') lines.pop();
  lines.push(...requestSection(summary, style, folder));
  lines.push(...section('Slowest callbacks, by longest own time',
    summary.slowest.flatMap((callback) => callbackLines(callback, style, folder)), style));
  lines.push(...section('Drains that starved the loop',
    summary.drains.flatMap((drain) => drainLines(drain, style, folder)), style));
  lines.push(...section('Blocked loop, sampled by the watchdog',
    summary.blocked.flatMap((blocked) => blockedLines(blocked, style, folder)), style));
  lines.push(...section('Pool', poolLines(summary, style), style));
  lines.push(...section('Uncaught', summary.uncaught.flatMap((text) =>
    sentence(printable(text.split('\n')[0].replace(/^Uncaught /, '')), style)), style));
  lines.push(...section('Still alive at the end', summary.alive.flatMap(({ what, place, count: times }) => {
    const where = functionAt(place, folder);
    const many = times === 1 ? '' : ` (${count(times)} times)`;
    return sentence(`${printable(what)}${many}${where === '' ? '' : `, made at ${where}`}`, style);
  }), style));
  lines.push(...section('Records', recordLines(summary, style), style));
  return `${lines.join('\n')}\n`;
}

module.exports = { reportOn };
