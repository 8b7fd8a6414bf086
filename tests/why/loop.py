"""process.loop, --blocked and the warning about starvation."""
import re

from harness.checks import check
from harness.waiting import eventually


def test_process_loop(context):
    with context.running("""
const assert = require('assert');
const { loop } = process;
assert.strictEqual(loop, process.loop);
assert.match(require('util').inspect(loop), /^ProcessLoop \\{[^]* turns: \\d+,[^]* pool: /);
assert.ok(!Object.keys(process).includes('loop'));
assert.deepStrictEqual(Object.keys(loop.phases), ['timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'closing']);
assert.throws(() => loop.measure('yes'), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => loop.lagPercentile(101), { code: 'ERR_OUT_OF_RANGE' });
assert.throws(() => loop.lagPercentile('1'), { code: 'ERR_INVALID_ARG_TYPE' });
assert.strictEqual(loop.measure(true), loop);
assert.strictEqual(loop.isMeasuring, true);
process.nextTick(() => {});
assert.strictEqual(loop.queues.ticks, 1);
const timer = setTimeout(function later() {}, 1000_000);
const server = require('net').createServer().listen(0);
setTimeout(function look() {
  // All of the time may have gone by before the first poll.
  if (loop.phases.poll <= 1 || loop.idle <= 1) return void setTimeout(look, 20);
  assert.ok(loop.turns > 0 && loop.callbacks > 0);
  assert.ok(loop.lag.count >= 1 && loop.lag.max >= loop.lag.p50);
  assert.ok(loop.lagPercentile(50) <= loop.lag.max);
  assert.ok(loop.utilization > 0 && loop.utilization < 1);
  assert.deepStrictEqual(Object.keys(loop.queues), ['ticks', 'timers', 'immediates', 'handles', 'requests', 'closing']);
  assert.strictEqual(loop.queues.timers, 2);  // This one is over when it has returned.
  assert.deepStrictEqual(Object.keys(loop.pool), ['size', 'queued', 'running']);
  assert.ok(['epoll', 'uring'].includes(loop.backend));
  const alive = loop.alive();
  assert.deepStrictEqual(alive.map(({ type }) => type).sort(), ['tcp server', 'timer']);
  const { place, details } = alive.find(({ type }) => type === 'timer');
  assert.deepStrictEqual(place, { function: 'later', file: __filename, line: 15, column: 40 });
  assert.strictEqual(details.duration, 1000_000);
  assert.strictEqual(loop.measure(false).isMeasuring, false);
  assert.ok(loop.snapshot().now > 0);
  console.log('ready');
}, 20);
"""):
        pass


def test_blocked_option(context):
    eventually(lambda: blocked_option(context))  # The observer may have to wait for the processor.


def blocked_option(context):
    with context.running("""
console.log('ready');
function spin(ms) { const end = Date.now() + ms;
  while (Date.now() < end) ;
}
function work() { spin(200); }
setTimeout(function tick() { work(); }, 10);
""", "--blocked=50") as process:
        text = process.communicate(timeout=30)[1]
    report = re.search(r"^rondo: a callback blocked the loop for (\d+) ms, in spin \(\S*/app\.js:4:\d+\)\n"
                     r"    called by work \(\S*/app\.js:6:19\)\n"
                     r"    called by tick \(\S*/app\.js:7:30\)\n", text, re.M)
    check(report and int(report[1]) >= 190, text)


def test_starvation(context):
    with context.running("""
console.log('ready');
const spent = () => process.threadCpuUsage().user + process.threadCpuUsage().system;
const end = spent() + 2e6;
(function again() { if (spent() < end) process.nextTick(again); })();
""") as process:
        text = process.communicate(timeout=120)[1]
    check(re.match(r"rondo: ticks or microtasks keep queueing more of themselves: the loop has been blocked for over a "
                   r"second, in again \(\S*/app\.js:5:\d+\)\.", text), text)


def test_slow_drain(context):
    """A drain that takes long without using the processor starves nothing: the machine is busy."""
    with context.running("""
console.log('ready');
let left = 16;
const word = new Int32Array(new SharedArrayBuffer(4));
(function again() { if (left-- > 0) { Atomics.wait(word, 0, 0, 100); process.nextTick(again); } })();
""") as process:
        text = process.communicate(timeout=120)[1]
    check(text == "", text)
