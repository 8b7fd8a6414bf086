'use strict';

// CommonJS: require(), the class Module, and the handlers of the file types.
//
// Everything that programs are known to replace is called through the public object (Module._load, _resolveFilename,
// _findPath, _nodeModulePaths, _extensions, prototype.require, prototype._compile), so that replacements take effect.

const {
  ArrayIsArray,
  ArrayPrototypeConcat,
  ArrayPrototypeIncludes,
  ArrayPrototypeIndexOf,
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  ArrayPrototypeSplice,
  Error,
  JSONParse,
  ObjectDefineProperty,
  ObjectFreeze,
  ObjectPrototypeHasOwnProperty,
  ReflectApply,
  SafeMap,
  SafeWeakMap,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
} = primordials;

const {
  codes: {
    ERR_INVALID_ARG_VALUE,
    ERR_UNKNOWN_BUILTIN_MODULE,
  },
} = require('internal/errors');
const { validateString } = require('internal/validators');
const { pendingDeprecate } = require('internal/util/deprecate');
const builtins = require('internal/modules/builtins');
const { endCycle, exportsInCycle } = require('internal/modules/cjs/circular');
const find = require('internal/modules/cjs/find');
const { createRequire, makeRequireFunction } = require('internal/modules/cjs/require');
const { compileWrapped, defineWrap } = require('internal/modules/cjs/wrap');
const { formatOf, isTypeScript } = require('internal/modules/cjs/formats');
const { readText } = require('internal/modules/files');
const hooks = require('internal/modules/sync_hooks');
const { hasFlag } = require('internal/options');
const packages = require('internal/modules/package_json_reader');
const {
  getRequireConditions,
  isImportName,
  packageImportsResolve,
} = require('internal/modules/package_resolve');
const { isRelative, pathToHref } = require('internal/modules/urls');
const path = require('path');

const onRequire = require('diagnostics_channel').tracingChannel('module.require');

const parents = new SafeWeakMap();
const ends = new SafeWeakMap(); // Module => its exports at the end of loading, which import returns
// Cache of resolved requests: directory => request => file name. Consulted first.
const resolved = new SafeMap();
let modulePaths = []; // Set at start-up by _initPaths.
let isPreloading = false;
let resolvedRequest; // A file name that must not be resolved again

let hooked;
function lazyHooked() {
  hooked ??= require('internal/modules/cjs/hooked');
  return hooked;
}

let esm;
function lazyESM() {
  esm ??= require('internal/modules/esm/loader');
  return esm;
}

function Module(id = '', parent) {
  this.id = id;
  this.path = path.dirname(id);
  // Defined instead of assigned, so that a setter on Object.prototype is not called.
  ObjectDefineProperty(this, 'exports', {
    __proto__: null, value: {}, writable: true, enumerable: true, configurable: true,
  });
  parents.set(this, parent);
  addChild(parent, this, false);
  this.filename = null;
  this.loaded = false;
  this.children = [];
}

function addChild(parent, child, mayBeThere) {
  const children = parent?.children;
  if (!children || (mayBeThere && ArrayPrototypeIncludes(children, child))) return;
  ArrayPrototypePush(children, child);
}

Module._cache = { __proto__: null };
Module._pathCache = { __proto__: null };
Module._extensions = { __proto__: null };
Module.globalPaths = [];
defineWrap(Module);

ObjectDefineProperty(Module, '_stat', {
  __proto__: null,
  get: find.getStat,
  set: find.setStat,
  configurable: true,
});

ObjectDefineProperty(Module.prototype, 'isPreloading', {
  __proto__: null,
  get() {
    return isPreloading;
  },
});

// An accessor as in Node, so that inspect() shows modules without a class name.
ObjectDefineProperty(Module.prototype, 'constructor', {
  __proto__: null,
  get() {
    return Module;
  },
  configurable: false,
  enumerable: false,
});

const kParentIsDeprecated =
  'module.parent is deprecated due to accuracy issues. Please use require.main to find program ' +
  'entry point instead.';
// null for the entry point, undefined for a module imported by an ES module.
ObjectDefineProperty(Module.prototype, 'parent', {
  __proto__: null,
  get: pendingDeprecate(function() { return parents.get(this); }, kParentIsDeprecated, 'DEP0144'),
  set: pendingDeprecate(function(value) { parents.set(this, value); }, kParentIsDeprecated, 'DEP0144'),
});

ObjectDefineProperty(Module, '_readPackage', {
  __proto__: null,
  value(directory) {
    const pkg = packages.read(path.resolve(directory, 'package.json'));
    return {
      __proto__: null,
      exists: pkg.exists,
      pjsonPath: pkg.path,
      main: pkg.main,
      name: pkg.name,
      type: pkg.type,
      exports: pkg.exports,
      imports: pkg.imports,
    };
  },
  configurable: true,
  writable: true,
});

// ---- Resolving

Module._findPath = function(request, paths, isMain) {
  return find.findPath(request, paths, isMain, Module._pathCache, Module._extensions);
};

Module._nodeModulePaths = function(from) {
  return find.nodeModulePaths(from);
};

Module._resolveLookupPaths = function(request, parent) {
  if (builtins.isBuiltin(request)) return null;
  if (!isRelative(request)) {
    const own = parent?.paths;
    const paths = own?.length ? ArrayPrototypeConcat(own, modulePaths) : ArrayPrototypeSlice(modulePaths);
    return paths.length > 0 ? paths : null;
  }
  // Without a file, as in the REPL, relative requests start at the current directory.
  if (!parent || !parent.id || !parent.filename) return ['.'];
  return [path.dirname(parent.filename)];
};

function fromPackageImports(request, parent) {
  const pkg = packages.packageOf(parent.filename);
  if (pkg === null || pkg.imports === undefined) return undefined;
  const found = packageImportsResolve(
    request, parent.filename, pathToHref(parent.filename), getRequireConditions());
  if (StringPrototypeStartsWith(found, 'node:')) return found;
  return find.finishExports(found, parent.filename, pkg.path);
}

// Returns the files that required one another, from the last to the first.
function requireStackOf(parent) {
  const requireStack = [];
  for (let cursor = parent; cursor; cursor = parents.get(cursor)) {
    ArrayPrototypePush(requireStack, cursor.filename || cursor.id);
  }
  return requireStack;
}

function notFound(request, paths, parent) {
  const requireStack = requireStackOf(parent);
  let message = `Cannot find module '${request}'`;
  if (builtins.isMissingBuiltin(request)) message += ': this built-in of Node is not in Rondo yet';
  if (requireStack.length > 0) message += `\nRequire stack:\n- ${ArrayPrototypeJoin(requireStack, '\n- ')}`;
  const error = new Error(message);
  error.code = 'MODULE_NOT_FOUND';
  error.requireStack = requireStack;
  const tried = find.triedPaths(request, paths, Module._extensions);
  if (tried.length > 0) error.triedPaths = tried;
  return error;
}

Module._resolveFilename = function(request, parent, isMain, options) {
  if (builtins.isBuiltin(request)) return request;
  if (hasFlag('experimental-package-map') && parent && !isRelative(request) && !path.isAbsolute(request)) {
    const found = findByMap(request, parent);
    if (found) return found;
  }
  const paths = typeof options === 'object' && options !== null && options.paths !== undefined ?
    find.lookupPathsOfOptions(request, options.paths, Module) :
    Module._resolveLookupPaths(request, parent);

  if (parent?.filename && isImportName(request)) {
    const found = fromPackageImports(request, parent);
    if (found !== undefined) return found;
  }
  const parentPath = parent?.filename || undefined;
  const own = find.trySelf(parentPath ?? preloadPath(parent), request);
  if (own !== undefined) return own;
  const filename = Module._findPath(request, paths, isMain);
  if (filename) return filename;
  throw notFound(request, paths, parent);
};

// --experimental-package-map: undefined if it does not apply, false if the package has no such file.
function findByMap(request, parent) {
  if (!parent.filename) return undefined;
  const found = find.findByMap(request, parent.filename, Module._pathCache, Module._extensions);
  if (found === undefined) throw notFound(request, [], parent);
  return found;
}

// ---- Loading

// Modules named by -r are resolved from the current directory, if there is one.
function preloadPath(parent) {
  if (!isPreloading || parent?.id !== 'internal/preload') return undefined;
  try {
    return path.join(process.cwd(), '/');
  } catch {
    return undefined;
  }
}

const { requireBuiltin } = builtins;

function resolvedIn(directory, request) {
  return resolved.get(directory)?.get(request);
}

function rememberResolved(directory, request, filename) {
  let requests = resolved.get(directory);
  if (requests === undefined) {
    requests = new SafeMap();
    resolved.set(directory, requests);
  }
  requests.set(request, filename);
}

function exportsOfCached(module, parent) {
  addChild(parent, module, true);
  if (module.loaded) return module.exports;
  if (esm !== undefined && esm.isUnderWay(module)) throw esm.cycleError(module.filename, parents.get(module));
  return exportsInCycle(module);
}

Module._load = function(request, parent, isMain) {
  let details;
  if (parent) {
    const filename = resolvedIn(parent.path, request);
    if (filename !== undefined) {
      const cached = Module._cache[filename];
      if (cached !== undefined) return exportsOfCached(cached, parent);
      resolved.get(parent.path).delete(request);
    }
  }
  let filename;
  if (request === resolvedRequest) {
    resolvedRequest = undefined;
    filename = request;
  } else if (hooks.resolvers.length > 0 && typeof request === 'string') {
    details = lazyHooked().resolve(request, parent, isMain, undefined, Module);
    filename = details.filename;
  } else if (typeof request === 'string' && builtins.hasScheme(request)) {
    filename = builtins.builtinId(request);
    if (filename === undefined) throw new ERR_UNKNOWN_BUILTIN_MODULE(request);
    if (hooks.loaders.length === 0) return requireBuiltin(filename);
  } else {
    filename = Module._resolveFilename(request, parent, isMain);
  }
  const cached = Module._cache[filename];
  if (cached !== undefined) {
    if (parent) rememberResolved(parent.path, request, filename);
    return exportsOfCached(cached, parent);
  }
  const id = builtins.builtinId(filename);
  if (id !== undefined) {
    details = hooks.loaders.length > 0 ? lazyHooked().loadBuiltin(id) : undefined;
    if (details === undefined) return requireBuiltin(id);
  }

  const module = new Module(filename, parent);
  if (details !== undefined) lazyHooked().details.set(module, details);
  if (isMain) {
    ObjectDefineProperty(process, 'mainModule', {
      __proto__: null, value: module, writable: true, enumerable: true, configurable: true,
    });
    // An entry point that was imported keeps its file name as id.
    if (parent !== undefined) module.id = '.';
  }
  Module._cache[filename] = module;
  if (parent) rememberResolved(parent.path, request, filename);

  let isComplete = false;
  try {
    module.load(filename);
    isComplete = true;
  } finally {
    if (!isComplete) {
      forget(module, filename, request, parent);
    } else {
      endCycle(module);
    }
  }
  return module.exports;
};

// Removes a module that failed to load, so that the next require() loads it again.
function forget(module, filename, request, parent) {
  delete Module._cache[filename];
  if (!parent) return;
  resolved.get(parent.path)?.delete(request);
  const children = parent.children;
  if (ArrayIsArray(children)) {
    const index = ArrayPrototypeIndexOf(children, module);
    if (index !== -1) ArrayPrototypeSplice(children, index, 1);
  }
}

Module.prototype.load = function(filename) {
  this.filename = filename;
  this.paths = Module._nodeModulePaths(path.dirname(filename));
  const extension = find.findExtension(filename, Module._extensions);
  Module._extensions[extension](this, filename);
  this.loaded = true;
  ends.set(this, this.exports);
};

Module.prototype.require = function(id) {
  validateString(id, 'id');
  if (id === '') throw new ERR_INVALID_ARG_VALUE('id', id, 'must be a non-empty string');
  find.enterRequire();
  try {
    if (!onRequire.hasSubscribers) return Module._load(id, this, false);
    const context = { __proto__: null, parentFilename: this.filename, id };
    return onRequire.traceSync(Module._load, context, Module, id, this, false);
  } finally {
    find.leaveRequire();
  }
};

function stripTypes(content, filename) {
  const url = filename[0] === '/' ? pathToHref(filename) : filename;
  return require('internal/modules/typescript').stripModuleTypes(content, filename, url);
}

// `format` is 'module', 'commonjs', or undefined if it must be detected. Returns the result of the module wrapper.
Module.prototype._compile = function(content, filename, format) {
  let compiled = null;
  if (isTypeScript(format)) {
    content = stripTypes(content, filename);
    format = format === 'typescript' ? undefined : StringPrototypeSlice(format, 0, -'-typescript'.length);
  }
  if (format !== 'module') {
    const mayBeModule = format !== 'commonjs' && !hasFlag('no-experimental-detect-module');
    compiled = compileWrapped(content, filename, mayBeModule && !(this.id !== '.' && hasFlag('no-require-module')));
  }
  if (compiled === null) {
    lazyESM().requireModule(this, filename, content, parents.get(this), this.id === '.');
    return undefined;
  }
  const require = makeRequireFunction(this, Module);
  const { exports } = this;
  find.enterRequire();
  try {
    return ReflectApply(compiled, exports, [exports, require, this, filename, path.dirname(filename)]);
  } finally {
    find.leaveRequire();
  }
};

// ---- Kinds of files

function isHooked(module) {
  return hooks.loaders.length > 0 || (hooked !== undefined && hooked.details.has(module));
}

Module._extensions['.js'] = function(module, filename) {
  let format = formatOf(filename);
  let source;
  if (isHooked(module)) ({ format, source } = lazyHooked().loadSource(module, filename, format));
  else source = readText(filename);
  if (hasFlag('no-require-module') && (format === 'module' || format === 'module-typescript')) {
    throw require('internal/modules/cjs/refused').requireESMError(source, filename, parents.get(module)?.filename);
  }
  module._compile(source, filename, format ?? undefined);
};

Module._extensions['.json'] = function(module, filename) {
  const text = isHooked(module) ? lazyHooked().loadSource(module, filename, 'json').source : readText(filename);
  try {
    ObjectDefineProperty(module, 'exports', {
      __proto__: null, value: JSONParse(text), writable: true, enumerable: true, configurable: true,
    });
  } catch (error) {
    error.message = `${filename}: ${error.message}`;
    throw error;
  }
};

Module._extensions['.node'] = function(module, filename) {
  throw require('internal/modules/cjs/refused').addonError(filename);
};

// ---- The rest of the public face

Module.createRequire = function createRequire_(filename) {
  return createRequire(filename, Module);
};
ObjectDefineProperty(Module.createRequire, 'name', { __proto__: null, value: 'createRequire', configurable: true });

Module._initPaths = function() {
  modulePaths = find.globalPaths();
  Module.globalPaths = ArrayPrototypeSlice(modulePaths);
};

// Loads the modules of -r before the program. Relative names start at the current directory.
Module._preloadModules = function(requests) {
  if (!ArrayIsArray(requests)) return;
  isPreloading = true;
  const parent = new Module('internal/preload', null);
  try {
    parent.paths = Module._nodeModulePaths(process.cwd());
  } catch (error) {
    if (error.code !== 'ENOENT') {
      isPreloading = false;
      throw error;
    }
  }
  try {
    for (let i = 0; i < requests.length; i++) parent.require(requests[i]);
  } finally {
    isPreloading = false;
  }
};

Module.isBuiltin = function isBuiltin(name) {
  return builtins.isBuiltin(name);
};

Module.syncBuiltinESMExports = function syncBuiltinESMExports() {
  require('internal/modules/esm/translators').syncBuiltinExports();
};

Module.Module = Module;
Module.builtinModules = ObjectFreeze(ArrayPrototypeSlice(builtins.builtinModules));

// Returns the cached CommonJS module of an imported or preloaded file.
function cachedModule(filename) {
  const module = Module._cache[filename];
  return module !== undefined && ObjectPrototypeHasOwnProperty(Module._cache, filename) ? module : undefined;
}

// Loads a file that import has resolved, with or without hooks.
function loadResolved(filename, isMain) {
  if (hooks.resolvers.length > 0) resolvedRequest = filename;
  try {
    return Module._load(filename, undefined, isMain);
  } finally {
    resolvedRequest = undefined;
  }
}

function exportsAtEnd(module) {
  return ends.has(module) ? ends.get(module) : module.exports;
}

function reset() {
  Module._cache = { __proto__: null };
  Module._pathCache = { __proto__: null };
  resolved.clear();
}

module.exports = { Module, cachedModule, exportsAtEnd, formatOf, loadResolved, requireStackOf, reset };
