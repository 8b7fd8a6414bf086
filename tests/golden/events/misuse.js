'use strict';
const EventEmitter = require('events');
const { once, on, getEventListeners, getMaxListeners, setMaxListeners, addAbortListener, listenerCount } = EventEmitter;
const emitter = new EventEmitter();

function attempt(name, call) {
  try {
    const result = call();
    console.log(name, 'gives', result === emitter ? 'itself' : typeof result);
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

for (const name of ['on', 'addListener', 'once', 'prependListener', 'prependOnceListener', 'off', 'removeListener']) {
  for (const args of [[], ['x'], ['x', null], ['x', 'f'], ['x', {}], [1]]) attempt(name, () => emitter[name](...args));
}
for (const value of [undefined, null, '1', -1, NaN, 1.5, 0, Infinity, {}]) {
  attempt('emitter.setMaxListeners', () => emitter.setMaxListeners(value));
  attempt('defaultMaxListeners', () => {
    EventEmitter.defaultMaxListeners = value;
  });
  attempt('captureRejections', () => {
    EventEmitter.captureRejections = value;
  });
  attempt('option', () => new EventEmitter({ captureRejections: value }));
}
EventEmitter.defaultMaxListeners = 10;
for (const options of [undefined, null, 1, 'text', [], () => {}]) attempt('constructor', () => new EventEmitter(options));
for (const args of [['1'], [1, {}], [-1], [1, null], [NaN], [1, 'x'], [11, emitter]]) {
  attempt('setMaxListeners', () => setMaxListeners(...args));
}
for (const value of [undefined, null, 1, {}, 'text', emitter]) {
  attempt('getEventListeners', () => getEventListeners(value, 'x'));
  attempt('getMaxListeners', () => getMaxListeners(value));
  attempt('addAbortListener', () => addAbortListener(value, () => {}));
  attempt('listenerCount', () => listenerCount(value, 'x'));
}
const { signal } = new AbortController();
for (const value of [undefined, null, 1, {}]) attempt('addAbortListener', () => addAbortListener(signal, value));

for (const args of [[], [null], [1], [{}, 'x'], [emitter, 'x', { signal: 1 }], [emitter, 'x', { signal: {} }],
  [emitter, 'x', { highWaterMark: 0 }], [emitter, 'x', { highWaterMark: '1' }], [emitter, 'x', { lowWaterMark: -1 }],
  [emitter, 'x', { lowWaterMark: 1.5 }], [emitter, 'x', { signal: AbortSignal.abort('because') }]]) {
  attempt('on', () => on(...args));
}
const iterator = on(emitter, 'x');
for (const value of [undefined, null, 1, 'text', {}]) attempt('throw', () => iterator.throw(value));

(async () => {
  for (const args of [[], [null], [1], [{}, 'x'], [emitter, 'x', { signal: 1 }], [emitter, 'x', { signal: null }],
    [emitter, 'x', { signal: AbortSignal.abort('because') }]]) {
    try {
      await once(...args);
    } catch (error) {
      console.log('once', error.name, error.code, error.message, error.cause);
    }
  }
})();
