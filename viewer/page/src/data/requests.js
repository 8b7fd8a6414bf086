// HTTP requests on the page: spans that overlap, so they are drawn in several rows, and the callbacks that belong to
// them.
import { Lane } from './lane.js';
import { kNone } from 'internal/trace/model';
import { reasonsFor, totalOf } from 'internal/trace/slow_requests';

const kMostRows = 6; // Requests that overlap with so many others are in the list only.

// Puts the requests' spans into as few lanes as possible: each into the first in which nothing overlaps.
export function layOutRequests(spans) {
  const lanes = [];
  const ends = [];
  const order = Array.from({ length: spans.length - spans.requestsFrom }, (_, i) => spans.requestsFrom + i)
    .sort((a, b) => spans.begin[a] - spans.begin[b]);
  for (const span of order) {
    let at = ends.findIndex((end) => end <= spans.begin[span]);
    if (at < 0) {
      if (lanes.length === kMostRows) continue;
      at = lanes.push(new Lane(spans)) - 1;
    }
    lanes[at].add(span);
    ends[at] = spans.end[span];
    spans.depth[span - spans.requestsFrom] = at;
  }
  for (const lane of lanes) lane.finish();
  return lanes;
}

export function isRequest(thread, span) {
  return span >= thread.spans.requestsFrom;
}

// True if the program answered it; false if the program sent it.
export function isServed(thread, span) {
  return thread.model.requests.isServer[requestNumber(thread, span)] === 1;
}

// Its number in the model.
export function requestNumber(thread, span) {
  return span - thread.spans.requestsFrom;
}

// The span of the server's request that a callback, a job or an outgoing request belongs to; -1 if there is none.
export function ownerOf(thread, span) {
  const { spans } = thread;
  const request = spans.request[span];
  return request === kNone ? kNone : spans.requestsFrom + request;
}

// `GET /path`
export function nameOfRequest(thread, span) {
  return thread.names.text(thread.spans.name[span]) || 'request';
}

// `200`, `aborted`, or `unfinished`
export function outcomeOf(thread, span) {
  const { hasFailed, status, end } = thread.model.requests;
  const request = requestNumber(thread, span);
  if (Number.isNaN(end[request])) return 'unfinished';
  if (hasFailed[request] === 1) return 'aborted';
  return String(status[request]);
}

// The parts of the time of a server's request: { kind, duration, what, place, span } each; `span` may be -1.
export function partsOf(thread, span) {
  const { spans } = thread;
  return reasonsFor(thread.model, requestNumber(thread, span)).map((part) => {
    if (part.kind === 'outgoing') return { ...part, span: spans.requestsFrom + part.request };
    if (part.kind === 'job') return { ...part, span: spans.jobsFrom + part.job };
    return part;
  });
}

// Figures for the panel.
export function figuresOf(thread, span) {
  const { called, count, lastPoll, parent, ready } = thread.model.requests;
  const request = requestNumber(thread, span);
  const outgoing = [];
  for (let other = 0; other < count; other++) {
    if (parent[other] === request) outgoing.push(thread.spans.requestsFrom + other);
  }
  return {
    queued: Math.max(0, called[request] - ready[request]),
    mostQueued: Math.max(0, called[request] - lastPoll[request]),
    parent: parent[request] === kNone ? kNone : thread.spans.requestsFrom + parent[request],
    outgoing,
  };
}

// Callbacks that belong to the request, in the order of time.
export function callbacksOf(thread, span) {
  const request = requestNumber(thread, span);
  const found = [];
  for (let i = 0; i < thread.model.spans.count; i++) {
    if (thread.spans.request[i] === request && thread.isCallback(i)) found.push(i);
  }
  return found;
}

// The requests that the program served, slowest first.
export function slowestRequests(threads, most) {
  const found = [];
  for (const thread of threads) {
    const { requests } = thread.model;
    for (let request = 0; request < requests.count; request++) {
      if (requests.isServer[request] === 0) continue;
      found.push({ thread, span: thread.spans.requestsFrom + request, figure: totalOf(thread.model, request) });
    }
  }
  return found.sort((a, b) => b.figure - a.figure).slice(0, most);
}

// True unless a request is selected to which the span, or one of those merged with it, does not belong.
export function isFocused(selected, thread, span, lane, from, to) {
  if (selected === null || !isRequest(selected.thread, selected.span)) return true;
  if (selected.thread !== thread) return false;
  const { spans } = thread;
  const own = spans.request[selected.span];
  if (span === selected.span) return true;
  if (own === kNone) return false;
  if (spans.request[span] === own) return true;
  const most = Math.min(to, from + 16);
  for (let i = from; i < most; i++) if (spans.request[lane.ids[i]] === own) return true;
  return false;
}
