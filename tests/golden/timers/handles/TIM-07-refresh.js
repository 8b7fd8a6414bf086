'use strict';
const start = Date.now();
const at = () => Date.now() - start;
const timer = setTimeout(() => {
  console.log('timer', at());
  if (at() < 1000) timer.refresh();
}, 300);
setTimeout(() => console.log('refreshed', at(), timer.refresh() === timer), 200);
const cleared = setTimeout(() => console.log('never'), 100);
clearTimeout(cleared);
cleared.refresh();
const unref = setTimeout(() => console.log('never'), 1e6).unref();
unref.refresh();
console.log(unref.hasRef());
const interval = setInterval(() => {
  console.log('interval', at());
  if (at() > 1200) interval.close();
}, 400);
setTimeout(() => interval.refresh(), 450);
