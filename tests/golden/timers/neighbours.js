'use strict';
// inspect() of the list that a timer is in.
const { inspect } = require('util');
const timers = [1, 2, 3].map(() => setTimeout(() => {}, 5));
const show = (timer) => console.log(...inspect(timer).match(/_idle(Prev|Next): .*/g));
timers.forEach(show);
clearTimeout(timers[1]);
timers.forEach(show);
