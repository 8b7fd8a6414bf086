'use strict';
// A small run with one record of each kind, as a recorder would write it.
const { TraceWriter } = require('./writer');

const phases = { timers: 1, pending: 2, poll: 5, check: 6, closing: 7 };

function sample(options) {
  const w = new TraceWriter(options);
  const main = w.place('', '/work/app.js', 1, 1);
  const spin = w.place('spin', '/work/app.js', 3, 10);
  const setTimer = w.place('', '/work/app.js', 9, 1);
  const onTick = w.place('onTick', '/work/app.js', 12, 5);
  const onRead = w.place('onRead', '/work/app.js', 20, 7);
  const then = w.place('', '/work/app.js', 30, 11);
  const timeout = w.text('setTimeout 10 ms');
  const tick = w.text('process.nextTick');
  const readFile = w.text('fs.readFile');
  const immediate = w.text('setImmediate');
  const loopTimer = w.text('timer');
  const request = w.text('file');
  const handles = w.text('handles');
  const server = w.text('tcp server');
  const stack = w.stack([spin, main]);

  w.add(6, { id: 1, name: main });
  w.add(16, { id: 10, name: timeout, first: setTimer, second: spin });
  w.add(16, { id: 11, name: tick, first: setTimer, second: onTick });
  w.add(17, { id: 100, name: then, value: 0 });
  w.add(18, { id: 100 });
  w.add(17, { id: 101, name: then, value: 100 });
  w.add(16, { id: 12, name: readFile, first: setTimer, second: onRead });
  w.add(23, { id: -5, name: request, value: 1 });
  w.add(22, { id: 12, value: -5 });
  w.add(7, { id: 1 });
  w.add(8, { value: 1 });
  w.add(10, { id: 11, name: onTick });
  w.add(11, { id: 11 });
  w.add(9);
  w.add(12);
  w.add(14, { id: 101 });
  w.add(18, { id: 101 });
  w.add(15, { id: 101 });
  w.add(13);
  w.add(1, { id: 1, value: 0 });
  w.add(2, { phase: phases.poll });
  w.add(26, { phase: phases.poll, value: 10e6 });
  w.add(27, { phase: phases.poll, value: 1, time: 6e6 });
  w.add(24, { id: -5, value: 2, name: request, time: 1e6 });
  w.add(25, { id: -5, value: 2, name: request, time: 5e6 });
  w.time = 6e6;
  w.add(4, { phase: phases.poll, id: -5, name: request });
  w.add(6, { phase: phases.poll, id: 12, name: onRead });
  w.add(16, { id: 13, name: immediate, first: onRead, second: onTick });
  w.add(7, { phase: phases.poll, id: 12 });
  w.add(5, { phase: phases.poll, id: -5 });
  w.add(3, { phase: phases.poll });
  w.add(2, { phase: phases.check });
  w.add(6, { phase: phases.check, id: 13, name: onTick });
  w.add(7, { phase: phases.check, id: 13 });
  w.add(3, { phase: phases.check });
  w.add(2, { phase: phases.timers, time: 10e6 });
  w.add(4, { phase: phases.timers, id: -1, name: loopTimer });
  w.add(6, { phase: phases.timers, id: 10, name: spin, value: 10e6 });
  w.add(29, { id: 10, name: stack, value: 150e6, time: 160e6 });
  w.add(7, { phase: phases.timers, id: 10, time: 210e6 });
  w.add(5, { phase: phases.timers, id: -1 });
  w.add(3, { phase: phases.timers });
  w.add(28, { name: handles, value: 3 });
  w.add(32, { id: 7, name: server, first: setTimer });
  w.add(31, { value: 0 });
  return w;
}

module.exports = { sample };
