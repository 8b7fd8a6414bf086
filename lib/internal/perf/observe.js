'use strict';

// The performance timeline and its observers.

const {
  ArrayFrom,
  ArrayIsArray,
  ArrayPrototypeConcat,
  ArrayPrototypeFilter,
  ArrayPrototypeIncludes,
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  ArrayPrototypeSort,
  Error,
  FunctionPrototypeCall,
  ObjectDefineProperties,
  ObjectFreeze,
  SafeMap,
  SafeSet,
  Symbol,
  SymbolToStringTag,
} = primordials;

const {
  codes: {
    ERR_ILLEGAL_CONSTRUCTOR,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_THIS,
    ERR_MISSING_ARGS,
  },
} = require('internal/errors');
const { validateFunction, validateObject } = require('internal/validators');
const { customInspectSymbol, kEmptyObject, kEnumerableProperty, lazyDOMException } = require('internal/util');
const { createPerformanceNodeEntry, isPerformanceEntry } = require('internal/perf/entry');
const { watched } = require('internal/perf/watched');
const { now } = internalBinding('clock');
const binding = internalBinding('performance');

const kMulti = 1;
const kSingle = 2;

const supportedEntryTypes = ObjectFreeze([
  'dns', 'function', 'gc', 'http', 'http2', 'mark', 'measure', 'net', 'quic', 'resource',
]);

// A larger number of entries is probably a leak: only clearMarks() and similar functions remove entries.
const kWarnSize = 1e6;

const observers = new SafeSet();
const pending = new SafeSet();
let isQueued = false;
// Number of observers of each type.
const watchers = new SafeMap();

let marks = [];
let measures = [];
let resources = [];
let resourceLimit = 250;
const warned = new SafeMap();

function queuePending() {
  if (isQueued) return;
  isQueued = true;
  require('timers').setImmediate(dispatchPending);
}

function dispatchPending() {
  isQueued = false;
  const list = ArrayFrom(pending.values());
  pending.clear();
  for (let i = 0; i < list.length; ++i) list[i][kDispatch]();
}

const kDispatch = Symbol('kDispatch');
const kMaybeBuffer = Symbol('kMaybeBuffer');
const kConstruct = Symbol('kConstruct');

function byStart(a, b) {
  return a.startTime - b.startTime;
}

function customInspect(name, fields, depth, options) {
  if (depth < 0) return options.stylize(`[${name}]`, 'special');
  const { inspect } = require('internal/util/inspect');
  const opts = { ...options, depth: options.depth === null ? null : options.depth - 1 };
  return `${name} ${inspect(fields, opts)}`;
}

class PerformanceObserverEntryList {
  #entries;

  constructor(key = undefined, entries = undefined) {
    if (key !== kConstruct) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this.#entries = ArrayPrototypeSort(entries, byStart);
  }

  getEntries() {
    if (!(#entries in this)) throw new ERR_INVALID_THIS('PerformanceObserverEntryList');
    return ArrayPrototypeSlice(this.#entries);
  }

  getEntriesByType(type) {
    if (!(#entries in this)) throw new ERR_INVALID_THIS('PerformanceObserverEntryList');
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('type');
    type = `${type}`;
    return ArrayPrototypeFilter(this.#entries, (entry) => entry.entryType === type);
  }

  getEntriesByName(name, type = undefined) {
    if (!(#entries in this)) throw new ERR_INVALID_THIS('PerformanceObserverEntryList');
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('name');
    name = `${name}`;
    return ArrayPrototypeFilter(this.#entries, (entry) => {
      return entry.name === name && (type === undefined || type === null || entry.entryType === type);
    });
  }

  [customInspectSymbol](depth, options) {
    return customInspect('PerformanceObserverEntryList', this.#entries, depth, options);
  }
}

ObjectDefineProperties(PerformanceObserverEntryList.prototype, {
  getEntries: kEnumerableProperty,
  getEntriesByType: kEnumerableProperty,
  getEntriesByName: kEnumerableProperty,
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'PerformanceObserverEntryList' },
});

class PerformanceObserver {
  #buffer = [];
  #entryTypes = new SafeSet();
  // Records whether observe() was called with `entryTypes` or with `type`: an observer cannot use both.
  #mode = 0;
  #callback;

  constructor(callback) {
    validateFunction(callback, 'callback');
    this.#callback = callback;
  }

  observe(options = kEmptyObject) {
    validateObject(options, 'options');
    const { entryTypes, type, buffered } = { ...options };
    if (entryTypes === undefined && type === undefined) {
      throw new ERR_MISSING_ARGS('options.entryTypes', 'options.type');
    }
    if (entryTypes !== undefined && entryTypes !== null && type !== undefined && type !== null) {
      throw new ERR_INVALID_ARG_VALUE('options.entryTypes', entryTypes,
        'options.entryTypes can not set with options.type together');
    }
    if (this.#mode === kSingle && entryTypes) {
      throw lazyDOMException('PerformanceObserver can not change to multiple observations', 'InvalidModificationError');
    }
    if (this.#mode === kMulti && type) {
      throw lazyDOMException('PerformanceObserver can not change to single observation', 'InvalidModificationError');
    }
    if (this.#mode === 0) this.#mode = entryTypes !== undefined ? kMulti : kSingle;

    if (this.#mode === kMulti) {
      if (!ArrayIsArray(entryTypes)) {
        throw new ERR_INVALID_ARG_TYPE('options.entryTypes', 'string[]', entryTypes);
      }
      this.#unwatchAll();
      for (let i = 0; i < entryTypes.length; ++i) this.#watch(entryTypes[i]);
    } else {
      if (!ArrayPrototypeIncludes(supportedEntryTypes, type)) return;
      this.#watch(type);
      if (buffered) {
        const entries = filterBufferMapByNameAndType(undefined, type);
        for (let i = 0; i < entries.length; ++i) ArrayPrototypePush(this.#buffer, entries[i]);
        pending.add(this);
        queuePending();
      }
    }
    if (this.#entryTypes.size > 0) observers.add(this);
    else this.disconnect();
  }

  #watch(type) {
    if (!ArrayPrototypeIncludes(supportedEntryTypes, type) || this.#entryTypes.has(type)) return;
    this.#entryTypes.add(type);
    const count = (watchers.get(type) ?? 0) + 1;
    watchers.set(type, count);
    if (type in watched) watched[type] = true;
    if (type === 'gc' && count === 1) binding.watchGarbage(onGarbage);
  }

  #unwatchAll() {
    this.#entryTypes.forEach((type) => {
      const count = watchers.get(type) - 1;
      watchers.set(type, count);
      if (type in watched) watched[type] = count > 0;
      if (type === 'gc' && count === 0) binding.unwatchGarbage();
    });
    this.#entryTypes.clear();
  }

  disconnect() {
    this.#unwatchAll();
    observers.delete(this);
    pending.delete(this);
    this.#buffer = [];
    this.#mode = 0;
  }

  takeRecords() {
    const list = this.#buffer;
    this.#buffer = [];
    return list;
  }

  static get supportedEntryTypes() {
    return supportedEntryTypes;
  }

  [kMaybeBuffer](entry) {
    if (!this.#entryTypes.has(entry.entryType)) return;
    ArrayPrototypePush(this.#buffer, entry);
    pending.add(this);
    queuePending();
  }

  [kDispatch]() {
    const entries = this.takeRecords();
    FunctionPrototypeCall(this.#callback, this, new PerformanceObserverEntryList(kConstruct, entries), this);
  }

  [customInspectSymbol](depth, options) {
    return customInspect('PerformanceObserver', {
      connected: observers.has(this),
      pending: pending.has(this),
      entryTypes: ArrayFrom(this.#entryTypes.values()),
      buffer: this.#buffer,
    }, depth, options);
  }
}

ObjectDefineProperties(PerformanceObserver.prototype, {
  observe: kEnumerableProperty,
  disconnect: kEnumerableProperty,
  takeRecords: kEnumerableProperty,
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'PerformanceObserver' },
});

// Delivers a new entry to its observers.
function enqueue(entry) {
  if (!isPerformanceEntry(entry)) throw new ERR_INVALID_ARG_TYPE('entry', 'PerformanceEntry', entry);
  if (!hasObserver(entry.entryType)) return;
  observers.forEach((observer) => observer[kMaybeBuffer](entry));
}

// Reports the garbage collections since the last call. `data` has four numbers for each.
function onGarbage(data) {
  for (let i = 0; i + 3 < data.length; i += 4) {
    enqueue(createPerformanceNodeEntry(
      'gc', 'gc', data[i], data[i + 1], { kind: data[i + 2], flags: data[i + 3] }));
  }
}

function warnIfMany(type, count, method) {
  if (count <= kWarnSize || warned.has(type)) return;
  warned.set(type, true);
  const warning = new Error(`Possible perf_hooks memory leak detected. ${count} ${type} entries added to the global ` +
    `performance entry buffer. Use performance.${method} to clear the buffer.`);
  warning.name = 'MaxPerformanceEntryBufferExceededWarning';
  warning.entryType = type;
  warning.count = count;
  process.emitWarning(warning);
}

// Stores a mark or measure for getEntries().
function bufferUserTiming(entry) {
  if (entry.entryType === 'mark') {
    ArrayPrototypePush(marks, entry);
    warnIfMany('mark', marks.length, 'clearMarks');
  } else {
    ArrayPrototypePush(measures, entry);
    warnIfMany('measure', measures.length, 'clearMeasures');
  }
}

// Entries that did not fit into the full buffer. They are added after 'resourcetimingbufferfull' was dispatched, or
// dropped if its listeners did not free space.
let waitingResources = [];
let isFullQueued = false;

function bufferResourceTiming(entry) {
  if (resources.length < resourceLimit && !isFullQueued) {
    ArrayPrototypePush(resources, entry);
    return;
  }
  if (!isFullQueued) {
    isFullQueued = true;
    require('timers').setImmediate(emitResourceBufferFull);
  }
  ArrayPrototypePush(waitingResources, entry);
}

function emitResourceBufferFull() {
  const { performance } = require('internal/perf/performance');
  const { Event } = require('internal/event_target');
  while (waitingResources.length > 0) {
    const before = waitingResources.length;
    if (resources.length >= resourceLimit) performance.dispatchEvent(new Event('resourcetimingbufferfull'));
    const waited = waitingResources;
    waitingResources = [];
    for (let i = 0; i < waited.length; ++i) {
      ArrayPrototypePush(resources.length < resourceLimit ? resources : waitingResources, waited[i]);
    }
    if (waitingResources.length >= before) waitingResources = []; // Still full.
  }
  isFullQueued = false;
}

function setResourceTimingBufferSize(maxSize) {
  resourceLimit = maxSize;
}

function clearEntriesFromBuffer(type, name) {
  const keep = name === undefined ? () => false : (entry) => entry.name !== name;
  if (type === 'mark') marks = ArrayPrototypeFilter(marks, keep);
  else if (type === 'measure') measures = ArrayPrototypeFilter(measures, keep);
  else resources = ArrayPrototypeFilter(resources, keep);
}

function filterBufferMapByNameAndType(name, type) {
  let list;
  if (type === 'mark') list = ArrayPrototypeSlice(marks);
  else if (type === 'measure') list = ArrayPrototypeSlice(measures);
  else if (type === 'resource') list = ArrayPrototypeSlice(resources);
  else if (type !== undefined && type !== null) return [];
  else list = ArrayPrototypeConcat(marks, measures, resources);
  if (name !== undefined) list = ArrayPrototypeFilter(list, (entry) => entry.name === name);
  return ArrayPrototypeSort(list, byStart);
}

function hasObserver(type) {
  return (watchers.get(type) ?? 0) > 0;
}

// For modules that time their operations (http, net, dns). The start time is stored on an object until the operation
// ends.
function startPerf(target, key, context = kEmptyObject) {
  target[key] = { ...context, startTime: now() };
}

function stopPerf(target, key, context = kEmptyObject) {
  const began = target[key];
  if (began === undefined) return;
  const entry = createPerformanceNodeEntry(began.name, began.type, began.startTime, now() - began.startTime,
    { ...began.detail, ...context.detail });
  enqueue(entry);
}

module.exports = {
  PerformanceObserver,
  PerformanceObserverEntryList,
  bufferResourceTiming,
  bufferUserTiming,
  clearEntriesFromBuffer,
  enqueue,
  filterBufferMapByNameAndType,
  hasObserver,
  setResourceTimingBufferSize,
  startPerf,
  stopPerf,
};
