'use strict';
const { mock } = require('node:test');
const timers = require('timers');
const promises = require('timers/promises');
process.removeAllListeners('warning');
function bad(name, fn) {
  try {
    console.log(name, 'no error', typeof fn());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
  mock.timers.reset();
}
for (const options of [{ apis: ['foo'] }, { apis: 5 }, { now: -1 }, { now: 'x' }, { apis: [] }, { now: new Date(5) }]) {
  bad(JSON.stringify(options), () => mock.timers.enable(options));
}
bad('tick', () => mock.timers.tick(5));
bad('runAll', () => mock.timers.runAll());
bad('setTime', () => mock.timers.setTime(5));
bad('twice', () => { mock.timers.enable(); mock.timers.enable(); });
bad('negative', () => { mock.timers.enable(); mock.timers.tick(-1); });
bad('setTime', () => { mock.timers.enable(); mock.timers.setTime(-5); });
bad('setTime', () => { mock.timers.enable(); mock.timers.setTime('a'); });

mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'], now: 1000 });
console.log(Date.now(), new Date().toISOString(), new Date(5).getTime(), Date.length, Date.name, Date.isMock, typeof Date(),
            Date.parse('1970-01-01T00:00:01Z'), Date.UTC(1970, 0), new Date(2020, 1, 1) instanceof Date,
            Object.prototype.toString.call(new Date()), Date.toString());
const log = [];
const show = () => console.log(log.splice(0), Date.now());
setTimeout((a, b) => log.push('timeout', a, b, Date.now()), 10, 1, 2);
const interval = setInterval(() => log.push('interval', Date.now()), 7);
setImmediate((x) => log.push('immediate', x), 5);
const cleared = setTimeout(() => log.push('never'), 5);
clearTimeout(cleared);
clearImmediate(setImmediate(() => log.push('never')));
console.log(typeof cleared, cleared.hasRef(), cleared.ref() === cleared, cleared.unref() === cleared);
mock.timers.tick();
show();
mock.timers.tick(9);
show();
mock.timers.tick(30);
show();
clearInterval(interval);
setTimeout(() => {
  log.push('outer');
  setTimeout(() => log.push('inner'), 5);
}, 5);
mock.timers.tick(20);
show();
setTimeout(() => log.push('first'), 50);
setTimeout(() => log.push('second'), 100);
mock.timers.runAll();
show();
mock.timers.setTime(5000000);
show();
(async () => {
  const slept = promises.setTimeout(50, 'v');
  mock.timers.tick(50);
  console.log(await slept);
  const iterator = promises.setInterval(10, 'x');
  const next = iterator.next();
  mock.timers.tick(10);
  console.log(await next);
  const another = iterator.next();
  mock.timers.tick(10);
  console.log(await another, await iterator.return());
  const soon = promises.setImmediate('soon');
  mock.timers.tick(0);
  console.log(await soon);
  const controller = new AbortController();
  const aborted = promises.setTimeout(50, 'v', { signal: controller.signal });
  controller.abort();
  await aborted.catch((error) => console.log(error.name, error.code, error.message));
  console.log(timers.setTimeout === setTimeout);
  mock.timers.reset();
  console.log(Date.now() > 1e12, setTimeout.name, timers.setTimeout === setTimeout, Date.isMock);
  mock.timers.enable({ apis: ['Date'] });
  console.log(Date.now(), setTimeout.name);
  mock.timers.tick(5);
  console.log(Date.now());
  mock.timers[Symbol.dispose]();
  console.log(Date.now() > 1e12);
})();
