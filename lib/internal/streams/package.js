'use strict';
// What the package readable-stream is given in place of its own copies of these things.
const {
  createDeferredPromise,
  deprecate,
  kEmptyObject,
  normalizeEncoding,
  once,
  promisify,
} = require('internal/util');
const { addAbortListener } = require('internal/events/targets');
const types = require('internal/util/types');

const util = {
  __proto__: null,
  addAbortListener,
  createDeferredPromise,
  deprecate,
  kEmptyObject,
  normalizeEncoding,
  once,
  promisify,
  types,
  // The trace of the package costs a call for each chunk, and is for those who mend the package.
  debuglog() { return () => {}; },
  inspect(...args) { return require('internal/util/inspect').inspect(...args); },
  format(...args) { return require('internal/util/inspect').format(...args); },
  isBlob(value) { return require('internal/blob').isBlob(value); },
  AbortSignalAny(signals) { return require('internal/abort_controller').AbortSignal.any(signals); },
};

module.exports = { util };
