// A histogram that was posted counts what either side records.
'use strict';
const { createHistogram, monitorEventLoopDelay } = require('perf_hooks');
const { MessageChannel, Worker, receiveMessageOnPort } = require('worker_threads');

function post(value, list) {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(value, list);
  const { message } = receiveMessageOnPort(port2);
  port1.close();
  return message;
}

const histogram = createHistogram();
histogram.record(5);
const clone = post({ histogram }).histogram;
console.log(clone.min, clone.max, clone.percentiles, clone.constructor.name, clone !== histogram);
histogram.record(7);
clone.record(1_000_000);
console.log(histogram.count, clone.count, histogram.max, clone.min, clone.mean === histogram.mean);
console.log(histogram.percentile(50), clone.percentile(50), clone.stddev === histogram.stddev);
const third = structuredClone(clone);
third.record(9n);
console.log(histogram.count, clone.countBigInt, third.toJSON().count);
const limited = createHistogram({ lowest: 1, highest: 100, figures: 2 });
const other = post(limited);
other.record(1000);
other.record(50);
console.log(limited.exceeds, limited.count, limited.max);
other.add(histogram);
console.log(limited.count, other.exceeds, limited.max);
other.reset();
console.log(limited.count, limited.exceeds, limited.min, limited.max);
const delay = monitorEventLoopDelay();
console.log(post(delay).constructor.name, typeof post(delay).record, typeof post(delay).enable);

const shared = createHistogram();
const count = 20_000;
const worker = new Worker(`
  const { parentPort, workerData: { shared, count } } = require('worker_threads');
  parentPort.postMessage('go');
  for (let i = 1; i <= count; i++) shared.record(i);
`, { eval: true, workerData: { shared, count } });
worker.once('message', () => {
  for (let i = 1; i <= count; i++) shared.record(i);
});
worker.on('exit', () => console.log(shared.count, shared.min, shared.max >= count));
