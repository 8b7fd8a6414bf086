'use strict';

// Normalizes the option `stdio` to one description per descriptor: { type, fd, stream, input }.

const {
  ArrayBufferIsView,
  ArrayIsArray,
  ArrayPrototypePush,
} = primordials;

const {
  codes: {
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_SYNC_FORK_INPUT,
    ERR_IPC_ONE_PIPE,
    ERR_IPC_SYNC_FORK,
  },
} = require('internal/errors');

// Converts 'pipe' to ['pipe', 'pipe', 'pipe'], and appends `channel` if it is given.
function stdioStringToArray(stdio, channel) {
  let list;
  switch (stdio) {
    case 'ignore':
    case 'overlapped':
    case 'pipe':
      list = [stdio, stdio, stdio];
      break;
    case 'inherit':
      list = [0, 1, 2];
      break;
    default:
      throw new ERR_INVALID_ARG_VALUE('stdio', stdio);
  }
  if (channel) ArrayPrototypePush(list, channel);
  return list;
}

// Returns the handle of a socket, server or terminal; undefined for other values.
function handleOf(value) {
  const handle = value._handle ?? value.handle ?? value;
  return typeof handle === 'object' && typeof handle.fd === 'number' && handle.fd >= 0 ? handle : undefined;
}

function describeOne(value, index, isSync) {
  if (value === undefined || value === null) return { type: index < 3 ? 'pipe' : 'ignore' };
  if (value === 'ignore') return { type: 'ignore' };
  if (value === 'pipe' || value === 'overlapped' || (typeof value === 'number' && value < 0)) {
    return { type: 'pipe' };
  }
  if (value === 'inherit') return { type: 'inherit', fd: index };
  if (typeof value === 'number') return { type: 'fd', fd: value };
  if (typeof value.fd === 'number') return { type: 'fd', fd: value.fd };
  const handle = handleOf(value);
  if (handle !== undefined) return { type: 'wrap', fd: handle.fd, handle, stream: value };
  if (ArrayBufferIsView(value) || typeof value === 'string') {
    if (!isSync) throw new ERR_INVALID_SYNC_FORK_INPUT(inspect(value));
    return undefined;
  }
  throw new ERR_INVALID_ARG_VALUE('stdio', value);
}

const inspect = (value) => require('internal/util/inspect').inspect(value);

// Returns { stdio: [one per descriptor], ipcFd: the channel's descriptor or undefined }.
function getValidStdio(stdio, isSync) {
  if (typeof stdio === 'string') {
    stdio = stdioStringToArray(stdio);
  } else if (!ArrayIsArray(stdio)) {
    throw new ERR_INVALID_ARG_VALUE('stdio', stdio);
  }
  // The first three descriptors always exist. As in Node, the caller's own array is extended.
  while (stdio.length < 3) ArrayPrototypePush(stdio, undefined);
  const described = [];
  let ipcFd;
  for (let i = 0; i < stdio.length; i++) {
    if (stdio[i] === 'ipc') {
      if (isSync) throw new ERR_IPC_SYNC_FORK();
      if (ipcFd !== undefined) throw new ERR_IPC_ONE_PIPE();
      ipcFd = i;
      ArrayPrototypePush(described, { type: 'ipc' });
      continue;
    }
    const one = describeOne(stdio[i], i, isSync);
    if (one !== undefined) ArrayPrototypePush(described, one);
  }
  return { stdio: described, ipcFd };
}

module.exports = { getValidStdio, stdioStringToArray };
