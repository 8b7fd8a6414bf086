'use strict';
// mock.property(), and the parts of mock.timers that are newer.
const { mock } = require('node:test');
const { scheduler } = require('node:timers/promises');
const tried = (fn) => { try { console.log(fn()); } catch (error) { console.log(error.code, error.message); } };
const shown = (context) => context.accesses.map(({ type, value, stack }) => [type, value, stack instanceof Error]);

const object = { a: 1, [Symbol.for('s')]: 2 };
const mocked = mock.property(object, 'a', 5);
console.log(object.a, mocked.a, mocked.mock.accessCount());
object.a = 7;
mocked.mock.mockImplementationOnce(9);
mocked.mock.mockImplementationOnce(10, 5);
console.log(object.a, object.a, object.a, shown(mocked.mock));
tried(() => mocked.mock.mockImplementationOnce(1, 2));
mocked.mock.resetAccesses();
mocked.mock.mockImplementation('x');
console.log(object.a, shown(mocked.mock), Object.keys(object));
mocked.mock.restore();
console.log(object.a, Object.getOwnPropertyDescriptor(object, 'a'));
console.log(mock.property(object, Symbol.for('s')).mock.accessCount(), object[Symbol.for('s')]);
mock.property(object, 'a', undefined);
console.log(object.a);
mock.restoreAll();
console.log(object);
const frozen = Object.defineProperty({}, 'f', { value: 1, configurable: true });
const still = mock.property(frozen, 'f', 2);
tried(() => { frozen.f = 3; });
console.log(frozen.f);
tried(() => mock.property({}, 'none'));
tried(() => mock.property(5, 'x'));
tried(() => mock.property({ x: 1 }, 5));
mock.reset();

mock.timers.enable({ apis: ['scheduler.wait', 'AbortSignal.timeout', 'setTimeout', 'Date'], now: new Date(5) });
const { wait } = scheduler;
scheduler.wait(100).then((value) => console.log('waited', value, Date.now()));
const controller = new AbortController();
scheduler.wait(100, { signal: controller.signal }).catch((error) => console.log(error.name, error.code));
const signal = AbortSignal.timeout(200);
signal.addEventListener('abort', () => console.log('aborted', signal.reason.name, Date.now()));
tried(() => AbortSignal.timeout(-1));
{
  using timer = setTimeout(() => console.log('never'), 10);
  console.log(timer.hasRef());
}
controller.abort();
mock.timers.tick(100);
mock.timers.tick(100);
setImmediate(() => {
  tried(() => mock.timers.enable());
  mock.timers.reset();
  console.log(scheduler.wait === wait, AbortSignal.timeout(100000).aborted);
  for (const now of [NaN, -1, 'x', null]) tried(() => { mock.timers.enable({ now }); mock.timers.reset(); });
});
