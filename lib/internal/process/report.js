'use strict';
// process.report: a JSON description of the process, for diagnosing problems.

const {
  ArrayPrototypeFind,
  ArrayPrototypeForEach,
  ArrayPrototypeMap,
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  DateNow,
  DatePrototypeGetDate,
  DatePrototypeGetFullYear,
  DatePrototypeGetHours,
  DatePrototypeGetMinutes,
  DatePrototypeGetMonth,
  DatePrototypeGetSeconds,
  DatePrototypeToISOString,
  Date,
  JSONStringify,
  Number,
  NumberPrototypeToString,
  ObjectKeys,
  ObjectValues,
  RegExpPrototypeExec,
  SafeSet,
  StringPrototypePadStart,
  StringPrototypeSlice,
  StringPrototypeSplit,
  StringPrototypeStartsWith,
  StringPrototypeTrim,
  String,
} = primordials;

const binding = internalBinding('report');
const { threadId } = internalBinding('worker');
const fs = require('fs');
const os = require('os');
const { codes: { ERR_SYNTHETIC } } = require('internal/errors');

const kVersion = 5;
let lastFile = 0;

function readText(path) {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function toAddress(number) {
  return `0x${StringPrototypePadStart(NumberPrototypeToString(number, 16), 16, '0')}`;
}

function describeNetwork() {
  const result = [];
  const all = os.networkInterfaces();
  ArrayPrototypeForEach(ObjectKeys(all), (name) => {
    ArrayPrototypeForEach(all[name], ({ address, family, internal, mac, netmask, scopeid }) => {
      const one = { name, internal, mac, address, netmask, family };
      if (scopeid !== undefined) one.scopeid = scopeid;
      ArrayPrototypePush(result, one);
    });
  });
  return result;
}

function describeHeader(event, trigger, filename, excludesNetwork) {
  const now = DateNow();
  const command = StringPrototypeSplit(readText('/proc/self/cmdline'), '\0');
  const header = {
    reportVersion: kVersion,
    event,
    trigger,
    filename,
    dumpEventTime: `${StringPrototypeSlice(DatePrototypeToISOString(new Date(now)), 0, 19)}Z`,
    dumpEventTimeStamp: `${now}`,
    processId: process.pid,
    threadId: threadId(),
    cwd: process.cwd(),
    commandLine: ArrayPrototypeSlice(command, 0, -1),
    nodejsVersion: process.version,
    glibcVersionRuntime: binding.libcVersion(),
    glibcVersionCompiler: binding.compiledWithLibc,
    wordSize: 64,
    arch: process.arch,
    platform: process.platform,
    componentVersions: process.versions,
    release: process.release,
    osName: os.type(),
    osRelease: os.release(),
    osVersion: os.version(),
    osMachine: os.machine(),
    cpus: ArrayPrototypeMap(os.cpus(), ({ model, speed, times }) => ({ model, speed, ...times })),
  };
  if (!excludesNetwork) header.networkInterfaces = describeNetwork();
  header.host = os.hostname();
  return header;
}

// Returns the stack of the error as lines, and its own properties as text.
function describeError(error) {
  const isObject = (typeof error === 'object' && error !== null) || typeof error === 'function';
  const stack = isObject ? error.stack : undefined;
  if (typeof stack !== 'string') {
    if (!isObject) return { message: String(error), errorProperties: {} };
    return { message: 'No stack.', stack: ['Unavailable.'], errorProperties: {} };
  }
  const { 0: message, ...rest } = StringPrototypeSplit(stack, '\n');
  return {
    message,
    stack: ArrayPrototypeMap(ObjectValues(rest), (line) => StringPrototypeTrim(line)),
    errorProperties: propertiesOf(error),
  };
}

function propertiesOf(error) {
  const result = {};
  ArrayPrototypeForEach(ObjectKeys(error), (name) => {
    try {
      result[name] = `${error[name]}`;
    } catch {
      // The property cannot be read or converted to text.
    }
  });
  return result;
}

function describeHeap() {
  const v8 = require('v8');
  const all = v8.getHeapStatistics();
  const heapSpaces = {};
  ArrayPrototypeForEach(v8.getHeapSpaceStatistics(), (space) => {
    heapSpaces[space.space_name] = {
      memorySize: space.space_size,
      committedMemory: space.physical_space_size,
      capacity: space.space_used_size + space.space_available_size,
      used: space.space_used_size,
      available: space.space_available_size,
    };
  });
  return {
    totalMemory: all.total_heap_size,
    executableMemory: all.total_heap_size_executable,
    totalCommittedMemory: all.total_physical_size,
    availableMemory: all.total_available_size,
    totalGlobalHandlesMemory: all.total_global_handles_size,
    usedGlobalHandlesMemory: all.used_global_handles_size,
    usedMemory: all.used_heap_size,
    memoryLimit: all.heap_size_limit,
    mallocedMemory: all.malloced_memory,
    externalMemory: all.external_memory,
    peakMallocedMemory: all.peak_malloced_memory,
    nativeContextCount: all.number_of_native_contexts,
    detachedContextCount: all.number_of_detached_contexts,
    doesZapGarbage: all.does_zap_garbage,
    heapSpaces,
  };
}

function describeNativeStack() {
  const values = binding.nativeStack();
  const result = [];
  for (let i = 0; i < values.length; i += 2) {
    ArrayPrototypePush(result, { pc: toAddress(values[i]), symbol: values[i + 1] });
  }
  return result;
}

function cpuTimes(user, system) {
  const uptime = process.uptime();
  const percent = (microseconds) => microseconds / 1e6 / uptime * 100;
  return {
    userCpuSeconds: user / 1e6,
    kernelCpuSeconds: system / 1e6,
    cpuConsumptionPercent: percent(user + system),
    userCpuConsumptionPercent: percent(user),
    kernelCpuConsumptionPercent: percent(system),
  };
}

function describeResources() {
  const usage = process.resourceUsage();
  return {
    free_memory: os.freemem(),
    total_memory: os.totalmem(),
    rss: process.memoryUsage.rss(),
    constrained_memory: process.constrainedMemory(),
    available_memory: process.availableMemory(),
    ...cpuTimes(usage.userCPUTime, usage.systemCPUTime),
    maxRss: usage.maxRSS * 1024,
    pageFaults: { IORequired: usage.majorPageFault, IONotRequired: usage.minorPageFault },
    fsActivity: { reads: usage.fsRead, writes: usage.fsWrite },
  };
}

function describeThread() {
  const { 0: user, 1: system, 2: reads, 3: writes } = internalBinding('process').threadCpuUsage();
  return { ...cpuTimes(user, system), fsActivity: { reads, writes } };
}

// Node's names, where they differ from ours.
const { handleKinds } = internalBinding('loop');
const kTypes = {
  __proto__: null,
  [handleKinds.tcpServer]: 'tcp',
  [handleKinds.tcpSocket]: 'tcp',
  [handleKinds.pipeServer]: 'pipe',
  [handleKinds.fsWatch]: 'fs_event',
  [handleKinds.udp]: 'udp',
};

function toEndpoint(text) {
  const match = typeof text === 'string' ? RegExpPrototypeExec(/^(.*):(\d+)$/, text) : null;
  if (match === null) return undefined;
  const inside = RegExpPrototypeExec(/^\[(.*)\]$/, match[1]);
  const address = inside === null ? match[1] : inside[1];
  return { host: address, [inside === null ? 'ip4' : 'ip6']: address, port: Number(match[2]) };
}

// The handles of Rondo's loop. The section has Node's name, so that tools find it.
function describeHandles() {
  const { loop } = require('internal/loop/process_loop');
  return ArrayPrototypeMap(internalBinding('loop').allHandles(), (handle) => {
    const type = kTypes[handle.type] ?? handle.type;
    if (type === 'loop') {
      return {
        type, is_active: handle.isActive, address: toAddress(handle.address), loopIdleTimeSeconds: loop.idle / 1000,
      };
    }
    const result = {
      type, is_active: handle.isActive, is_referenced: handle.isReferenced, address: toAddress(handle.address),
    };
    if (type === 'tcp') {
      result.localEndpoint = toEndpoint(handle.local) ?? null;
      result.remoteEndpoint = toEndpoint(handle.remote) ?? null;
    } else if (type === 'pipe') {
      if (handle.local) result.localEndpoint = handle.local;
      if (handle.remote) result.remoteEndpoint = handle.remote;
    } else if (type === 'process') {
      result.pid = handle.pid;
    } else if (type === 'fs_event') {
      result.filename = handle.path;
    }
    if (handle.fd !== undefined) result.fd = handle.fd;
    return result;
  });
}

const kLimits = [
  ['core_file_size_blocks', 'Max core file size'],
  ['data_seg_size_bytes', 'Max data size'],
  ['file_size_blocks', 'Max file size'],
  ['max_locked_memory_bytes', 'Max locked memory'],
  ['max_memory_size_bytes', 'Max resident set'],
  ['open_files', 'Max open files'],
  ['stack_size_bytes', 'Max stack size'],
  ['cpu_time_seconds', 'Max cpu time'],
  ['max_user_processes', 'Max processes'],
  ['virtual_memory_bytes', 'Max address space'],
];

function describeLimits() {
  const lines = StringPrototypeSplit(readText('/proc/self/limits'), '\n');
  const toValue = (text) => (text === 'unlimited' ? text : Number(text));
  const result = {};
  ArrayPrototypeForEach(kLimits, ({ 0: key, 1: name }) => {
    const line = ArrayPrototypeFind(lines, (text) => StringPrototypeStartsWith(text, name));
    const match = line === undefined ? null : RegExpPrototypeExec(/^(\S+)\s+(\S+)/, StringPrototypeTrim(StringPrototypeSlice(line, name.length)));
    if (match !== null) result[key] = { soft: toValue(match[1]), hard: toValue(match[2]) };
  });
  return result;
}

// Returns the mapped files with code, without duplicates, in the order of their addresses.
function listSharedObjects() {
  const paths = new SafeSet();
  ArrayPrototypeForEach(StringPrototypeSplit(readText('/proc/self/maps'), '\n'), (line) => {
    const match = RegExpPrototypeExec(/^\S+ ..x. \S+ \S+ \S+\s+(\S.*)$/, line);
    if (match !== null && match[1] !== '[vsyscall]') paths.add(match[1] === '[vdso]' ? 'linux-vdso.so.1' : match[1]);
  });
  return [...paths];
}

function makeReport(event, trigger, filename, error, { excludesEnv, excludesNetwork }) {
  const report = {
    header: describeHeader(event, trigger, filename, excludesNetwork),
    javascriptStack: describeError(error),
    javascriptHeap: describeHeap(),
    nativeStack: describeNativeStack(),
    resourceUsage: describeResources(),
    uvthreadResourceUsage: describeThread(),
    libuv: describeHandles(),
    workers: [],
  };
  if (!excludesEnv) report.environmentVariables = { ...process.env };
  report.userLimits = describeLimits();
  report.sharedObjects = listSharedObjects();
  return report;
}

function defaultName() {
  const now = new Date();
  const two = (number) => StringPrototypePadStart(`${number}`, 2, '0');
  const year = DatePrototypeGetFullYear(now);
  const date = `${year}${two(DatePrototypeGetMonth(now) + 1)}${two(DatePrototypeGetDate(now))}`;
  const hours = two(DatePrototypeGetHours(now));
  const time = `${hours}${two(DatePrototypeGetMinutes(now))}${two(DatePrototypeGetSeconds(now))}`;
  const number = StringPrototypePadStart(`${++lastFile}`, 3, '0');
  return `report.${date}.${time}.${process.pid}.${threadId()}.${number}.json`;
}

function say(text) {
  internalBinding('stdio').writeString(2, text);
}

// Returns the name of the file; '' if it could not be written.
function writeReport(event, trigger, file, error, settings) {
  const filename = file ?? (settings.filename || defaultName());
  const report = makeReport(event, trigger, filename, error, settings);
  const text = `\n${JSONStringify(report, undefined, settings.isCompact ? undefined : 2)}\n`;
  if (filename === 'stdout' || filename === 'stderr') {
    internalBinding('stdio').writeString(filename === 'stdout' ? 1 : 2, text);
  } else {
    const { directory } = settings;
    const path = directory === '' ? filename : `${directory}/${filename}`;
    try {
      fs.writeFileSync(path, text);
    } catch (cause) {
      const where = directory === '' ? '' : ` directory: ${directory}`;
      say(`\nFailed to open Node.js report file: ${filename}${where} (errno: ${-cause.errno})\n`);
      return '';
    }
    say(`\nWriting Node.js report to file: ${filename}`);
  }
  if (filename !== 'stderr') say('\nNode.js report completed\n');
  return filename;
}

function makeSyntheticError() {
  return new ERR_SYNTHETIC();
}

module.exports = { makeReport, makeSyntheticError, writeReport };
