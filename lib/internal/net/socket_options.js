'use strict';
// The options of net.Socket.
const { Boolean } = primordials;

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_FD_TYPE } } = require('internal/errors');
const { StreamHandle, guessHandleType, kPipe, kTcp } = require('internal/net/stream_handle');
const { kConsumeBound } = require('internal/net/symbols');
const { validateInt32, validateNumber } = require('internal/validators');

function handleOfDescriptor(fd) {
  validateInt32(fd, 'fd', 0);
  const type = guessHandleType(fd);
  if (type === 'PIPE') return new StreamHandle(kPipe);
  if (type === 'TCP') return new StreamHandle(kTcp);
  throw new ERR_INVALID_FD_TYPE(type);
}

function checkBlockList(blockList) {
  if (blockList && !require('internal/net/blocklist').BlockList.isBlockList(blockList)) {
    throw new ERR_INVALID_ARG_TYPE('options.blockList', 'net.BlockList', blockList);
  }
}

function checkOptions(options) {
  if (options === undefined || options === null) return;
  if (options.objectMode) throw new ERR_INVALID_ARG_VALUE('options.objectMode', options.objectMode, 'is not supported');
  if (options.readableObjectMode || options.writableObjectMode) {
    const name = options.readableObjectMode ? 'readableObjectMode' : 'writableObjectMode';
    throw new ERR_INVALID_ARG_VALUE(`options.${name}`, options[name], 'is not supported');
  }
  checkBlockList(options.blockList);
  if (options.typeOfService !== undefined) validateInt32(options.typeOfService, 'options.typeOfService', 0, 255);
  if (options.keepAliveInitialDelay !== undefined) {
    validateNumber(options.keepAliveInitialDelay, 'options.keepAliveInitialDelay');
    if (options.keepAliveInitialDelay < 0) options.keepAliveInitialDelay = 0;
  }
}

// Options of a socket that a server accepted. They need not be validated or copied.
class AcceptedOptions {
  constructor(handle, allowHalfOpen, pauseOnCreate, highWaterMark) {
    this.handle = handle;
    this.allowHalfOpen = Boolean(allowHalfOpen);
    this.pauseOnCreate = pauseOnCreate;
    this.readableHighWaterMark = highWaterMark;
    this.writableHighWaterMark = highWaterMark;
    this.emitClose = false;
    this.autoDestroy = true;
    this.decodeStrings = false;
  }
}

function readOptions(options) {
  if (options instanceof AcceptedOptions) return options;
  checkOptions(options);
  const copy = { ...options };
  if (typeof options === 'number') copy.fd = options;
  copy.allowHalfOpen = Boolean(copy.allowHalfOpen);
  // 'close' comes from the closing phase, when the handle has let go (CLO-02).
  copy.emitClose = false;
  copy.autoDestroy = true;
  // Strings are encoded on their way out.
  copy.decodeStrings = false;
  if (copy.handle?.[kConsumeBound]) require('internal/net/bound_socket').adoptSource(copy);
  return copy;
}

module.exports = { AcceptedOptions, checkBlockList, handleOfDescriptor, readOptions };
