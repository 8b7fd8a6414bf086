'use strict';
// A UDP socket of the loop, with the interface of Node's handles: functions return 0 or a negative errno unless stated
// otherwise. dgram.Socket is an EventEmitter around one of these.
//
//   const handle = new UDP(isIPv6);
//   handle.bind('127.0.0.1', 0, 0);
//   handle.onmessage = (size, handle, buffer, rinfo) => {};    // size < 0: a negative errno
//   handle.recvStart();
//   handle.send(request, [buffer], '127.0.0.1', port);         // size + 1: sent; 0: request.oncomplete follows

const { ObjectAssign } = primordials;

const binding = internalBinding('udp');
const options = internalBinding('udp_options');
const { UV_EINVAL } = internalBinding('uv');
const { FastBuffer } = require('internal/buffer/fast');
const asyncHooks = require('internal/async_hooks');
const { emit, hooks, getFrame } = asyncHooks;
const { hasFlag } = require('internal/options');
const { shared, kHasEnded } = require('internal/shared');
const { kMessage } = require('internal/trace/events');

// Runs onmessage() of `handle` in the handle's async context. If it throws, the code that reports the exception resets
// the context.
function deliver(handle, size, buffer, rinfo) {
  if (handle.frame === undefined && !hooks.tracksIds) {
    handle.onmessage(size, handle, buffer, rinfo);
    return;
  }
  if (hooks.onlyTraced && !hooks.usesFrames) {
    emit.handleBegins(handle, kMessage);
    handle.onmessage(size, handle, buffer, rinfo);
    shared[kHasEnded] = 1;
    return;
  }
  asyncHooks.setFrame(handle.frame);
  asyncHooks.emitBefore(handle.asyncId, handle.triggerId, handle, kMessage);
  handle.onmessage(size, handle, buffer, rinfo);
  asyncHooks.setFrame(undefined);
  asyncHooks.emitAfter(handle.asyncId);
}

// Native code calls these; `this` is the object of the socket, or the request of a send.
function onMessage(size, memory, address, isIPv6, port) {
  if (size < 0) {
    deliver(this.owner, size, undefined, undefined);
  } else {
    const rinfo = { address, family: isIPv6 ? 'IPv6' : 'IPv4', port };
    deliver(this.owner, size, new FastBuffer(memory, 0, size), rinfo);
  }
}

function onSent(status, size) {
  if (this.oncomplete !== undefined) this.oncomplete(status, size);
}

function onClosed() {
  const handle = this.owner;
  handle.wrap = null;
  if (hooks.active) asyncHooks.emitDestroy(handle.asyncId);
}

let isReady = false;
let queuesAlways = false; // For tests: datagrams are never sent inside the call.
function setUp() {
  if (isReady) return;
  isReady = true;
  queuesAlways = hasFlag('test-udp-no-try-send');
  binding.setHooks({ __proto__: null, onMessage, onSent, onClosed });
}

class UDP {
  constructor(isIPv6) {
    setUp();
    this.wrap = binding.create(isIPv6); // Null once it is closed.
    this.wrap.owner = this;
    this.owner = null; // Free for the user of the handle.
    this.onmessage = undefined;
    this.lookup = undefined;
    this.isClosing = false;
    this.hasReference = true;
    this.asyncId = asyncHooks.newAsyncId();
    this.triggerId = asyncHooks.defaultTriggerAsyncId();
    this.frame = getFrame();
    if (hooks.active) asyncHooks.emitInit(this.asyncId, 'UDPWRAP', this.triggerId, this);
  }

  // Takes the descriptor over; if it fails, it stays the caller's.
  open(fd) {
    return binding.open(this.wrap, fd);
  }

  bind(address, port, flags) {
    return binding.bind(this.wrap, `${address}`, port >>> 0, flags >>> 0);
  }

  connect(address, port) {
    return binding.connect(this.wrap, `${address}`, port >>> 0);
  }

  disconnect() {
    return binding.disconnect(this.wrap);
  }

  // Without an address it goes to the connected peer. request.oncomplete(status, size) is called only if the result
  // is 0, and must not be set if there is no callback to call.
  send(request, list, address, port) {
    const host = address === undefined ? undefined : `${address}`;
    return binding.send(this.wrap, request, list, host, port, queuesAlways);
  }

  recvStart() {
    return binding.receiveStart(this.wrap);
  }

  recvStop() {
    return binding.receiveStop(this.wrap);
  }

  close() {
    if (this.isClosing) return;
    this.isClosing = true;
    this.wrap.close();
  }

  ref() {
    this.hasReference = true;
    this.wrap.ref();
  }

  unref() {
    this.hasReference = false;
    this.wrap.unref();
  }

  hasRef() {
    return this.hasReference && !this.isClosing;
  }

  get fd() {
    return binding.fd(this.wrap);
  }

  getsockname(out) {
    return take(options.localAddress(this.wrap), out);
  }

  getpeername(out) {
    return take(options.peerAddress(this.wrap), out);
  }

  setBroadcast(on) {
    return options.setBroadcast(this.wrap, on !== 0);
  }

  setTTL(ttl) {
    return options.setTtl(this.wrap, ttl | 0);
  }

  setMulticastTTL(ttl) {
    return options.setMulticastTtl(this.wrap, ttl | 0);
  }

  setMulticastLoopback(on) {
    return options.setMulticastLoop(this.wrap, on !== 0);
  }

  setMulticastInterface(address) {
    return options.setMulticastInterface(this.wrap, address);
  }

  addMembership(group, onInterface) {
    return options.changeMembership(this.wrap, true, `${group}`, text(onInterface));
  }

  dropMembership(group, onInterface) {
    return options.changeMembership(this.wrap, false, `${group}`, text(onInterface));
  }

  addSourceSpecificMembership(source, group, onInterface) {
    return options.changeSourceMembership(this.wrap, true, source, group, text(onInterface));
  }

  dropSourceSpecificMembership(source, group, onInterface) {
    return options.changeSourceMembership(this.wrap, false, source, group, text(onInterface));
  }

  // Sets the size of a buffer of the kernel, or returns it if `size` is 0.
  bufferSize(size, isReceive) {
    if (size !== (size | 0)) return UV_EINVAL;
    return options.bufferSize(this.wrap, size, isReceive);
  }

  getSendQueueSize() {
    return binding.queuedBytes(this.wrap);
  }

  getSendQueueCount() {
    return binding.queuedCount(this.wrap);
  }

  getAsyncId() {
    return this.asyncId;
  }
}

function text(value) {
  return value == null ? undefined : `${value}`;
}

function take(address, out) {
  if (typeof address === 'number') return address;
  ObjectAssign(out, address);
  return 0;
}

module.exports = { UDP };
