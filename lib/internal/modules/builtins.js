'use strict';

// Built-in modules that user code can load, and their names.

const {
  ArrayPrototypePush,
  ArrayPrototypeSort,
  SafeMap,
  SafeSet,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
} = primordials;

const { hasBuiltin, publicIds, requireBuiltin } = require('internal/bootstrap/realm');
const { hasFlag } = require('internal/options');

// The modules of Node 26. A name that only Node has gets an error that states this, instead of one that suggests to
// install a package.
const namesOfNode = new SafeSet([
  '_http_agent', '_http_client', '_http_common', '_http_incoming', '_http_outgoing', '_http_server', '_tls_common',
  '_tls_wrap', 'assert', 'assert/strict', 'async_hooks', 'buffer', 'child_process', 'cluster', 'console', 'constants',
  'crypto', 'dgram', 'diagnostics_channel', 'dns', 'dns/promises', 'domain', 'events', 'fs', 'fs/promises', 'http',
  'http2', 'https', 'inspector', 'inspector/promises', 'module', 'net', 'os', 'path', 'path/posix', 'path/win32',
  'perf_hooks', 'process', 'punycode', 'querystring', 'readline', 'readline/promises', 'repl', 'stream',
  'stream/consumers', 'stream/promises', 'stream/web', 'string_decoder', 'sys', 'timers', 'timers/promises', 'tls',
  'trace_events', 'tty', 'url', 'util', 'util/types', 'v8', 'vm', 'wasi', 'worker_threads', 'zlib',
]);

// Built-in only with the prefix `node:`, because packages had the bare names first.
const namesWithScheme = new SafeSet(['ffi', 'sea', 'sqlite', 'test', 'test/reporters']);

// Maps names that a program may use, with and without the scheme, to the id of the module.
const idsOfNames = new SafeMap();
const builtinModules = [];

for (let i = 0; i < publicIds.length; i++) {
  const id = publicIds[i];
  idsOfNames.set(`node:${id}`, id);
  if (namesWithScheme.has(id)) continue;
  idsOfNames.set(id, id);
  ArrayPrototypePush(builtinModules, id);
}
ArrayPrototypeSort(builtinModules);
for (let i = 0; i < publicIds.length; i++) {
  if (namesWithScheme.has(publicIds[i])) ArrayPrototypePush(builtinModules, `node:${publicIds[i]}`);
}

// Returns the id of `events` or `node:events`; undefined for names that are not built-in.
function builtinId(name) {
  const id = idsOfNames.get(name);
  return id === undefined && isInternal(name) ? name : id;
}

// True for modules that only --expose-internals makes available.
function isInternal(name) {
  return typeof name === 'string' && StringPrototypeStartsWith(name, 'internal/') && hasFlag('expose-internals') &&
    hasBuiltin(name);
}

function isBuiltin(name) {
  return idsOfNames.has(name) || isInternal(name);
}

// True if Node has a module of this name and Rondo does not.
function isMissingBuiltin(name) {
  return namesOfNode.has(name) && !idsOfNames.has(name);
}

function hasScheme(name) {
  return StringPrototypeStartsWith(name, 'node:');
}

function withoutScheme(name) {
  return hasScheme(name) ? StringPrototypeSlice(name, 5) : name;
}

module.exports = {
  builtinId,
  builtinModules,
  hasScheme,
  isBuiltin,
  isMissingBuiltin,
  requireBuiltin,
  withoutScheme,
};
