'use strict';
// Any object can be a timer, which keeps the process alive after active() and not after _unrefActive().
const timers = require('timers');
process.noDeprecation = true;
const make = (name, msecs) => {
  const item = { _onTimeout() { console.log(name, this === item); } };
  timers.enroll(item, msecs);
  return item;
};
const twice = make('twice', 50);
timers.active(twice);
setTimeout(() => timers.active(twice), 100);
timers._unrefActive(make('without a ref', 60));
timers._unrefActive(make('never', 100000));
const gone = make('unenrolled', 50);
timers.active(gone);
timers.unenroll(gone);
process.on('exit', () => console.log('exit'));
