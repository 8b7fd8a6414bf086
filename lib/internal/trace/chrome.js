'use strict';
// A run as Chrome's trace events, in JSON: for chrome://tracing, ui.perfetto.dev and whatever else reads them. Slices
// are nested by their times; arrows lead from where a callback was scheduled to where it runs.
const { kNone } = require('internal/trace/model');
const {
  QuietPhases,
  arrowStart,
  categories,
  clockOffsets,
  detailsOf,
  nameOf,
  processName,
  threadName,
} = require('internal/trace/slices');

const kThreadsApart = 10; // Thread ids of loops are 1, 11, 21...
const kFirstPoolThread = 1_000_000;
const kPiece = 1 << 18; // Characters that are written at once.

const quote = JSON.stringify;

function micros(nanoseconds) {
  return (nanoseconds / 1e3).toFixed(3);
}

function detailsJson(details) {
  return `{${details.map(({ 0: name, 1: text }) => `${quote(name)}:${quote(text)}`).join(',')}}`;
}

// Events of one thread, one string each.
function* eventsOf(model, offset, pid, flows) {
  const { spans, sleeps, jobs, gauges, blocked, uncaught, names } = model;
  const tid = 1 + kThreadsApart * model.header.threadId;
  const where = `"pid":${pid},"tid":${tid}`;
  const at = (time) => micros(time + offset);
  yield `{"ph":"M","name":"thread_name",${where},"args":{"name":${quote(threadName(model))}}}`;
  yield `{"ph":"M","name":"thread_sort_index",${where},"args":{"sort_index":${tid}}}`;

  let phaseEvents = [];
  const quiet = new QuietPhases(model, (name, start, end) => {
    const times = `"ts":${at(start)},"dur":${micros(end - start)}`;
    phaseEvents.push(`{"ph":"X","name":"${name}","cat":"phase",${where},${times},"args":{"ran":"nothing"}}`);
  });
  for (let span = 0; span < spans.count; span++) {
    const kind = spans.kind[span];
    quiet.begin(span);
    if (phaseEvents.length > 0) {
      yield* phaseEvents;
      phaseEvents = [];
    }
    const isCallback = model.isCallback(span);
    const details = isCallback ? `,"args":${detailsJson(detailsOf(model, span))}` : '';
    yield `{"ph":"X","name":${quote(nameOf(model, span))},"cat":"${categories[kind]}",${where},` +
      `"ts":${at(spans.start[span])},"dur":${micros(model.duration(span))}${details}}`;
    if (!isCallback || spans.cause[span] === kNone) continue;
    const flow = flows.next++;
    yield `{"ph":"s","name":"scheduled","cat":"flow","id":${flow},${where},"ts":${at(arrowStart(model, span))}}`;
    yield `{"ph":"f","bp":"e","name":"scheduled","cat":"flow","id":${flow},${where},"ts":${at(spans.start[span])}}`;
  }
  quiet.endTurn();
  yield* phaseEvents;
  for (let i = 0; i < sleeps.count; i++) {
    yield `{"ph":"X","name":"asleep","cat":"sleep",${where},"ts":${at(sleeps.start[i])},` +
      `"dur":${micros(sleeps.end[i] - sleeps.start[i])},"args":{"events":${sleeps.events[i] || 0}}}`;
  }
  for (let job = 0; job < jobs.count; job++) {
    if (!(jobs.finished[job] >= jobs.started[job])) continue;
    const worker = Number.isInteger(jobs.worker[job]) ? jobs.worker[job] : 0;
    const there = `"pid":${pid},"tid":${kFirstPoolThread + worker}`;
    flows.workers.add(worker);
    yield `{"ph":"X","name":${quote(names.text(jobs.name[job]) || 'job')},"cat":"pool",${there},` +
      `"ts":${at(jobs.started[job])},"dur":${micros(jobs.finished[job] - jobs.started[job])}}`;
    if (jobs.cause[job] === kNone || !(jobs.queued[job] <= jobs.started[job])) continue;
    const flow = flows.next++;
    yield `{"ph":"s","name":"queued","cat":"flow","id":${flow},${where},"ts":${at(jobs.queued[job])}}`;
    yield `{"ph":"f","bp":"e","name":"queued","cat":"flow","id":${flow},${there},"ts":${at(jobs.started[job])}}`;
  }
  const suffix = model.header.threadId === 0 ? '' : ` of worker ${model.header.threadId}`;
  for (let i = 0; i < gauges.count; i++) {
    const record = gauges.record[i];
    const value = model.value(record);
    if (!Number.isFinite(value)) continue;
    yield `{"ph":"C","name":${quote(names.text(model.name(record)) + suffix)},"pid":${pid},"ts":${at(model.time(record))},` +
      `"args":{"value":${value}}}`;
  }
  for (let i = 0; i < blocked.count; i++) {
    const record = blocked.record[i];
    const stack = names.stack(model.name(record)).map((place) => `${place.functionName} ${place.file}:${place.line}`);
    yield `{"ph":"i","s":"t","name":"blocked","cat":"watchdog",${where},"ts":${at(model.time(record))},` +
      `"args":{"stack":${quote(stack.join('\n'))}}}`;
  }
  for (let i = 0; i < uncaught.count; i++) {
    const record = uncaught.record[i];
    yield `{"ph":"i","s":"t","name":"uncaught","cat":"error",${where},"ts":${at(model.time(record))},` +
      `"args":{"error":${quote(names.text(model.name(record)))}}}`;
  }
}

function* allEvents(models) {
  const { pid } = models[0].header;
  const flows = { next: 1, workers: new Set() };
  const offsets = clockOffsets(models);
  yield `{"ph":"M","name":"process_name","pid":${pid},"tid":0,"args":{"name":${quote(processName(models[0]))}}}`;
  for (let i = 0; i < models.length; i++) yield* eventsOf(models[i], offsets[i], pid, flows);
  for (const worker of flows.workers) {
    const there = `"pid":${pid},"tid":${kFirstPoolThread + worker}`;
    yield `{"ph":"M","name":"thread_name",${there},"args":{"name":"pool worker ${worker}"}}`;
    yield `{"ph":"M","name":"thread_sort_index",${there},"args":{"sort_index":${kFirstPoolThread + worker}}}`;
  }
}

// The file, piece by piece: a long run does not fit into one string.
function* chromePieces(models) {
  let piece = '{"displayTimeUnit":"ms","traceEvents":[';
  let separator = '\n';
  for (const event of allEvents(models)) {
    piece += separator + event;
    separator = ',\n';
    if (piece.length < kPiece) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}\n]}\n`;
}

module.exports = { chromePieces };
