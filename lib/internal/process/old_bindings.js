'use strict';
// process.binding(): the few internal bindings that old packages use and that Rondo supports.

const { ArrayPrototypeIncludes, Error, ObjectKeys } = primordials;

const { getDeprecationWarningEmitter, isPendingDeprecation } = require('internal/util/deprecate');

const typeNames = [
  'isExternal', 'isDate', 'isNativeError', 'isRegExp', 'isAsyncFunction', 'isPromise', 'isMap', 'isSet',
  'isMapIterator', 'isSetIterator', 'isArrayBuffer', 'isDataView', 'isAnyArrayBuffer', 'isArrayBufferView',
  'isTypedArray',
  'isUint8Array',
];

const makers = {
  __proto__: null,
  config() {
    return {
      isDebugBuild: false,
      hasOpenSSL: true,
      fipsMode: false,
      hasIntl: true,
      hasTracing: false,
      hasNodeOptions: true,
      hasInspector: false,
      noBrowserGlobals: false,
      bits: 64,
    };
  },
  constants() {
    return {
      __proto__: null,
      os: require('os').constants,
      fs: require('fs').constants,
      crypto: require('crypto').constants,
    };
  },
  // Packages only read the names.
  natives() {
    const { publicIds } = require('internal/bootstrap/realm');
    const natives = {};
    for (let i = 0; i < publicIds.length; i++) natives[publicIds[i]] = '';
    return natives;
  },
  util() {
    const types = require('internal/util/types');
    const result = {};
    for (let i = 0; i < typeNames.length; i++) result[typeNames[i]] = types[typeNames[i]];
    return result;
  },
  uv() {
    const { getSystemErrorName } = require('util');
    const result = { errname: (number) => getSystemErrorName(number) };
    const { errno } = require('os').constants;
    const names = ObjectKeys(errno);
    for (let i = 0; i < names.length; i++) result[`UV_${names[i]}`] = -errno[names[i]];
    result.UV_EOF = internalBinding('uv').UV_EOF;
    return result;
  },
};
const names = ObjectKeys(makers);

const warn = getDeprecationWarningEmitter(
  'DEP0111', 'process.binding() is deprecated. Please use public APIs instead.', undefined, isPendingDeprecation);

const made = { __proto__: null };

function binding(name) {
  warn();
  name = `${name}`;
  if (!ArrayPrototypeIncludes(names, name)) throw new Error(`No such module: ${name}`);
  return (made[name] ??= makers[name]());
}

module.exports = { binding };
