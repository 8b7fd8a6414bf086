'use strict';
// Defines the globals. Those that few programs use are getters, which load their module when they are
// first read and turn into plain properties.
const {
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  SafeArrayIterator,
  SymbolToStringTag,
  globalThis,
} = primordials;

function define(name, value, enumerable = false) {
  ObjectDefineProperty(globalThis, name, {
    __proto__: null, value, enumerable, writable: true, configurable: true,
  });
}

function defineLazy(name, load, enumerable = false) {
  ObjectDefineProperty(globalThis, name, {
    __proto__: null,
    enumerable,
    configurable: true,
    get() {
      const value = load();
      define(name, value, enumerable);
      return value;
    },
    set(value) { define(name, value, enumerable); },
  });
}

// `load` says where from; most modules export the class under the global's own name.
function defineLazyAll(id, names, enumerable = false) {
  for (const name of names) defineLazy(name, () => require(id)[name], enumerable);
}

ObjectDefineProperty(globalThis, SymbolToStringTag, {
  __proto__: null, value: 'global', writable: false, enumerable: false, configurable: true,
});
// V8's own, from before there was Intl.Segmenter.
delete globalThis.Intl.v8BreakIterator;
define('global', globalThis, true);
define('process', require('internal/bootstrap/process'));

const timers = require('timers');
for (const name of new SafeArrayIterator([
  'clearImmediate', 'setImmediate', 'clearInterval', 'clearTimeout', 'setInterval', 'setTimeout',
])) {
  define(name, timers[name], true);
}
define('queueMicrotask', require('internal/process/task_queues').queueMicrotask, true);

define('console', require('internal/console/global'));
define('Buffer', require('buffer').Buffer);
defineLazyAll('internal/structured_clone', ['structuredClone'], true);
defineLazyAll('buffer', ['atob', 'btoa'], true);
defineLazyAll('perf_hooks', ['performance'], true);
let fetchImplementation;
define('fetch', function fetch(input, init = undefined) {
  fetchImplementation ??= require('internal/fetch/fetch').fetch;
  return fetchImplementation(input, init);
}, true);
// Stays a getter, and cannot be assigned to, as in Node.
ObjectDefineProperty(globalThis, 'crypto', {
  __proto__: null,
  ...ObjectGetOwnPropertyDescriptor({
    get crypto() { return require('internal/crypto/webcrypto').crypto; },
  }, 'crypto'),
});
defineLazyAll('buffer', ['Blob', 'File']);
defineLazyAll('internal/worker/port', ['MessageChannel', 'MessagePort']);
defineLazyAll('internal/worker/message_event', ['MessageEvent']);
defineLazyAll('internal/worker/broadcast_channel', ['BroadcastChannel']);
const { URL, URLSearchParams } = require('internal/url');
define('URL', URL);
define('URLSearchParams', URLSearchParams);
defineLazyAll('internal/encoding', ['TextEncoder', 'TextDecoder']);
defineLazyAll('internal/event_target', ['Event', 'EventTarget', 'CustomEvent']);
defineLazyAll('internal/abort_controller', ['AbortController', 'AbortSignal']);
defineLazyAll('internal/url/pattern', ['URLPattern']);
defineLazyAll('internal/domexception', ['DOMException', 'QuotaExceededError']);
defineLazyAll('internal/event_target/web_events', ['CloseEvent', 'ErrorEvent']);
defineLazyAll('internal/fetch/undici', ['FormData', 'Headers', 'Request', 'Response', 'EventSource', 'WebSocket']);
defineLazyAll('internal/navigator', ['Navigator']);
ObjectDefineProperty(globalThis, 'navigator', {
  __proto__: null, enumerable: true, configurable: true, get() { return require('internal/navigator').navigator; },
});
defineLazyAll('internal/webstorage', ['Storage']);
ObjectDefineProperty(globalThis, 'localStorage', {
  __proto__: null,
  enumerable: false,
  configurable: true,
  get() { return require('internal/webstorage').missingLocalStorage(); },
  set(value) { define('localStorage', value); },
});
defineLazyAll('internal/webstorage', ['sessionStorage'], true);
defineLazyAll('perf_hooks', [
  'Performance', 'PerformanceEntry', 'PerformanceMark', 'PerformanceMeasure', 'PerformanceObserver',
  'PerformanceObserverEntryList', 'PerformanceResourceTiming',
]);
defineLazyAll('stream/web', [
  'ReadableStream', 'ReadableStreamDefaultReader', 'ReadableStreamBYOBReader', 'ReadableStreamBYOBRequest',
  'ReadableByteStreamController', 'ReadableStreamDefaultController', 'TransformStream',
  'TransformStreamDefaultController', 'WritableStream', 'WritableStreamDefaultController',
  'WritableStreamDefaultWriter', 'ByteLengthQueuingStrategy', 'CountQueuingStrategy', 'TextEncoderStream',
  'TextDecoderStream', 'CompressionStream', 'DecompressionStream',
]);
defineLazyAll('internal/crypto/webcrypto', ['Crypto', 'CryptoKey', 'SubtleCrypto']);
