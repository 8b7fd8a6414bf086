'use strict';
// The entries of type 'http2' for performance observers.

const { Float64Array } = primordials;

const { constants } = require('internal/http2/constants');
const { watched } = require('internal/perf/watched');
const { now } = internalBinding('clock');
const sessions = internalBinding('http2_sessions');
const streams = internalBinding('http2_streams');

function read(handle, indexes, count) {
  const numbers = new Float64Array(count);
  handle.readStatistics(numbers);
  const detail = {};
  for (const name in indexes) detail[name] = numbers[indexes[name]];
  return detail;
}

function report(name, startTime, detail) {
  const { enqueue } = require('internal/perf/observe');
  const { createPerformanceNodeEntry } = require('internal/perf/entry');
  const duration = now() - startTime;
  require('timers').setImmediate(() => {
    enqueue(createPerformanceNodeEntry(name, 'http2', startTime, duration, detail));
  });
}

function reportSession(handle, type, startTime) {
  if (!watched.http2) return;
  const detail = read(handle, sessions.statisticsIndexes, sessions.kStatisticsCount);
  detail.type = type === constants.NGHTTP2_SESSION_CLIENT ? 'client' : 'server';
  report('Http2Session', startTime, detail);
}

function reportStream(handle, id) {
  if (!watched.http2) return;
  const { startTime, ...detail } = read(handle, streams.statisticsIndexes, streams.kStatisticsCount);
  detail.timeToFirstByte -= startTime;
  detail.timeToFirstByteSent -= startTime;
  detail.timeToFirstHeader -= startTime;
  detail.id = id;
  report('Http2Stream', startTime, detail);
}

module.exports = { reportSession, reportStream };
