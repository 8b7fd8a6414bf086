'use strict';
// CPU, heap and garbage collection profiles: v8.startCpuProfile(), startHeapProfile(), GCProfiler.

const {
  ArrayPrototypeMap,
  DateNow,
  JSONStringify,
  MathFloor,
  ObjectDefineProperty,
  SymbolDispose,
} = primordials;

const {
  codes: { ERR_CPU_PROFILE_TOO_MANY, ERR_HEAP_PROFILE_HAVE_BEEN_STARTED, ERR_INVALID_ARG_VALUE },
} = require('internal/errors');
const { emitExperimentalWarning, kEmptyObject } = require('internal/util');
const {
  validateBoolean,
  validateFunction,
  validateInt32,
  validateInteger,
  validateNumber,
  validateObject,
} = require('internal/validators');

const binding = internalBinding('v8_profile');

const kLongestInterval = 0x7fffffff;
const kNoLimit = 0xffffffff;
// Bits of V8's sampling flags.
const kForceGC = 1;
const kIncludeMajor = 2;
const kIncludeMinor = 4;

class SyncCPUProfileHandle {
  #id;
  #isStopped = false;

  constructor(id) {
    this.#id = id;
  }

  // Returns the profile as JSON; undefined on the second call.
  stop() {
    if (this.#isStopped) return undefined;
    this.#isStopped = true;
    return binding.stopCpuProfile(this.#id);
  }
}

class SyncHeapProfileHandle {
  #isStopped = false;

  stop() {
    if (this.#isStopped) return undefined;
    this.#isStopped = true;
    return JSONStringify(binding.stopHeapProfile());
  }
}

class GCProfiler {
  #startTime = undefined;

  start() {
    if (this.#startTime !== undefined) return;
    this.#startTime = DateNow();
    binding.startGarbageProfile();
  }

  stop() {
    if (this.#startTime === undefined) return undefined;
    const startTime = this.#startTime;
    this.#startTime = undefined;
    return { version: 1, startTime, statistics: binding.stopGarbageProfile(), endTime: DateNow() };
  }
}

const handles = [SyncCPUProfileHandle, SyncHeapProfileHandle, GCProfiler];
for (let i = 0; i < handles.length; i++) {
  ObjectDefineProperty(handles[i].prototype, SymbolDispose, {
    __proto__: null, configurable: true, writable: true, value() { this.stop(); },
  });
}

function readCpuOptions(options = kEmptyObject) {
  validateObject(options, 'options');
  const { maxBufferSize = kNoLimit, sampleInterval = 0 } = options;
  validateNumber(sampleInterval, 'options.sampleInterval', 0, kLongestInterval / 1000);
  validateNumber(maxBufferSize, 'options.maxBufferSize', 1, kNoLimit);
  const microseconds = MathFloor(sampleInterval * 1000) || (sampleInterval > 0 ? 1 : 0);
  return { microseconds, samples: MathFloor(maxBufferSize) };
}

function startCpuProfile(options) {
  const { microseconds, samples } = readCpuOptions(options);
  const id = binding.startCpuProfile(microseconds, samples);
  if (id === undefined) throw new ERR_CPU_PROFILE_TOO_MANY();
  return new SyncCPUProfileHandle(id);
}

function readHeapOptions(options = kEmptyObject) {
  validateObject(options, 'options');
  const {
    forceGC = false,
    includeObjectsCollectedByMajorGC = false,
    includeObjectsCollectedByMinorGC = false,
    sampleInterval = 512 * 1024,
    stackDepth = 16,
  } = options;
  validateInteger(sampleInterval, 'options.sampleInterval', 1);
  validateInt32(stackDepth, 'options.stackDepth', 0);
  validateBoolean(forceGC, 'options.forceGC');
  validateBoolean(includeObjectsCollectedByMajorGC, 'options.includeObjectsCollectedByMajorGC');
  validateBoolean(includeObjectsCollectedByMinorGC, 'options.includeObjectsCollectedByMinorGC');
  const flags = (forceGC ? kForceGC : 0) | (includeObjectsCollectedByMajorGC ? kIncludeMajor : 0) |
    (includeObjectsCollectedByMinorGC ? kIncludeMinor : 0);
  return { sampleInterval, stackDepth, flags };
}

function startHeapProfile(options) {
  const { sampleInterval, stackDepth, flags } = readHeapOptions(options);
  if (!binding.startHeapProfile(sampleInterval, stackDepth, flags)) throw new ERR_HEAP_PROFILE_HAVE_BEEN_STARTED();
  return new SyncHeapProfileHandle();
}

function queryObjects(ctor, options = kEmptyObject) {
  validateFunction(ctor, 'constructor');
  if (options !== kEmptyObject) validateObject(options, 'options');
  const format = options.format || 'count';
  if (format !== 'count' && format !== 'summary') throw new ERR_INVALID_ARG_VALUE('options.format', format);
  emitExperimentalWarning('v8.queryObjects()');
  const objects = binding.queryObjects(ctor.prototype);
  if (format === 'count') return objects.length;
  const { inspect } = require('internal/util/inspect');
  return ArrayPrototypeMap(objects, (object) => inspect(object, { __proto__: null, depth: 0 }));
}

module.exports = { GCProfiler, queryObjects, readCpuOptions, readHeapOptions, startCpuProfile, startHeapProfile };
