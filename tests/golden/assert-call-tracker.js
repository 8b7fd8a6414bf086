'use strict';
process.noDeprecation = true;
const assert = require('assert');

const tracker = new assert.CallTracker();
function double(value) {
  return value * 2;
}
function attempt(call) {
  try {
    console.log('gives', call());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
const tracked = tracker.calls(double, 2);
console.log(tracked(4), tracked.name, tracked.length, tracker.getCalls(tracked));
console.log(tracker.report().map(({ message, actual, expected, operator }) => ({ message, actual, expected, operator })));
attempt(() => tracker.verify());
tracked.call({ me: 1 }, 1, 2);
console.log(tracker.getCalls(tracked));
attempt(() => tracker.verify());
tracker.reset(tracked);
attempt(() => tracker.verify());
tracker.reset();
const nothing = tracker.calls();
attempt(() => tracker.verify());
nothing();
tracker.calls(3)();
console.log(tracker.report().map(({ message }) => message));
for (const args of [[double, 0], [double, 'x'], [double, -1], [double, 1.5], [0]]) attempt(() => tracker.calls(...args));
for (const value of [undefined, null, double, 1]) attempt(() => tracker.getCalls(value));
for (const value of [double, 1]) attempt(() => tracker.reset(value));
class Fails {
  get x() {
    return 1;
  }
}
attempt(() => tracker.calls(Fails, 1)());
