'use strict';
// The HTTP requests of a run: how long they took, and why the slowest ones did, as plain data for the report. Times
// are in nanoseconds. It uses only the language, because the viewer's page includes it.
const { functionOf, originOf, waitOf, whatOf } = require('internal/trace/callbacks');
const { kNone } = require('internal/trace/model');

const kMostReasons = 8;

function totalOf(model, request) {
  const { end, start } = model.requests;
  return (Number.isNaN(end[request]) ? model.ends : end[request]) - start[request];
}

// The span of the first callback that began at `time` or later, by halving: spans are in the order of their begin.
function firstSpanFrom(model, time) {
  const { spans } = model;
  let low = 0;
  let high = spans.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (spans.start[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Lists the events while a server's request was in progress. Each part has a kind, a duration, and a span, a job or
// another request:
//   ran       a callback of the request ran
//   blocked   a callback of something else ran, so that the request had to wait
//   outgoing  a request to another server, from its start to its end
//   job       a job on the pool, from the time at which it was queued
//   waited    the time between the scheduling of a timer of the request and its callback
function partsOf(model, request) {
  const { jobs, requests, spans } = model;
  const from = requests.ready[request];
  const to = requests.start[request] + totalOf(model, request);
  const parts = [];
  // Callbacks that were running when the request arrived are those of its poll phase.
  for (let span = firstSpanFrom(model, Math.min(from, requests.lastPoll[request])); span < spans.count; span++) {
    if (spans.start[span] >= to) break;
    if (!model.isCallback(span)) continue;
    const isOwn = spans.request[span] === request;
    const duration = Math.min(model.own(span), to - spans.start[span]);
    if (duration > 0) parts.push({ kind: isOwn ? 'ran' : 'blocked', at: spans.start[span], duration, span });
    if (!isOwn) continue;
    const wait = waitOf(model, span);
    if (wait > 0 && /^set(?:Timeout|Interval)\b/.test(whatOf(model, span))) {
      parts.push({ kind: 'waited', at: spans.start[span] - wait, duration: wait, span });
    }
  }
  for (let other = 0; other < requests.count; other++) {
    if (requests.parent[other] !== request) continue;
    parts.push({ kind: 'outgoing', at: requests.start[other], duration: totalOf(model, other), request: other });
  }
  for (let job = 0; job < jobs.count; job++) {
    if (jobs.cause[job] === kNone || spans.request[jobs.cause[job]] !== request) continue;
    const end = Number.isNaN(jobs.finished[job]) ? model.ends : jobs.finished[job];
    parts.push({ kind: 'job', at: jobs.queued[job], duration: Math.max(0, end - jobs.queued[job]), job });
  }
  return parts;
}

function plainPlace(place) {
  if (place.file === '') return null;
  return { function: place.functionName, file: place.file, line: place.line, column: place.column };
}

// Describes a part, with its place in the program.
function describePart(model, part) {
  const { kind, at, duration } = part;
  if (kind === 'outgoing') {
    const { hasFailed, name, status } = model.requests;
    const { request } = part;
    const answer = status[request] > 0 ? ` ${status[request]}` : hasFailed[request] ? ' failed' : ' unfinished';
    const span = model.requests.span[request];
    const place = span === kNone ? null : plainPlace(functionOf(model, span));
    return { kind, at, duration, what: `${model.names.text(name[request])}${answer}`, place, request };
  }
  if (kind === 'job') {
    const cause = model.jobs.cause[part.job];
    const what = model.names.text(model.jobs.name[part.job]) || 'job';
    return { kind, at, duration, what, place: plainPlace(functionOf(model, cause)), job: part.job };
  }
  const { span } = part;
  const place = functionOf(model, span);
  const record = model.spans.schedule[span];
  const isKnown = place.file !== '' && !place.file.startsWith('node:');
  const origin = !isKnown && record !== kNone ? originOf(model, record, model.spans.cause[span]) : place;
  const shown = plainPlace(origin.file === '' ? place : origin);
  return { kind, at, duration, what: whatOf(model, span), place: shown, span };
}

// The parts that took longest, merged by what and where: a function that ran often counts as a whole.
function reasonsFor(model, request) {
  const groups = new Map();
  for (const part of partsOf(model, request)) {
    if (part.kind === 'ran' || part.kind === 'blocked') {
      const { name } = model.spans;
      const key = `${part.kind} ${name[part.span] || `span ${part.span}`}`;
      const group = groups.get(key);
      if (group === undefined) {
        groups.set(key, { ...part, longest: part.duration, times: 1 });
      } else {
        group.duration += part.duration;
        group.times++;
        if (part.duration <= group.longest) continue;
        group.longest = part.duration;
        group.span = part.span;
        group.at = part.at;
      }
    } else {
      groups.set(groups.size, { ...part, times: 1 });
    }
  }
  return [...groups.values()]
    .sort((a, b) => b.duration - a.duration).slice(0, kMostReasons)
    .map((group) => ({ ...describePart(model, group), times: group.times }));
}

function describeRequest(model, request) {
  const { called, end, hasFailed, lastPoll, name, ready, span, start, status } = model.requests;
  return {
    name: model.names.text(name[request]),
    status: status[request],
    at: start[request],
    total: totalOf(model, request),
    queued: Math.max(0, called[request] - ready[request]),
    mostQueued: Math.max(0, called[request] - lastPoll[request]),
    isUnfinished: Number.isNaN(end[request]),
    hasFailed: hasFailed[request] === 1,
    handler: span[request] === kNone ? null : plainPlace(functionOf(model, span[request])),
    // Numbers of spans, jobs and requests mean nothing outside of the model.
    reasons: reasonsFor(model, request).map(({ kind, duration, what, place, times }) =>
      ({ kind, duration, what, place, times })),
  };
}

// Null if the program served no requests. `distribution` is that of internal/trace/summary.
function summarizeRequests(model, top, distribution) {
  const { requests } = model;
  const served = [];
  const times = [];
  let clients = 0;
  let unfinished = 0;
  let failed = 0;
  for (let request = 0; request < requests.count; request++) {
    if (requests.isServer[request] === 0) {
      clients++;
      continue;
    }
    served.push(request);
    if (Number.isNaN(requests.end[request])) unfinished++;
    else times.push(totalOf(model, request));
    failed += requests.hasFailed[request];
  }
  if (served.length === 0) return null;
  const slowest = served.sort((a, b) => totalOf(model, b) - totalOf(model, a)).slice(0, top);
  return {
    count: served.length,
    outgoing: clients,
    unfinished,
    failed,
    time: distribution(Float64Array.from(times)),
    slowest: slowest.map((request) => describeRequest(model, request)),
  };
}

module.exports = { describePart, partsOf, reasonsFor, summarizeRequests, totalOf };
