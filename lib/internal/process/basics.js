'use strict';
// Read-only parts of process: versions, time, memory, ids.
const {
  ArrayPrototypeForEach,
  BigUint64Array,
  Float64Array,
  FunctionPrototypeCall,
  Number,
  NumberMAX_SAFE_INTEGER,
  ObjectDefineProperty,
  ObjectFreeze,
  ObjectKeys,
  SymbolFor,
} = primordials;
const binding = internalBinding('process');
const zlib = internalBinding('zlib');
const clock = internalBinding('clock');
const { UV_ENOENT } = internalBinding('uv');
const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE, ERR_UNKNOWN_SIGNAL },
  ErrnoException,
  UVException,
} = require('internal/errors');
const { lookUp } = require('internal/errors/system');
const {
  validateArray, validateBoolean, validateNumber, validateObject, validateString, parseFileMode,
} = require('internal/validators');
const { hasFlag } = require('internal/options');

const nodeVersion = binding.nodeVersion;
const nanos = new BigUint64Array(1);
const kBillion = 1_000_000_000n;

// Returns [seconds, nanoseconds] of the monotonic clock, or the difference to an earlier result.
function hrtime(time) {
  clock.hrtime(nanos);
  const now = nanos[0];
  const seconds = Number(now / kBillion);
  const rest = Number(now % kBillion);
  if (time === undefined) return [seconds, rest];
  validateArray(time, 'time');
  if (time.length !== 2) throw new ERR_OUT_OF_RANGE('time', 2, time.length);
  let passedSeconds = seconds - time[0];
  let passed = rest - time[1];
  if (passed < 0) {
    passedSeconds--;
    passed += 1e9;
  }
  return [passedSeconds, passed];
}
hrtime.bigint = function bigint() {
  clock.hrtime(nanos);
  return nanos[0];
};

function memoryUsage() {
  const { 0: rss, 1: heapTotal, 2: heapUsed, 3: external, 4: arrayBuffers } = binding.memoryUsage();
  return { rss, heapTotal, heapUsed, external, arrayBuffers };
}
memoryUsage.rss = binding.rss;

function resourceUsage() {
  const values = new Float64Array(binding.resourceUsage());
  return {
    userCPUTime: values[0],
    systemCPUTime: values[1],
    maxRSS: values[2],
    sharedMemorySize: values[3],
    unsharedDataSize: values[4],
    unsharedStackSize: values[5],
    minorPageFault: values[6],
    majorPageFault: values[7],
    swappedOut: values[8],
    fsRead: values[9],
    fsWrite: values[10],
    ipcSent: values[11],
    ipcReceived: values[12],
    signalsCount: values[13],
    voluntaryContextSwitches: values[14],
    involuntaryContextSwitches: values[15],
  };
}

function checkCpuPart(value, name) {
  validateNumber(value, name);
  if (!(value >= 0 && value <= NumberMAX_SAFE_INTEGER)) {
    throw new ERR_INVALID_ARG_VALUE.RangeError(name, value);
  }
}

function checkCpuValue(previous) {
  validateObject(previous, 'prevValue');
  checkCpuPart(previous.user, 'prevValue.user');
  checkCpuPart(previous.system, 'prevValue.system');
}

function cpuUsage(previous) {
  if (previous !== undefined) checkCpuValue(previous);
  return cpuSince(previous, binding.resourceUsage());
}

// Like cpuUsage(), for the calling thread.
function threadCpuUsage(prevValue) {
  if (prevValue) checkCpuValue(prevValue);
  return cpuSince(prevValue, binding.threadCpuUsage());
}

function cpuSince(previous, usage) {
  const user = usage[0] - (previous?.user ?? 0);
  const system = usage[1] - (previous?.system ?? 0);
  return { user, system };
}

function chdir(directory) {
  validateString(directory, 'directory');
  const result = binding.chdir(directory);
  if (result < 0) {
    throw new UVException({ errno: result, syscall: 'chdir', path: cwdOrNothing(), dest: directory });
  }
  require('internal/worker/cwd').noteChange();
}

function cwd() {
  const result = binding.cwd();
  if (typeof result === 'string') return result;
  const { 1: words } = lookUp(result);
  const message = `process.cwd failed with error ${words}`;
  throw new UVException({
    errno: result,
    syscall: 'uv_cwd',
    message: result === UV_ENOENT ?
      `${message}, the current working directory was likely removed without changing the working directory` : message,
  });
}

function cwdOrNothing() {
  const result = binding.cwd();
  return typeof result === 'number' ? '' : result;
}

function umask(mask) {
  return mask === undefined ? binding.umask() : binding.umask(parseFileMode(mask, 'mask'));
}

function kill(pid, sig) {
  // As in Node, strings of digits are accepted.
  // eslint-disable-next-line eqeqeq
  if (pid != (pid | 0)) throw new ERR_INVALID_ARG_TYPE('pid', 'number', pid);
  let result;
  if (typeof sig === 'number') {
    result = process._kill(pid, sig);
  } else {
    const { signals } = require('internal/process/signals');
    const number = signals[sig || 'SIGTERM'];
    if (number === undefined) throw new ERR_UNKNOWN_SIGNAL(sig);
    result = process._kill(pid, number);
  }
  if (result < 0) throw new ErrnoException(result, 'kill');
  return true;
}

// process.ref() and unref(): objects of other libraries may define these functions under symbols.
function callIfThere(object, symbol, name) {
  if (object === null || object === undefined) return;
  const call = object[symbol] || object[name];
  if (typeof call === 'function') FunctionPrototypeCall(call, object);
}

function readOnly(object) {
  ArrayPrototypeForEach(ObjectKeys(object), (name) => {
    ObjectDefineProperty(object, name, { __proto__: null, writable: false });
  });
  return object;
}

// Created on first access; programs may assign another value.
let allowedFlags;
let finalization;
let title;

module.exports = {
  version: `v${nodeVersion}`,
  versions: readOnly({
    node: nodeVersion,
    rondo: binding.rondoVersion,
    amaro: binding.amaroVersion,
    ares: binding.aresVersion,
    brotli: zlib.brotliVersion,
    cjs_module_lexer: binding.lexerVersion,
    cldr: binding.cldrVersion,
    icu: binding.icuVersion,
    modules: '147',
    openssl: binding.opensslVersion,
    tz: binding.tzVersion,
    undici: binding.undiciVersion,
    unicode: binding.unicodeVersion,
    v8: binding.v8Version,
    zlib: zlib.zlibVersion,
    zstd: zlib.zstdVersion,
  }),
  arch: 'x64',
  platform: 'linux',
  release: readOnly({ name: 'node' }),
  moduleLoadList: [],
  features: {
    inspector: false,
    debug: false,
    uv: false,
    ipv6: true,
    tls_alpn: true,
    tls_sni: true,
    tls_ocsp: true,
    tls: true,
    openssl_is_boringssl: false,
    get cached_builtins() { return true; },
    get require_module() { return !hasFlag('no-require-module'); },
    get dtls() { return false; },
    get quic() { return false; },
    get typescript() { return hasFlag('no-strip-types') ? false : 'strip'; },
  },
  // The variables that packages look up and that apply to this build. node_shared: a copy of the executable also needs
  // the library with its code.
  config: ObjectFreeze({
    target_defaults: ObjectFreeze({}),
    variables: ObjectFreeze({
      asan: 0,
      coverage: false,
      debug_node: false,
      host_arch: 'x64',
      icu_small: false,
      node_byteorder: 'little',
      node_module_version: 147,
      node_shared: true,
      node_use_amaro: true,
      target_arch: 'x64',
      v8_enable_i18n_support: 1,
      v8_enable_inspector: 0,
      v8_enable_temporal_support: 1,
      v8_enable_webassembly: 1,
    }),
  }),
  get allowedNodeEnvironmentFlags() {
    return (allowedFlags ??= require('internal/process/allowed_flags').makeAllowedFlags());
  },
  set allowedNodeEnvironmentFlags(value) { allowedFlags = value; },
  argv: [],
  execArgv: [],
  execPath: '',
  argv0: '',
  pid: 0,
  debugPort: 9229,
  _exiting: false,
  get ppid() { return binding.ppid(); },
  get title() { return (title ??= binding.info().argv0); },
  set title(value) { title = binding.title(`${value}`); },
  cwd,
  chdir,
  umask,
  _kill: binding.kill,
  kill,
  hrtime,
  uptime() { return clock.now() / 1000; },
  memoryUsage,
  constrainedMemory() { return require('internal/process/memory').constrainedMemory(); },
  availableMemory() { return require('internal/process/memory').availableMemory(); },
  resourceUsage,
  cpuUsage,
  threadCpuUsage,
  getActiveResourcesInfo() { return require('internal/process/active').getActiveResourcesInfo(); },
  binding(name) { return require('internal/process/old_bindings').binding(name); },
  _getActiveHandles() { return require('internal/process/active').getActiveHandles(); },
  _getActiveRequests() { return require('internal/process/active').getActiveRequests(); },
  getBuiltinModule(id) {
    validateString(id, 'id');
    const { builtinId, requireBuiltin } = require('internal/modules/builtins');
    const name = builtinId(id);
    return name === undefined ? undefined : requireBuiltin(name);
  },
  setSourceMapsEnabled(value) {
    validateBoolean(value, 'enabled');
    require('internal/source_map/cache').setEnabled(value);
  },
  openStdin() {
    process.stdin.resume();
    return process.stdin;
  },
  execve(execPath, args, env) { require('internal/process/execve').execve(execPath, args, env); },
  loadEnvFile(path = undefined) { require('internal/process/env_file').loadEnvFile(path); },
  get finalization() { return (finalization ??= require('internal/process/finalization').makeFinalization()); },
  set finalization(value) { finalization = value; },
  get report() { return require('internal/process/report_settings').report; },
  get sourceMapsEnabled() { return require('internal/source_map/cache').isEnabled(); },
  domain: null,
  ref(maybeRefable) { callIfThere(maybeRefable, SymbolFor('nodejs.ref'), 'ref'); },
  unref(maybeRefable) { callIfThere(maybeRefable, SymbolFor('nodejs.unref'), 'unref'); },
  dlopen(module, filename) {
    require('internal/modules/cjs/loader').Module._extensions['.node'](module, `${filename}`);
  },
};
