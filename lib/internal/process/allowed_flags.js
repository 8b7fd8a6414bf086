'use strict';
// process.allowedNodeEnvironmentFlags: which options NODE_OPTIONS may hold.

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

// Those that can be turned off by --no- before their name,
const switches = [
  'addons', 'deprecation', 'enable-source-maps', 'experimental-fetch', 'experimental-global-customevent',
  'experimental-global-webcrypto', 'experimental-import-meta-resolve', 'experimental-repl-await',
  'extra-info-on-fatal-exception', 'force-async-hooks-checks', 'global-search-paths', 'insecure-http-parser', 'node-snapshot',
  'pending-deprecation', 'preserve-symlinks', 'preserve-symlinks-main', 'throw-deprecation', 'trace-deprecation',
  'trace-exit', 'trace-sigint', 'trace-sync-io', 'trace-uncaught', 'trace-warnings', 'track-heap-objects', 'use-bundled-ca',
  'use-openssl-ca', 'verify-base-objects', 'warnings', 'zero-fill-buffers',
];
// those with a value, and V8's own.
const others = [
  '--abort-on-uncaught-exception', '--conditions', '--disallow-code-generation-from-strings', '--dns-result-order',
  '--expose-gc', '--huge-max-old-generation-size', '--icu-data-dir', '--import', '--input-type',
  '--interpreted-frames-native-stack', '--jitless', '--max-http-header-size', '--max-old-space-size',
  '--max-semi-space-size', '--perf-basic-prof', '--perf-basic-prof-only-functions', '--perf-prof',
  '--perf-prof-unwinding-info', '--redirect-warnings', '--require', '--stack-trace-limit', '--title',
  '--trace-event-categories', '--trace-event-file-pattern', '--trace-events-enabled', '--unhandled-rejections',
  '--v8-pool-size', '-C', '-r',
];

// What Set.prototype does to this one finds an empty set.
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

  // Underscores count as dashes, the dashes before the name may be missing, and a value may follow.
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
