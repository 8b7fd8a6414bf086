'use strict';
// The picture of `rondo top`, as lines for a screen of a given size.
const { describeHold, frameText, seconds } = require('internal/commands/control_client');

const kBarWidth = 30;
const kNameWidth = 11; // Of what stands at the begin of a line.
// So many of the slowest callbacks are shown at least, if there are as many: they are what people look for.
const kLeastSlow = 3;

function count(number) {
  return Math.round(number).toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

function ms(number) {
  if (number === 0) return '0 ms';
  if (number < 0.1) return `${(number * 1000).toFixed(0)} µs`;
  return number < 10 ? `${number.toFixed(2)} ms` : `${number.toFixed(0)} ms`;
}

function megabytes(bytes) {
  return `${(bytes / (1 << 20)).toFixed(1)} MB`;
}

function percent(part) {
  return `${(part * 100).toFixed(1)} %`.padStart(7);
}

function bar(part, width) {
  const full = Math.max(0, Math.min(width, Math.round(part * width)));
  return '█'.repeat(full) + '·'.repeat(width - full);
}

// Colours by what they mean, or none.
function makePaint(hasColours) {
  const paint = (code) => (hasColours ? (text) => `\x1b[${code}m${text}\x1b[0m` : (text) => text);
  return { title: paint('1'), faint: paint('2'), good: paint('32'), warm: paint('33'), hot: paint('1;31') };
}

function heat(paint, part) {
  return part > 0.9 ? paint.hot : part > 0.6 ? paint.warm : paint.good;
}

function cells(pairs, paint) {
  return pairs.map(([name, value]) => `${paint.faint(name)} ${value}`).join('   ');
}

function drawPhases(interval, paint, width) {
  const lines = [paint.title('phases')];
  const { elapsed } = interval;
  for (const [name, time] of Object.entries(interval.phases)) {
    const part = elapsed > 0 ? time / elapsed : 0;
    lines.push(`  ${name.padEnd(9)}${percent(part)}  ${heat(paint, part)(bar(part, width))}`);
  }
  const asleep = 1 - interval.utilization;
  lines.push(`  ${'asleep'.padEnd(9)}${percent(asleep)}  ${paint.faint(bar(asleep, width))}`);
  return lines;
}

// The same in as few lines as the screen allows: those that take time, and sleep.
function drawPhasesShort(interval, paint, width) {
  const { elapsed } = interval;
  const parts = [];
  for (const [name, time] of Object.entries(interval.phases)) {
    const part = elapsed > 0 ? time / elapsed : 0;
    if (part >= 0.0005) parts.push([name, percent(part).trim()]);
  }
  parts.push(['asleep', percent(1 - interval.utilization).trim()]);
  const lines = [];
  let line = [];
  let used = 0;
  for (const one of parts) {
    const size = one[0].length + one[1].length + 4;
    if (line.length > 0 && kNameWidth + used + size - 3 > width) {
      lines.push(line);
      line = [];
      used = 0;
    }
    line.push(one);
    used += size;
  }
  lines.push(line);
  return lines.map((pairs, i) => paint.title((i === 0 ? 'phases' : '').padEnd(kNameWidth)) + cells(pairs, paint));
}

function drawSlow(interval, paint, room) {
  const title = paint.title('slowest callbacks');
  const lines = [`${title} ${paint.faint('over 5 ms, in the last 10 s, sampled by the watchdog')}`];
  for (const one of interval.slow.slice(0, Math.max(1, room))) {
    const what = one.isDrain ? 'ticks and microtasks, in ' : '';
    const where = one.stack.length === 0 ? 'an unknown place' : frameText(one.stack[0]);
    const times = one.count > 1 ? paint.faint(` ×${one.count}`) : '';
    lines.push(`  ${ms(one.duration).padStart(8)}  ${what}${where}${times}`);
  }
  if (interval.slow.length === 0) lines.push(paint.faint('  none'));
  return lines;
}

function cut(line, width) {
  // Colours take no room.
  let seen = 0;
  let result = '';
  for (const part of line.split(/(\x1b\[[\d;]*m)/)) {
    if (part.startsWith('\x1b[')) {
      result += part;
    } else {
      result += part.slice(0, Math.max(0, width - seen));
      seen += part.length;
    }
  }
  return result;
}

// A line for processes that serve HTTP.
function drawHttp({ http }, paint, name) {
  if (http === null) return [];
  const times = http.requests === 0 ? [] : [['p50', ms(http.p50)], ['p99', ms(http.p99)]];
  return [name('http') + cells([
    ['requests/s', count(http.requestsPerSecond)],
    ...times,
    ['open', count(http.connections)],
    ['in flight', count(http.inFlight)],
  ], paint)];
}

function drawRates(interval, paint) {
  const { queues, pool } = interval.figures;
  const { lag, memory } = interval;
  const { 0: rss, 1: heapTotal, 2: heapUsed, 3: external } = memory;
  const name = (text) => paint.title(text.padEnd(kNameWidth));
  const http = drawHttp(interval, paint, name);
  return [
    name('rates') + cells([
      ['turns/s', count(interval.turns)],
      ['callbacks/s', count(interval.callbacks)],
      ['events/s', count(interval.events)],
    ], paint),
    ...http,
    name('timer lag') + (lag.count === 0 ? paint.faint('no timer ran') : cells([
      ['p50', ms(lag.p50)], ['p99', ms(lag.p99)], ['max', ms(lag.max)], ['of', count(lag.count)],
    ], paint)),
    // A program in C has no ticks, immediates and heap.
    name('queues') + cells(['ticks', 'timers', 'immediates', 'handles', 'requests']
      .filter((queue) => queues[queue] !== undefined)
      .map((queue) => [queue, count(queues[queue])]), paint),
    name('pool') + (pool.size === 0 ? paint.faint('not used') : cells([
      ['queued', count(pool.queued)], ['running', `${count(pool.running)} of ${pool.size}`],
    ], paint)),
    name('memory') + cells([
      ['rss', megabytes(rss)],
      ...(heapUsed === undefined ? [] : [
        ['heap', `${megabytes(heapUsed)} of ${megabytes(heapTotal)}`],
        ['external', megabytes(external)],
      ]),
    ], paint),
  ];
}

// Layouts of the part between the header and the slowest callbacks, from the most detailed to the shortest.
function* layouts(interval, paint, width) {
  const rates = drawRates(interval, paint);
  const phases = drawPhases(interval, paint, Math.max(10, Math.min(kBarWidth, width - 24)));
  yield ['', ...rates, '', ...phases, ''];
  yield [...rates, ...phases];
  const short = drawPhasesShort(interval, paint, width);
  yield ['', ...rates, ...short, ''];
  yield [...rates, ...short];
  yield [...rates.slice(0, interval.http === null ? 3 : 4), ...short];
  yield rates.slice(0, 2);
  yield [];
}

// The first that leaves enough lines.
function fit(choices, most) {
  let last = [];
  for (const lines of choices) {
    if (lines.length <= most) return lines;
    last = lines;
  }
  return last;
}

function draw({ pid, command }, interval, screen) {
  const paint = makePaint(screen.hasColours);
  const lines = [];
  const answered = interval.waited === undefined ? '' : `   ${paint.faint(`answered in ${ms(interval.waited)}`)}`;
  lines.push(`${paint.title('rondo top')}  ${pid}   ${paint.faint('up')} ${seconds(interval.figures.now)}` +
    `${answered}${screen.isTerminal ? `   ${paint.faint('q quits')}` : ''}   ${command}`);
  const hold = describeHold(interval);
  if (hold === undefined) {
    const { utilization } = interval;
    const width = Math.max(10, Math.min(kBarWidth, screen.width - 24));
    lines.push(
      `${paint.title('busy'.padEnd(kNameWidth))}${percent(utilization)}  ${heat(paint, utilization)(bar(utilization, width))}`);
  } else {
    lines.push(paint.hot(`blocked: ${hold}`));
    for (const caller of (interval.blocked?.stack ?? []).slice(1, 4)) lines.push(`    called by ${frameText(caller)}`);
  }
  const room = screen.height - lines.length - 1; // One for the title of the list.
  const listed = Math.min(kLeastSlow, Math.max(1, interval.slow.length));
  const above = fit(layouts(interval, paint, screen.width), room - listed);
  lines.push(...above, ...drawSlow(interval, paint, room - above.length));
  return lines.map((line) => cut(line, screen.width));
}

module.exports = { draw };
