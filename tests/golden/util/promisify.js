// promisify and callbackify, there and back.
const { promisify, callbackify, inspect } = require('util');

function add(a, b, callback) { setImmediate(callback, null, a + b, 'ignored'); }
function fails(callback) { process.nextTick(callback, new Error('failed')); }
function self(callback) { callback(null, this.name); }
function throws() { throw new TypeError('at once'); }
function twice(callback) { callback(null, 1); callback(new Error('too late')); }
function odd(callback) { callback(0, 'falsy is no error'); }
add.extra = 'kept';
add[Symbol('s')] = 1;

(async () => {
  const added = promisify(add);
  console.log(added.name, added.length, added.extra, Object.getPrototypeOf(added) === Object.getPrototypeOf(add), added === promisify(added), inspect(added));
  console.log(await added(1, 2));
  console.log(await promisify(fails)().catch((error) => error.message));
  console.log(await promisify(self).call({ name: 'this' }));
  console.log(await promisify(throws)().catch((error) => `${error.name} ${error.message}`));
  console.log(await promisify(twice)(), await promisify(odd)());
  const custom = () => Promise.resolve('custom');
  function hasCustom() {}
  hasCustom[promisify.custom] = custom;
  console.log(promisify(hasCustom) === custom, await promisify(hasCustom)(), promisify.custom);
  hasCustom[promisify.custom] = 'no function';
  try { promisify(hasCustom); } catch (error) { console.log(error.code, error.message); }

  const wait = (name, fn, ...args) => new Promise((done) => {
    fn.call({ name: 'receiver' }, ...args, function(...results) {
      console.log(name, this?.name, ...results.map((r) => (r instanceof Error ? `${r.name} ${r.code} ${r.message} ${inspect(r.reason)}` : r)));
      done();
    });
  });
  async function value(a) { return [this.name, a]; }
  await wait('value', callbackify(value), 5);
  await wait('error', callbackify(async () => { throw new RangeError('rejected'); }));
  await wait('null', callbackify(() => Promise.reject(null)));
  await wait('undefined', callbackify(() => Promise.reject()));
  await wait('zero', callbackify(() => Promise.reject(0)));
  await wait('thenable', callbackify(() => ({ then(resolve) { resolve('then'); } })));
  const named = callbackify(value);
  console.log(named.name, named.length);
  for (const args of [[], [5], [null]]) {
    try { named(...args); } catch (error) { console.log(error.code, error.message); }
  }
  try { callbackify(() => 5)(() => {}); } catch (error) { console.log(error.name); }
  // An exception of a callback does not become a rejection.
  process.once('uncaughtException', (error) => console.log('uncaught', error.message));
  callbackify(async () => 1)(() => { throw new Error('from the callback'); });
})();

// ---- Names of functions with a promise of their own
{
  const { promisify } = require('util');
  const { exec, execFile } = require('child_process');
  for (const fn of [exec, execFile, setTimeout, setImmediate, require('fs').exists, require('stream').finished]) {
    console.log(promisify(fn).name);
  }
}
