'use strict';
// mock.module(): require() and import give the exports of a mock in place of those of a module.

const {
  ArrayPrototypeFilter,
  ArrayPrototypeForEach,
  ArrayPrototypeJoin,
  ArrayPrototypeMap,
  ArrayPrototypePush,
  Error,
  JSONStringify,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectKeys,
  ReflectOwnKeys,
  SafeMap,
  StringPrototypeIncludes,
  StringPrototypeReplace,
  StringPrototypeStartsWith,
} = primordials;

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE } } = require('internal/errors');
const { Module } = require('internal/modules/cjs/loader');
const { builtinId } = require('internal/modules/builtins');
const { resolve: resolveURL } = require('internal/modules/esm/resolve');
const { hrefToPath, isFileHref, pathToHref, stripQuery } = require('internal/modules/urls');
const { registerHooks } = require('internal/modules/sync_hooks');
const { isURL } = require('internal/url');
const { emitExperimentalWarning, kEmptyObject } = require('internal/util');
const { validateBoolean, validateObject } = require('internal/validators');

const kParameter = 'node-test-mock';
const kBadExports = 'Cannot create mock because named exports cannot be applied to the provided default export.';

// By URL. A restored mock keeps its entry, which has the version of the next one: ES modules stay in the cache.
const mocks = new SafeMap();
let isInstalled = false;

function activeMock(url) {
  const mock = mocks.get(url);
  return mock !== undefined && mock.isActive ? mock : undefined;
}

function namesOf(exported) {
  return ArrayPrototypeFilter(ObjectKeys(exported), (name) => name !== 'default');
}

// The value of module.exports: the default export, with the others as its properties.
function toCommonJS({ exported }) {
  const result = 'default' in exported ? exported.default : {};
  const names = namesOf(exported);
  if ((typeof result !== 'object' || result === null) && names.length > 0) throw new Error(kBadExports);
  ArrayPrototypeForEach(names, (name) => {
    ObjectDefineProperty(result, name, ObjectGetOwnPropertyDescriptor(exported, name));
  });
  return result;
}

// ---- import

function onResolve(specifier, context, next) {
  const resolved = next(specifier, context);
  const mock = activeMock(resolved.url);
  if (mock === undefined) return resolved;
  const { version } = mock;
  if (!mock.isCached) mock.version++;
  const mark = StringPrototypeIncludes(resolved.url, '?') ? '&' : '?';
  const url = `${resolved.url}${mark}${kParameter}=${version}`;
  return { __proto__: null, url, format: mock.format, shortCircuit: true };
}

function onLoad(url, context, next) {
  const original = StringPrototypeReplace(url, /[?&]node-test-mock=\d+$/, '');
  const mock = original === url ? undefined : activeMock(original);
  if (mock === undefined) return next(url, context);
  // The import of JSON has an attribute, which fits JSON only.
  if (mock.format === 'json') {
    const source = JSONStringify(mock.exported.default) ?? 'null';
    return { __proto__: null, format: 'json', shortCircuit: true, source };
  }
  return { __proto__: null, format: 'module', shortCircuit: true, source: sourceOf(original, mock) };
}

// A module that takes its values from here.
function sourceOf(url, mock) {
  const names = namesOf(mock.exported);
  const values = ArrayPrototypeMap(names, (name, i) => `let value${i} = values.named[${JSONStringify(name)}];`);
  const exports = ArrayPrototypeMap(names, (name, i) => `value${i} as ${JSONStringify(name)}`);
  const lines = [
    "import { mock } from 'node:test';",
    `const values = mock._mockExports.of(${JSONStringify(url)});`,
    ArrayPrototypeJoin(values, '\n'),
    `export { ${ArrayPrototypeJoin(exports, ', ')} };`,
  ];
  if ('default' in mock.exported || !mock.isModule) ArrayPrototypePush(lines, 'export default values.default;');
  return ArrayPrototypeJoin(lines, '\n');
}

// ---- require()

function install() {
  if (isInstalled) return;
  isInstalled = true;
  registerHooks({ resolve: onResolve, load: onLoad });
  // For the modules that sourceOf() writes.
  const values = { __proto__: null, of: (url) => valuesOf(mocks.get(url)) };
  ObjectDefineProperty(require('test').mock, '_mockExports', { __proto__: null, value: values });
  const load = Module._load;
  Module._load = function(request, parent, isMain) {
    const id = builtinId(request);
    const url = id !== undefined ? `node:${id}` : toURL(Module._resolveFilename(request, parent, isMain));
    const mock = activeMock(url);
    return mock === undefined ? load(request, parent, isMain) : requireMock(mock);
  };
}

function valuesOf(mock) {
  const { exported, isModule } = mock;
  return { __proto__: null, named: exported, default: isModule ? exported.default : toCommonJS(mock) };
}

function toURL(filename) {
  return StringPrototypeStartsWith(filename, '/') ? pathToHref(filename) : filename;
}

function requireMock(mock) {
  if (!mock.isCached) return toCommonJS(mock);
  mock.required ??= { __proto__: null, value: toCommonJS(mock) };
  return mock.required.value;
}

// ---- mock.module()

function copyTo(target, source) {
  ArrayPrototypeForEach(ReflectOwnKeys(source), (key) => {
    ObjectDefineProperty(target, key, ObjectGetOwnPropertyDescriptor(source, key));
  });
}

const warned = { __proto__: null, namedExports: false, defaultExport: false };

function warnOnce(options, name, instead) {
  if (warned[name] || !(name in options)) return;
  warned[name] = true;
  process.emitWarning(`mock.module(): options.${name} is deprecated. Use ${instead} instead.`, 'DeprecationWarning');
}

function readExports(options) {
  const hasExports = 'exports' in options;
  const hasNamed = 'namedExports' in options;
  const hasDefault = 'defaultExport' in options;
  warnOnce(options, 'namedExports', 'options.exports');
  warnOnce(options, 'defaultExport', 'options.exports.default');
  if (hasExports) validateObject(options.exports, 'options.exports');
  if (hasNamed) validateObject(options.namedExports, 'options.namedExports');
  if (hasExports && (hasNamed || hasDefault)) {
    const others = [hasNamed && "'options.namedExports'", hasDefault && "'options.defaultExport'"];
    const text = ArrayPrototypeJoin(ArrayPrototypeFilter(others, (other) => other !== false), ' or ');
    throw new ERR_INVALID_ARG_VALUE('options.exports', options.exports, `cannot be used with ${text}`);
  }
  const exported = { __proto__: null };
  if (hasExports) copyTo(exported, options.exports);
  if (hasNamed) copyTo(exported, options.namedExports);
  if (hasDefault) {
    const descriptor = ObjectGetOwnPropertyDescriptor(options, 'defaultExport') ??
      { value: options.defaultExport, enumerable: true };
    ObjectDefineProperty(exported, 'default', { __proto__: null, ...descriptor });
  }
  return exported;
}

function formatOf(url) {
  if (!isFileHref(url)) return 'builtin';
  const { formatHint, load } = require('internal/modules/esm/formats');
  return load(url, formatHint(url), undefined).format;
}

class MockModuleContext {
  #mock;
  #path;
  #cached;

  constructor(mock, path) {
    this.#mock = mock;
    this.#path = path;
    if (path === undefined) return;
    this.#cached = Module._cache[path];
    delete Module._cache[path];
  }

  restore() {
    const mock = this.#mock;
    if (mock === undefined) return;
    this.#mock = undefined;
    mock.isActive = false;
    mock.version++;
    if (this.#path === undefined) return;
    delete Module._cache[this.#path];
    if (this.#cached !== undefined) Module._cache[this.#path] = this.#cached;
  }
}

// `caller` is the file that has called mock.module().
function mockModule(specifier, options, caller) {
  emitExperimentalWarning('Module mocking');
  if (typeof specifier !== 'string') {
    if (!isURL(specifier)) throw new ERR_INVALID_ARG_TYPE('specifier', ['string', 'URL'], specifier);
    specifier = `${specifier}`;
  }
  validateObject(options, 'options');
  const { cache = false } = options;
  validateBoolean(cache, 'options.cache');
  const exported = readExports(options ?? kEmptyObject);
  install();
  const url = resolveURL(specifier, toURL(caller));
  if (activeMock(url) !== undefined || StringPrototypeIncludes(url, `${kParameter}=`)) {
    throw new ERR_INVALID_STATE(`Cannot mock '${StringPrototypeReplace(specifier, /^node:/, '')}'. The module is already mocked.`);
  }
  const format = formatOf(url);
  const mock = {
    __proto__: null, exported, format: format === 'json' ? format : 'module', isActive: true, isCached: cache,
    isModule: format === 'json' || StringPrototypeStartsWith(`${format}`, 'module'), required: undefined,
    version: mocks.get(url)?.version ?? 0,
  };
  mocks.set(url, mock);
  return new MockModuleContext(mock, isFileHref(url) ? hrefToPath(stripQuery(url)) : undefined);
}

module.exports = { mockModule };
