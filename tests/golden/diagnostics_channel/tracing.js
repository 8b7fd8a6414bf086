'use strict';
const { channel, tracingChannel, Channel } = require('diagnostics_channel');
const { AsyncLocalStorage } = require('async_hooks');
const log = console.log;

function show(context) {
  const { error, ...rest } = context;
  return error === undefined ? rest : { ...rest, error: error.message };
}
const handlers = {};
for (const name of ['start', 'end', 'asyncStart', 'asyncEnd', 'error']) {
  handlers[name] = (context, channelName) => log(' ', channelName, show(context));
}
function attempt(name, call) {
  try {
    log(name, 'gives', call());
  } catch (error) {
    log(name, error.name, error.code, error.message);
  }
}
const channels = tracingChannel('op');
log(channels.hasSubscribers, channels.start instanceof Channel, channels.start === channel('tracing:op:start'));
attempt('untraced', () => channels.traceSync((a) => a + 1, {}, null, 1));
attempt('untraced', () => channels.traceCallback((cb) => cb(null, 5), 0, {}, null, (error, value) => value));
channels.subscribe(handlers);
log(channels.hasSubscribers);

attempt('sync', () => channels.traceSync(function (...args) {
  return [this.me, args];
}, { id: 1 }, { me: 'this' }, 1, 2));
attempt('sync throws', () => channels.traceSync(() => {
  throw new Error('sync');
}, { id: 2 }));
attempt('no context', () => channels.traceSync(() => 'value'));
attempt('callback', () => channels.traceCallback(function (a, cb) {
  cb(null, a * 2);
  return this.me;
}, -1, { id: 3 }, { me: 'this' }, 4, (error, value) => log('  callback', error, value)));
attempt('callback error', () => channels.traceCallback((cb, a) => cb(new Error('callback')), 0, { id: 4 }, null,
  (error) => log('  callback', error.message), 5));
attempt('callback throws', () => channels.traceCallback(() => {
  throw new Error('before');
}, 0, { id: 5 }, null, () => {}));
for (const value of [undefined, null, 1, {}]) attempt('no callback', () => channels.traceCallback(() => {}, 0, {}, null, value));
for (const value of [undefined, null, 1, true]) attempt('tracingChannel', () => tracingChannel(value));
attempt('tracingChannel', () => tracingChannel({ start: 1 }));
attempt('subscribe', () => channels.subscribe({ start: 1 }));
const own = tracingChannel({
  start: channel('a'), end: channel('b'), asyncStart: channel('c'), asyncEnd: channel('d'), error: channel('e'),
});
log(own.end.name);

(async () => {
  const awaited = async (name, call) => {
    try {
      log(name, 'gives', await call());
    } catch (error) {
      log(name, error.name, error.message);
    }
  };
  await awaited('promise', () => channels.tracePromise(async function (...args) {
    return [this.me, args];
  }, { id: 6 }, { me: 'this' }, 1));
  await awaited('rejection', () => channels.tracePromise(async () => {
    throw new Error('rejected');
  }, { id: 7 }));
  await awaited('throws', () => channels.tracePromise(() => {
    throw new Error('thrown');
  }, { id: 8 }));
  await awaited('value', () => channels.tracePromise(() => 'plain', { id: 9 }));
  await awaited('thenable', () => channels.tracePromise(() => ({ then(resolve) { resolve('then'); } }), { id: 10 }));
  attempt('unsubscribe', () => channels.unsubscribe(handlers));
  attempt('unsubscribe', () => channels.unsubscribe(handlers));
  log(channels.hasSubscribers);

  const storage = new AsyncLocalStorage();
  channels.start.bindStore(storage, ({ id }) => `started ${id}`);
  channels.asyncStart.bindStore(storage, ({ id }) => `went on ${id}`);
  attempt('store', () => channels.traceSync(() => storage.getStore(), { id: 11 }));
  await awaited('store', () => channels.tracePromise(async () => {
    const before = storage.getStore();
    await null;
    return [before, storage.getStore()];
  }, { id: 12 }));
  channels.traceCallback((cb) => setImmediate(cb, storage.getStore()), 0, { id: 13 }, null, function (before) {
    log(before, storage.getStore());
  });
  log(storage.getStore());
})();
