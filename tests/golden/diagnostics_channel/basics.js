'use strict';
const channels = require('node:diagnostics_channel');
const { AsyncLocalStorage } = require('async_hooks');
const log = console.log;

function attempt(name, call) {
  try {
    const result = call();
    log(name, 'gives', result?.publish ? `channel ${String(result.name)}` : result);
  } catch (error) {
    log(name, error.name, error.code, error.message);
  }
}

const channel = channels.channel('x');
log(channel.name, channel.hasSubscribers, channel === channels.channel('x'), channel instanceof channels.Channel);
log(channels.hasSubscribers('x'), channels.hasSubscribers('never made'));
channel.publish('to nobody');
const listener = (message, name) => log('heard', message, name);
attempt('subscribe', () => channel.subscribe(listener));
log(channel.hasSubscribers, channels.hasSubscribers('x'));
channel.publish({ a: 1 });
channel.publish();
attempt('unsubscribe', () => channel.unsubscribe(listener));
attempt('unsubscribe', () => channel.unsubscribe(listener));
log(channel.hasSubscribers);

channels.subscribe('x', listener);
channels.subscribe('x', listener);
channel.publish('twice');
attempt('unsubscribe', () => channels.unsubscribe('x', listener));
channel.publish('once');
attempt('unsubscribe', () => channels.unsubscribe('x', listener));
attempt('unsubscribe', () => channels.unsubscribe('y', listener));

// A change while a message is published takes effect with the next.
const leaving = () => {
  log('leaving');
  channel.unsubscribe(leaving);
  channel.subscribe(listener);
};
channel.subscribe(leaving);
channel.subscribe(() => log('stays'));
channel.publish(1);
channel.publish(2);

// Exceptions of a listener do not reach the publisher.
process.on('uncaughtException', (error) => log('uncaught', error.message));
const failing = channels.channel('failing');
failing.subscribe(() => {
  throw new Error('from a listener');
});
failing.subscribe(() => log('the next one'));
attempt('publish', () => failing.publish(1));

const symbol = Symbol('named');
log(channels.channel(symbol) === channels.channel(symbol), channels.channel(symbol).name === symbol);
for (const name of [undefined, null, 1, {}, true, () => {}]) {
  attempt('channel', () => channels.channel(name));
  attempt('subscribe', () => channels.subscribe(name, listener));
  attempt('hasSubscribers', () => channels.hasSubscribers(name));
}
for (const value of [undefined, null, 1, {}, 'text']) {
  attempt('subscribe', () => channel.subscribe(value));
  attempt('subscribe', () => channels.subscribe('x', value));
  attempt('unsubscribe', () => channel.unsubscribe(value));
}

// Stores.
const storage = new AsyncLocalStorage();
const other = new AsyncLocalStorage();
const bound = channels.channel('bound');
const run = () => bound.runStores({ id: 1 }, function (...args) {
  log(this.me, args, storage.getStore(), other.getStore());
  return 'result';
}, { me: 'this' }, 1, 2);
log(run());
attempt('bindStore', () => bound.bindStore(storage));
attempt('bindStore', () => bound.bindStore(other, (data) => ({ ...data, more: true })));
bound.subscribe(() => log('published inside', storage.getStore()));
log(run(), bound.hasSubscribers);
bound.bindStore(other, () => {
  throw new Error('from a transform');
});
log(run(), storage.getStore());
attempt('unbindStore', () => bound.unbindStore(storage));
attempt('unbindStore', () => bound.unbindStore(storage));
attempt('unbindStore', () => bound.unbindStore(other));
log(run());
attempt('runStores', () => bound.runStores({}, () => {
  throw new RangeError('from the function');
}));
