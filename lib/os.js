'use strict';

// node:os: information about the operating system.
const {
  ArrayPrototypePush,
  Float64Array,
  ObjectDefineProperties,
  StringPrototypeEndsWith,
  StringPrototypeSlice,
  SymbolToPrimitive,
} = primordials;

const {
  codes: { ERR_SYSTEM_ERROR },
} = require('internal/errors');
const { uvErrmapGet } = require('internal/errors/uv');
const { validateInt32 } = require('internal/validators');
const constants = require('internal/os/constants');
const binding = internalBinding('os');

// Bindings return a negative errno if a system call failed.
function check(result, syscall) {
  if (typeof result === 'number' && result < 0) throw systemError(result, syscall);
  return result;
}

function systemError(errno, syscall) {
  const entry = uvErrmapGet(errno);
  return new ERR_SYSTEM_ERROR({
    errno,
    code: entry === undefined ? 'UNKNOWN' : entry[0],
    message: entry === undefined ? 'unknown error' : entry[1],
    syscall,
  });
}

function arch() {
  return process.arch;
}

function availableParallelism() {
  return binding.availableParallelism();
}

function cpus() {
  // Seven values per CPU: model, speed and the five times.
  const data = binding.cpus();
  const result = [];
  for (let i = 0; i + 6 < data.length; i += 7) {
    ArrayPrototypePush(result, {
      model: data[i],
      speed: data[i + 1],
      times: { user: data[i + 2], nice: data[i + 3], sys: data[i + 4], idle: data[i + 5], irq: data[i + 6] },
    });
  }
  return result;
}

function endianness() {
  return binding.isBigEndian ? 'BE' : 'LE';
}

function freemem() {
  return binding.freemem();
}

function getPriority(pid) {
  if (pid === undefined) pid = 0;
  else validateInt32(pid, 'pid');
  const result = binding.getPriority(pid | 0); // Converts -0 to 0.
  // Priorities may be negative, so the binding reports errors in another range: 1000 + errno.
  if (result >= 1000) throw systemError(1000 - result, 'uv_os_getpriority');
  return result;
}

function homedir() {
  const home = process.env.HOME;
  if (home !== undefined) return home;
  return check(binding.userInfo(), 'uv_os_homedir')[3];
}

function hostname() {
  return check(binding.hostname(), 'uv_os_gethostname');
}

function loadavg() {
  const values = new Float64Array(3);
  binding.loadavg(values);
  return [values[0], values[1], values[2]];
}

// The number of leading one-bits of a netmask, or -1 if ones follow a zero.
function prefixLength(bytes) {
  let length = 0;
  let ended = false;
  for (let i = 0; i < bytes.length; ++i) {
    for (let bit = 128; bit > 0; bit >>= 1) {
      if ((bytes[i] & bit) === 0) ended = true;
      else if (ended) return -1;
      else ++length;
    }
  }
  return length;
}

function networkInterfaces() {
  // Eight values per address: name, address, netmask, its bytes, family, mac, internal, scope.
  const data = check(binding.networkInterfaces(), 'uv_interface_addresses');
  const result = {};
  for (let i = 0; i + 7 < data.length; i += 8) {
    const name = data[i];
    const address = data[i + 1];
    const length = prefixLength(data[i + 3]);
    const entry = {
      address,
      netmask: data[i + 2],
      family: data[i + 4],
      mac: data[i + 5],
      internal: data[i + 6],
      cidr: length === -1 ? null : `${address}/${length}`,
    };
    if (data[i + 7] !== -1) entry.scopeid = data[i + 7];
    if (result[name] === undefined) result[name] = [entry];
    else ArrayPrototypePush(result[name], entry);
  }
  return result;
}

function platform() {
  return process.platform;
}

// binding.uname() returns system, version, release and machine.
function release() {
  return check(binding.uname(), 'uv_os_uname')[2];
}

function setPriority(pid, priority) {
  if (priority === undefined) {
    priority = pid;
    pid = 0;
  }
  validateInt32(pid, 'pid');
  validateInt32(priority, 'priority', -20, 19);
  check(binding.setPriority(pid | 0, priority | 0), 'uv_os_setpriority');
}

function tmpdir() {
  const { env } = process;
  const path = env.TMPDIR || env.TMP || env.TEMP || '/tmp';
  return path.length > 1 && StringPrototypeEndsWith(path, '/') ? StringPrototypeSlice(path, 0, -1) : path;
}

function totalmem() {
  return binding.totalmem();
}

function type() {
  return check(binding.uname(), 'uv_os_uname')[0];
}

function userInfo(options) {
  const inBytes = options !== null && options !== undefined && options.encoding === 'buffer';
  const { 0: username, 1: uid, 2: gid, 3: home, 4: shell } = check(binding.userInfo(), 'uv_os_get_passwd');
  const convert = inBytes ? toBuffer : asItIs;
  return {
    __proto__: null,
    uid,
    gid,
    username: convert(username),
    homedir: convert(home),
    shell: convert(shell),
  };
}

function toBuffer(text) {
  return text === null ? null : require('buffer').Buffer.from(text);
}

function asItIs(text) {
  return text;
}

function uptime() {
  return check(binding.uptime(), 'uv_uptime');
}

function version() {
  return check(binding.uname(), 'uv_os_uname')[1];
}

function machine() {
  return check(binding.uname(), 'uv_os_uname')[3];
}

// `${os.hostname}` works without a call, because these properties used to be strings.
arch[SymbolToPrimitive] = arch;
availableParallelism[SymbolToPrimitive] = availableParallelism;
endianness[SymbolToPrimitive] = endianness;
freemem[SymbolToPrimitive] = freemem;
homedir[SymbolToPrimitive] = homedir;
hostname[SymbolToPrimitive] = hostname;
machine[SymbolToPrimitive] = machine;
platform[SymbolToPrimitive] = platform;
release[SymbolToPrimitive] = release;
tmpdir[SymbolToPrimitive] = tmpdir;
totalmem[SymbolToPrimitive] = totalmem;
type[SymbolToPrimitive] = type;
uptime[SymbolToPrimitive] = uptime;
version[SymbolToPrimitive] = version;

module.exports = {
  arch,
  availableParallelism,
  cpus,
  endianness,
  freemem,
  getPriority,
  homedir,
  hostname,
  loadavg,
  networkInterfaces,
  platform,
  release,
  setPriority,
  tmpdir,
  totalmem,
  type,
  userInfo,
  uptime,
  version,
  machine,
};

ObjectDefineProperties(module.exports, {
  constants: { __proto__: null, configurable: false, enumerable: true, value: constants },
  EOL: { __proto__: null, configurable: true, enumerable: true, writable: false, value: '\n' },
  devNull: { __proto__: null, configurable: true, enumerable: true, writable: false, value: '/dev/null' },
});
