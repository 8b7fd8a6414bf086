'use strict';
// Lists the reasons why the loop stays alive: an entry for each referenced handle that can call back, each operation in
// flight, and each referenced timer and immediate. `rondo why` prints them, process.loop.alive() returns them.
//
// This may run in an interrupt between any two instructions of the program: it must not change any state.
const {
  ArrayPrototypePush,
  MathRound,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
} = primordials;
const binding = internalBinding('loop');
const { handleKinds } = binding;
const { operations } = internalBinding('fs');
const { now: clockNow } = internalBinding('clock');

// The maximum number of entries reported, for programs with a million timers.
const kMost = 10_000;

// { function, file, line, column } as people write it: `app.js:3:21`, from the directory that they are in.
function placeText(place) {
  return `${fromHere(place.file)}:${place.line}:${place.column}`;
}

function fromHere(file) {
  if (StringPrototypeStartsWith(file, 'file://')) file = StringPrototypeSlice(file, 7);
  return file;
}

function takePlace(native) {
  if (native === undefined || native.file === undefined) return null;
  return {
    __proto__: null,
    function: native.function,
    file: fromHere(native.file),
    line: native.line,
    column: native.column,
  };
}

function seconds(ms) {
  if (ms < 1000) return `${MathRound(ms < 0 ? 0 : ms)} ms`;
  return `${MathRound(ms / 100) / 10} s`;
}

// ---- Handles

// Each function returns the description of a handle and adds details.
function tcpServer(native, details) {
  details.address = native.local;
  return `TCP server on ${native.local ?? 'no address'}`;
}

function pipeServer(native, details) {
  details.path = native.local;
  return `Unix socket server on ${native.local ?? 'no path'}`;
}

function tcpSocket(native, details) {
  details.fd = native.fd;
  if (native.fd === 0) return standardInput(native, details);
  if (native.local !== undefined) details.local = native.local;
  if (native.remote !== undefined) details.remote = native.remote;
  if (native.isConnecting) return 'TCP connection that is being made';
  if (native.remote === undefined) return 'TCP connection whose other end has gone';
  return native.isInherited ? `TCP connection from ${native.remote} to ${native.local}` :
    `TCP connection to ${native.remote} from ${native.local}`;
}

function standardInput(native, details) {
  details.path = native.path;
  return `standard input (${native.path})`;
}

function pipe(native, details) {
  details.fd = native.fd;
  if (native.fd === 0) return standardInput(native, details);
  if (native.isConnecting) return 'Unix socket connection that is being made';
  let path = native.remote;
  if (path === undefined || path === 'unnamed' || path === 'nowhere') path = native.local;
  if (path === undefined || path === 'unnamed' || path === 'nowhere') return `pipe, descriptor ${native.fd}`;
  details.path = path;
  return `Unix socket connection ${native.isInherited ? 'on' : 'to'} ${path}`;
}

function udp(native, details) {
  details.fd = native.fd;
  if (native.local !== undefined) details.local = native.local;
  if (native.remote === undefined) return `UDP socket on ${native.local ?? 'no address'}`;
  details.remote = native.remote;
  return `UDP socket on ${native.local}, connected to ${native.remote}`;
}

const describers = {
  __proto__: null,
  [handleKinds.tcpServer]: tcpServer,
  [handleKinds.tcpSocket]: tcpSocket,
  [handleKinds.pipeServer]: pipeServer,
  [handleKinds.pipe]: pipe,
  [handleKinds.udp]: udp,
  [handleKinds.tty](native, details) {
    details.fd = native.fd;
    details.path = native.path;
    return `terminal ${native.path}`;
  },
  [handleKinds.process](native, details) {
    details.pid = native.pid;
    details.command = native.command;
    return `child process ${native.pid}${native.command === '' ? '' : ` (${native.command})`}`;
  },
  [handleKinds.fsWatch](native, details) {
    details.path = native.path;
    return `watcher of '${native.path}'`;
  },
  [handleKinds.messagePort]: () => 'message port',
  [handleKinds.worker]: () => 'worker thread',
  [handleKinds.ipcChannel]: () => 'channel for messages to a parent or child process',
  [handleKinds.dnsQuery]: () => 'query to a name server',
  [handleKinds.signal]: () => 'signal handler',
};

// Native handles that are listed through others: the timer behind all JavaScript timers, and the sockets of a DNS
// query.
const behindOthers = {
  __proto__: null, [handleKinds.timer]: true, [handleKinds.check]: true, [handleKinds.dnsSocket]: true,
};

function entry(type, text, place, details, verb) {
  if (place !== null) text += `, ${verb} ${placeText(place)}`;
  return { __proto__: null, type, place, details, description: text };
}

// Adds the requests of a connection of an HTTP server, and the place of the listener that answers them.
function addHttp(result, { handler, isClosing, requests }) {
  const { details } = result;
  const state = isClosing ? ', which is closed and waits for it' : '';
  details.isServerClosed = isClosing;
  details.requests = requests;
  const place = typeof handler === 'function' ? takePlace(binding.placeOf(handler)) : null;
  details.handler = place;
  let text = requests.length === 0 ? 'no request' : `answering ${requests[0]}`;
  if (requests.length > 1) text += ` and ${requests.length - 1} more`;
  if (requests.length > 0 && place !== null) {
    text += ` in ${place.function === '' ? '<anonymous>' : place.function} at ${placeText(place)}`;
  }
  result.description += `${state}; ${text}`;
}

function handleEntry(native) {
  const details = { __proto__: null };
  const describe = describers[native.type];
  const text = describe === undefined ? native.type : describe(native, details);
  const verb = native.isInherited ? 'of the server made at' : 'made at';
  return entry(native.type, text, takePlace(native), details, verb);
}

// ---- Operations

const requestNames = {
  '__proto__': null,
  'getaddrinfo': 'look-up of the name',
  'getnameinfo': 'look-up of an address',
  'work': 'job on the pool',
  'write': 'data that waits to be written',
  'udp send': 'datagram that waits to be sent',
  'shutdown': 'end of a stream that waits for its data to be written',
  'deflate': 'compression by zlib (deflate)',
  'gzip': 'compression by zlib (gzip)',
  'deflateRaw': 'compression by zlib (deflateRaw)',
  'brotliCompress': 'compression by zlib (brotliCompress)',
  'zstdCompress': 'compression by zlib (zstdCompress)',
  'inflate': 'decompression by zlib (inflate)',
  'gunzip': 'decompression by zlib (gunzip)',
  'inflateRaw': 'decompression by zlib (inflateRaw)',
  'unzip': 'decompression by zlib (unzip)',
  'brotliDecompress': 'decompression by zlib (brotliDecompress)',
  'zstdDecompress': 'decompression by zlib (zstdDecompress)',
};

function requestEntry(native) {
  const details = { __proto__: null };
  const fileOperation = operations[native.type];
  const type = fileOperation === undefined ? native.type : fileOperation.api;
  let text = requestNames[native.type] ?? type;
  if (native.fd !== undefined) {
    details.fd = native.fd;
    text += ` of descriptor ${native.fd}`;
  }
  if (native.path !== undefined && native.path !== '') {
    details.path = native.path;
    text += native.fd === undefined ? ` '${native.path}'` : ` (${native.path})`;
  }
  return entry(type, text, takePlace(native), details, 'started at');
}

// ---- Timers and immediates

function callbackEntry(type, text, fn, details) {
  const place = typeof fn === 'function' ? takePlace(binding.placeOf(fn)) : null;
  if (place !== null) {
    details.callback = place.function;
    text += `, callback ${place.function === '' ? '<anonymous>' : place.function}`;
  }
  const result = entry(type, text, place, details, 'at');
  if (place !== null) result.description = `${text} at ${placeText(place)}`;
  return result;
}

function timerEntry(timer, due) {
  const isRepeated = typeof timer._repeat === 'number';
  const duration = timer._idleTimeout;
  const left = due - clockNow();
  const details = { __proto__: null, duration, isRepeated, dueIn: left < 0 ? 0 : left };
  const result = callbackEntry('timer', `${isRepeated ? 'interval' : 'timer'} ${duration} ms`, timer._onTimeout,
    details);
  result.description += left > 0 ? `, due in ${seconds(left)}` : ', due now';
  return result;
}

// All of it, up to kMost.
function alive() {
  const list = [];
  const { forEachRefedTimer } = require('internal/timers');
  const { forEachRefedImmediate } = require('internal/timers/immediates');
  const handles = binding.aliveHandles();
  const connections = require('internal/loop/http_connections').connectionsByDescriptor();
  for (let i = 0; i < handles.length; i++) {
    if (behindOthers[handles[i].type] !== undefined) continue;
    const result = handleEntry(handles[i]);
    const connection = connections.get(handles[i].fd);
    if (connection !== undefined) addHttp(result, connection);
    ArrayPrototypePush(list, result);
  }
  const requests = binding.aliveRequests();
  for (let i = 0; i < requests.length; i++) ArrayPrototypePush(list, requestEntry(requests[i]));
  const { kClosing, read } = require('internal/loop/figures');
  const closing = read()[kClosing];
  if (closing > 0) {
    const text = closing === 1 ? 'a handle that is being closed' : `${closing} handles that are being closed`;
    ArrayPrototypePush(list, entry('closing', text, null, { __proto__: null, count: closing }, ''));
  }
  forEachRefedTimer((timer, due) => {
    ArrayPrototypePush(list, timerEntry(timer, due));
    return list.length < kMost;
  });
  forEachRefedImmediate((immediate) => {
    ArrayPrototypePush(list, callbackEntry('immediate', 'immediate', immediate._onImmediate, { __proto__: null }));
    return list.length < kMost;
  });
  return list;
}

module.exports = { alive, placeText, seconds, takePlace };
