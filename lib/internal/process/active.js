'use strict';
// Node's lists of active handles and requests: process._getActiveHandles(), _getActiveRequests() and
// getActiveResourcesInfo(). `rondo why` and process.loop.alive() have more details.
const { ArrayPrototypePush, ObjectDefineProperty, SafeSet } = primordials;
const binding = internalBinding('loop');
const { handleKinds, handleObjects } = binding;
const { operations, promisedRequests } = internalBinding('fs');

// Node's types by the kinds of the loop's handles. Handles of other kinds belong to other objects, such as timers or
// queries.
const handleTypes = {
  __proto__: null,
  [handleKinds.fsWatch]: 'FSEventWrap',
  [handleKinds.ipcChannel]: 'PipeWrap',
  [handleKinds.messagePort]: 'MessagePort',
  [handleKinds.pipe]: 'PipeWrap',
  [handleKinds.pipeServer]: 'PipeWrap',
  [handleKinds.process]: 'ProcessWrap',
  [handleKinds.tcpServer]: 'TCPServerWrap',
  [handleKinds.tcpSocket]: 'TCPSocketWrap',
  [handleKinds.tty]: 'TTYWrap',
  [handleKinds.udp]: 'UDPWrap',
};

// Returns the object that user code sees: a net.Socket, a net.Server, a ChildProcess or an FSWatcher; a port is its
// own.
function ownerOf(kind, object) {
  if (kind === handleKinds.messagePort) return object;
  if (kind === handleKinds.process || kind === handleKinds.udp) object = object.owner;
  return object.owner ?? object;
}

// Calls visit(type, object) for each handle that has a ref.
function forEachHandle(visit) {
  // Standard output and error are written without the loop, but listed nevertheless.
  const { forEachInUse } = require('internal/process/stdio');
  forEachInUse((isTerminal, stream) => visit(isTerminal ? 'TTYWrap' : 'PipeWrap', stream));
  const list = handleObjects();
  for (let i = 0; i < list.length; i += 2) {
    const type = handleTypes[list[i]];
    const object = list[i + 1];
    if (type === undefined) continue;
    visit(type, ownerOf(list[i], object));
  }
  const { forEachRefedWatcher } = require('internal/fs/stat_watchers');
  forEachRefedWatcher((watcher) => visit('StatWatcher', watcher));
}

const requestTypes = {
  '__proto__': null,
  'getaddrinfo': 'GetAddrInfoReqWrap',
  'getnameinfo': 'GetNameInfoReqWrap',
  'shutdown': 'ShutdownWrap',
  'udp send': 'SendWrap',
  'write': 'WriteWrap',
};

// Names in getActiveResourcesInfo() that differ from the type.
const infoTypes = {
  '__proto__': null,
  'PipeConnectWrap': 'ConnectWrap',
  'ShutdownWrap': 'SimpleShutdownWrap',
  'TCPConnectWrap': 'ConnectWrap',
  'WriteWrap': 'SimpleWriteWrap',
};

// Creates a JavaScript object for an operation, which otherwise has none, with the details that are known of it.
const classes = { __proto__: null };
function makeRequest(type, details) {
  const Class = classes[type] ??= ObjectDefineProperty(class {}, 'name', { __proto__: null, value: type });
  const request = new Class();
  if (details.path !== undefined && details.path !== '') request.path = details.path;
  if (details.fd !== undefined) request.fd = details.fd;
  return request;
}

// Calls visit(type, details) for each operation in flight.
function forEachRequest(visit) {
  const requests = binding.aliveRequests();
  const promised = new SafeSet(promisedRequests());
  for (let i = 0; i < requests.length; i++) {
    const { id, type: label } = requests[i];
    const type = operations[label] !== undefined ?
      (promised.has(id) ? 'FSReqPromise' : 'FSReqCallback') :
      requestTypes[label];
    if (type !== undefined) visit(type, requests[i]);
  }
  const handles = handleObjects();
  for (let i = 0; i < handles.length; i += 2) {
    const isPipe = handles[i] === handleKinds.pipe;
    if (!isPipe && handles[i] !== handleKinds.tcpSocket) continue;
    if (handles[i + 1].connectCallback === undefined) continue;
    visit(isPipe ? 'PipeConnectWrap' : 'TCPConnectWrap', handles[i + 1]);
  }
}

function getActiveHandles() {
  const list = [];
  forEachHandle((type, object) => ArrayPrototypePush(list, object));
  return list;
}

function getActiveRequests() {
  const list = [];
  forEachRequest((type, details) => ArrayPrototypePush(list, makeRequest(type, details)));
  return list;
}

function getActiveResourcesInfo() {
  const names = [];
  forEachRequest((type) => ArrayPrototypePush(names, infoTypes[type] ?? type));
  forEachHandle((type) => ArrayPrototypePush(names, type));
  const { countTimers } = require('internal/timers');
  const { countRefedTimers } = require('internal/fs/stat_watchers');
  // Timers of file watchers are already in the list, as handles.
  for (let i = countTimers() - countRefedTimers(); i > 0; i--) ArrayPrototypePush(names, 'Timeout');
  const { shared, kRefdImmediates } = require('internal/shared');
  for (let i = shared[kRefdImmediates]; i > 0; i--) ArrayPrototypePush(names, 'Immediate');
  return names;
}

module.exports = { getActiveHandles, getActiveRequests, getActiveResourcesInfo };
