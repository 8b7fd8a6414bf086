'use strict';

// node:v8: statistics and settings of the engine, and its serializer.

const {
  Date,
  DatePrototypeGetDate,
  DatePrototypeGetFullYear,
  DatePrototypeGetHours,
  DatePrototypeGetMinutes,
  DatePrototypeGetMonth,
  DatePrototypeGetSeconds,
  StringPrototypePadStart,
} = primordials;

const { ERR_NOT_BUILDING_SNAPSHOT } = require('internal/errors').codes;
const serializer = require('internal/v8/serializer');
const { validateOneOf, validateString } = require('internal/validators');

const binding = internalBinding('v8');

function setFlagsFromString(flags) {
  validateString(flags, 'flags');
  binding.setFlags(flags);
}

// Returns a name such as 'Heap-20200131-235959-PID-THREAD-SERIAL.heapsnapshot'.
let written = 0;
function snapshotName() {
  const two = (number) => (number < 10 ? `0${number}` : `${number}`);
  const now = new Date();
  const day = `${DatePrototypeGetFullYear(now)}${two(DatePrototypeGetMonth(now) + 1)}${two(DatePrototypeGetDate(now))}`;
  const minute = `${two(DatePrototypeGetHours(now))}${two(DatePrototypeGetMinutes(now))}`;
  const time = `${minute}${two(DatePrototypeGetSeconds(now))}`;
  const serial = StringPrototypePadStart(`${++written}`, 3, '0');
  return `Heap-${day}-${time}-${process.pid}-${require('worker_threads').threadId}-${serial}.heapsnapshot`;
}

function writeHeapSnapshot(filename, options) {
  const { checkOptions } = require('internal/heap_snapshot');
  if (filename !== undefined) {
    const { getValidatedPath } = require('internal/fs/utils');
    filename = getValidatedPath(filename);
  } else {
    filename = snapshotName();
  }
  const { exposeInternals, exposeNumericValues } = checkOptions(options);
  const fs = require('fs');
  const fd = fs.openSync(filename, 'w');
  try {
    binding.heapSnapshot((piece) => { fs.writeSync(fd, piece); }, exposeInternals, exposeNumericValues);
  } finally {
    fs.closeSync(fd);
  }
  return filename;
}

function getHeapSnapshot(options) {
  const { HeapSnapshotStream, checkOptions, takePieces } = require('internal/heap_snapshot');
  return new HeapSnapshotStream(takePieces(checkOptions(options)));
}

function isStringOneByteRepresentation(content) {
  validateString(content, 'content');
  return internalBinding('v8_profile').isOneByte(content);
}

// Rondo allocates no objects in V8's garbage-collected C++ heap (cppgc), so all values are 0.
function getCppHeapStatistics(type = 'detailed') {
  validateOneOf(type, 'type', ['brief', 'detailed']);
  return {
    __proto__: null,
    committed_size_bytes: 0,
    resident_size_bytes: 0,
    used_size_bytes: 0,
    space_statistics: [],
    type_names: [],
    detail_level: type,
  };
}

const notBuilding = () => { throw new ERR_NOT_BUILDING_SNAPSHOT(); };

module.exports = {
  cachedDataVersionTag: binding.cachedDataVersionTag,
  getHeapSnapshot,
  getHeapStatistics: () => binding.heapStatistics(),
  getHeapSpaceStatistics: () => binding.heapSpaceStatistics(),
  getHeapCodeStatistics: () => binding.heapCodeStatistics(),
  getCppHeapStatistics,
  setFlagsFromString,
  Serializer: serializer.Serializer,
  Deserializer: serializer.Deserializer,
  DefaultSerializer: serializer.DefaultSerializer,
  DefaultDeserializer: serializer.DefaultDeserializer,
  deserialize: serializer.deserialize,
  // Both have an effect only if NODE_V8_COVERAGE is set.
  takeCoverage() { require('internal/coverage').write(); },
  stopCoverage() { require('internal/coverage').stop(); },
  serialize: serializer.serialize,
  writeHeapSnapshot,
  get promiseHooks() { return require('internal/promise_hooks').promiseHooks; },
  queryObjects: (ctor, options = undefined) => require('internal/v8/profile').queryObjects(ctor, options),
  startupSnapshot: {
    __proto__: null,
    addDeserializeCallback: notBuilding,
    addSerializeCallback: notBuilding,
    setDeserializeMainFunction: notBuilding,
    isBuildingSnapshot: () => false,
  },
  get GCProfiler() { return require('internal/v8/profile').GCProfiler; },
  isStringOneByteRepresentation,
  startCpuProfile: (options) => require('internal/v8/profile').startCpuProfile(options),
  startHeapProfile: (options) => require('internal/v8/profile').startHeapProfile(options),
};
