'use strict';
// process.allowedNodeEnvironmentFlags: the options that NODE_OPTIONS may contain.

const {
  ArrayPrototypeIncludes,
  ArrayPrototypePush,
  ObjectFreeze,
  RegExpPrototypeExec,
  RegExpPrototypeSymbolReplace,
  Set,
  StringPrototypeStartsWith,
  SymbolIterator,
} = primordials;

// Options that can be disabled with the prefix --no-.
const switches = [
  'addons', 'async-context-frame', 'debug-arraybuffer-allocations', 'deprecation', 'enable-source-maps', 'entry-url',
  'experimental-addon-modules', 'experimental-detect-module', 'experimental-eventsource', 'experimental-fetch',
  'experimental-global-customevent', 'experimental-global-navigator', 'experimental-global-webcrypto',
  'experimental-import-meta-resolve', 'experimental-import-text', 'experimental-print-required-tla',
  'experimental-repl-await', 'experimental-require-module', 'experimental-shadow-realm', 'experimental-sqlite',
  'experimental-vm-modules', 'experimental-websocket', 'experimental-webstorage', 'extra-info-on-fatal-exception',
  'force-async-hooks-checks', 'force-context-aware', 'force-node-api-uncaught-exceptions-policy',
  'global-search-paths', 'insecure-http-parser', 'network-family-autoselection', 'node-snapshot',
  'pending-deprecation', 'preserve-symlinks', 'preserve-symlinks-main', 'report-compact', 'report-exclude-env',
  'report-exclude-network', 'report-on-fatalerror', 'report-on-signal', 'report-uncaught-exception', 'require-module',
  'strip-types', 'test-coverage-include-all', 'test-only', 'test-randomize', 'throw-deprecation', 'tls-max-v1.2', 'tls-max-v1.3',
  'tls-min-v1.0', 'tls-min-v1.1', 'tls-min-v1.2', 'tls-min-v1.3', 'trace-deprecation', 'trace-exit', 'trace-sigint',
  'trace-sync-io', 'trace-tls', 'trace-uncaught', 'trace-warnings', 'track-heap-objects',
  'use-bundled-ca', 'use-env-proxy', 'use-openssl-ca', 'use-system-ca', 'verify-base-objects', 'warnings',
  'worker-snapshot', 'zero-fill-buffers',
];
// Options with a value, and options of V8.
const others = [
  '--abort-on-uncaught-exception', '--conditions', '--disable-proto', '--disable-warning',
  '--disallow-code-generation-from-strings', '--dns-result-order', '--enable-network-family-autoselection',
  '--experimental-abortcontroller', '--experimental-json-modules', '--experimental-loader',
  '--experimental-package-map', '--experimental-quic', '--experimental-report', '--experimental-strip-types',
  '--experimental-test-isolation', '--experimental-top-level-await', '--experimental-wasm-modules',
  '--experimental-worker', '--expose-gc', '--huge-max-old-generation-size', '--icu-data-dir', '--import',
  '--input-type', '--interpreted-frames-native-stack', '--jitless', '--loader', '--max-http-header-size',
  '--max-old-space-size', '--max-semi-space-size', '--network-family-autoselection-attempt-timeout',
  '--node-memory-debug', '--perf-basic-prof', '--perf-basic-prof-only-functions', '--perf-prof',
  '--perf-prof-unwinding-info', '--redirect-warnings', '--report-dir', '--report-directory', '--report-filename',
  '--report-signal', '--require', '--stack-trace-limit', '--test-coverage-branches', '--test-coverage-exclude',
  '--test-coverage-functions', '--test-coverage-include', '--test-coverage-lines', '--test-global-setup',
  '--test-isolation', '--test-name-pattern', '--test-random-seed', '--test-reporter', '--test-reporter-destination',
  '--test-shard', '--test-skip-pattern', '--title', '--tls-cipher-list', '--tls-keylog',
  '--trace-event-categories', '--trace-event-file-pattern', '--trace-events-enabled', '--trace-require-module',
  '--unhandled-rejections', '--v8-pool-size', '--webstorage', '-C', '-r',
];

// A Set whose inherited storage is empty: methods of Set.prototype do not see the flags.
class NodeEnvironmentFlagsSet extends Set {
  #names;

  constructor(names) {
    super();
    this.#names = names;
  }

  // No-ops: the set is read-only.
  add() { return this; }
  delete() { return false; }
  clear() {}

  // Underscores are equivalent to dashes, the leading dashes are optional, and a value may follow.
  has(key) {
    if (typeof key !== 'string') return false;
    let name = RegExpPrototypeSymbolReplace(/_/g, key, '-');
    const value = RegExpPrototypeExec(/^(--[^=]+|[^=-][^=]*)=/, name);
    if (value !== null) name = value[1];
    if (StringPrototypeStartsWith(name, '-')) return ArrayPrototypeIncludes(this.#names, name);
    return ArrayPrototypeIncludes(this.#names, `--${name}`) || ArrayPrototypeIncludes(this.#names, `-${name}`);
  }

  get size() { return this.#names.length; }

  forEach(callback, thisArg = undefined) {
    for (let i = 0; i < this.#names.length; i++) callback.call(thisArg, this.#names[i], this.#names[i], this);
  }

  #copy() { return new Set(this.#names); }
  entries() { return this.#copy().entries(); }
  values() { return this.#copy().values(); }
  keys() { return this.values(); }
  [SymbolIterator]() { return this.values(); }
}

function makeAllowedFlags() {
  const names = [];
  for (let i = 0; i < switches.length; i++) ArrayPrototypePush(names, `--${switches[i]}`, `--no-${switches[i]}`);
  for (let i = 0; i < others.length; i++) ArrayPrototypePush(names, others[i]);
  ObjectFreeze(NodeEnvironmentFlagsSet.prototype.constructor);
  ObjectFreeze(NodeEnvironmentFlagsSet.prototype);
  return ObjectFreeze(new NodeEnvironmentFlagsSet(names));
}

module.exports = { makeAllowedFlags };
