'use strict';
// Everything that tells the time tells the same time.
const { performance, monitorEventLoopDelay, PerformanceObserver } = require('perf_hooks');
const { setTimeout: sleep, setInterval: every, setImmediate: soon, scheduler } = require('timers/promises');

const hour = 3600000;
const start = {
  date: Date.now(), perf: performance.now(), hr: process.hrtime(), big: process.hrtime.bigint(), up: process.uptime(),
  stamp: new Event('x').timeStamp, fn: new Date().getTime(),
};
const delay = monitorEventLoopDelay({ resolution: 1000 });
delay.enable();
console.time('timer');

function report(name) {
  const [s, ns] = process.hrtime(start.hr);
  console.log(name, Date.now() - start.date, performance.now() - start.perf, s * 1e3 + ns / 1e6,
              Number(process.hrtime.bigint() - start.big) / 1e6, Math.round((process.uptime() - start.up) * 1000),
              new Event('x').timeStamp - start.stamp, new Date().getTime() - start.fn);
}

(async () => {
  console.log(new Date().toISOString(), new Date(performance.timeOrigin).toISOString(), performance.toJSON().timeOrigin);
  await sleep(hour);
  report('sleep');
  await scheduler.wait(hour);
  report('scheduler.wait');
  let ticks = 0;
  for await (const _ of every(hour / 2)) if (++ticks === 4) break;
  report('setInterval');
  await soon();
  report('setImmediate');
  await new Promise((resolve) => {
    AbortSignal.timeout(hour).onabort = (event) => {
      console.log(event.target.reason.name);
      resolve();
    };
    setTimeout(() => {}, 2 * hour).unref();
    const alive = setTimeout(() => {}, 3 * hour);
    AbortSignal.timeout(hour + 1).onabort = () => clearTimeout(alive);
  });
  report('AbortSignal.timeout');
  await sleep(10, null, { signal: AbortSignal.timeout(5) }).catch((error) => console.log(error.name, error.cause.name));
  report('an aborted sleep');
  console.timeLog('timer', 'so far');
  performance.mark('a');
  await sleep(1500);
  performance.mark('b');
  console.log(performance.measure('m', 'a', 'b').duration, performance.getEntriesByName('b')[0].startTime - start.perf);
  const timed = performance.timerify(async () => sleep(250));
  const seen = new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries()[0].duration)).observe({ entryTypes: ['function'] });
  });
  await timed();
  console.log('timerify', await seen);
  console.log(new Intl.DateTimeFormat('en', { dateStyle: 'short', timeStyle: 'medium' }).format());
  console.log(new Date().toISOString(), String(new Date()).slice(0, 15), Date().slice(0, 15));
  delay.disable();
  console.log('delay', delay.min, delay.max, delay.count > 0);
  console.timeEnd('timer');
})();
