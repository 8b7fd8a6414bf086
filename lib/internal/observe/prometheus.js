'use strict';
// Figures of the loop and of HTTP servers in the text format of Prometheus, for --metrics. Like internal/loop/report
// this may interrupt the program. The figures of the process are native (src/runtime/export/process_metrics.cc).

const { memoryUsage } = internalBinding('process');
const figures = require('internal/loop/figures');
const { countConnections } = require('internal/loop/http_connections');
const http = require('internal/observe/http_metrics');

// Limits of the histogram of the loop's delay, in seconds.
const lagLimits = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

class Text {
  text = '';

  head(name, type, help) {
    this.text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  }

  add(name, value, labels = '') {
    this.text += `${name}${labels} ${value}\n`;
  }

  one(name, type, help, value) {
    this.head(name, type, help);
    this.add(name, value);
  }

  // `counts` has one more element than `limits`.
  histogram(name, help, limits, counts, sum) {
    this.head(name, 'histogram', help);
    let total = 0;
    for (let i = 0; i < limits.length; i++) {
      total += counts[i];
      this.add(`${name}_bucket`, total, `{le="${limits[i]}"}`);
    }
    total += counts[limits.length];
    this.add(`${name}_bucket`, total, '{le="+Inf"}');
    this.add(`${name}_sum`, sum);
    this.add(`${name}_count`, total);
  }
}

// Lists with fewer limits.
function mergeLag(list) {
  const counts = [];
  for (let i = 0; i <= lagLimits.length; i++) counts[i] = 0;
  for (let i = 0; i < list.length; i++) {
    const { 0: edge, 1: count } = list[i];
    let at = 0;
    while (at < lagLimits.length && edge > lagLimits[at] * 1000) at++;
    counts[at] += count;
  }
  return counts;
}

function addLoop(out) {
  const all = figures.snapshot();
  const { pool, queues } = all;
  out.one('rondo_loop_turns_total', 'counter', 'Turns of the loop.', all.turns);
  out.one('rondo_loop_callbacks_total', 'counter', 'Callbacks that the loop has run.', all.callbacks);
  out.one('rondo_loop_events_total', 'counter', 'Events from the kernel and other threads.', all.events);
  out.one('rondo_loop_busy_seconds_total', 'counter', 'Time in which the loop did not sleep.', all.active / 1000);
  out.one('rondo_loop_idle_seconds_total', 'counter', 'Time in which the loop slept.', all.idle / 1000);
  out.histogram('rondo_loop_delay_seconds', 'How late timers ran.', lagLimits, mergeLag(figures.readLagCounts()),
    figures.read()[figures.kLagSum] / 1000);
  out.one('rondo_loop_handles', 'gauge', 'Active handles that keep the loop alive.', queues.handles);
  out.one('rondo_loop_requests', 'gauge', 'Operations in progress.', queues.requests);
  out.one('rondo_loop_timers', 'gauge', 'Timers that keep the loop alive.', queues.timers);
  out.one('rondo_loop_immediates', 'gauge', 'Immediates that wait.', queues.immediates);
  out.one('rondo_pool_threads', 'gauge', 'Threads of the pool; 0 before it is used.', pool.size);
  out.one('rondo_pool_queued', 'gauge', 'Jobs that wait for a thread of the pool.', pool.queued);
  out.one('rondo_pool_running', 'gauge', 'Jobs that threads of the pool are running.', pool.running);
}

function addHeap(out) {
  const memory = memoryUsage();
  out.one('rondo_heap_size_bytes', 'gauge', 'Size of the heap of JavaScript.', memory[1]);
  out.one('rondo_heap_used_bytes', 'gauge', 'Used part of the heap of JavaScript.', memory[2]);
  out.one('rondo_external_memory_bytes', 'gauge', 'Memory outside of the heap that objects of JavaScript hold.',
    memory[3]);
}

function addHttp(out) {
  const { counts, methods, outcomes, totals } = http;
  out.head('http_server_requests_total', 'counter', 'Requests that HTTP servers have completed.');
  for (let i = 0; i < methods.length; i++) {
    for (let j = 0; j < outcomes.length; j++) {
      const count = counts[i * outcomes.length + j];
      if (count > 0) {
        out.add('http_server_requests_total', count, `{method="${methods[i]}",status="${outcomes[j]}"}`);
      }
    }
  }
  out.histogram('http_server_request_duration_seconds', 'Time from the first byte of a request to the last of its ' +
    'response.', http.limits, http.buckets, totals.seconds);
  const open = countConnections();
  out.one('http_server_requests_in_flight', 'gauge', 'Requests without a complete response.', open.inFlight);
  out.one('http_server_open_connections', 'gauge', 'Open connections of HTTP servers.', open.connections);
}

function render() {
  const out = new Text();
  out.head('rondo_info', 'gauge', 'The version of Rondo and of the API of Node.');
  out.add('rondo_info', 1, `{version="${process.versions.rondo}",node="${process.versions.node}"}`);
  addLoop(out);
  addHeap(out);
  addHttp(out);
  return out.text;
}

module.exports = { render };
