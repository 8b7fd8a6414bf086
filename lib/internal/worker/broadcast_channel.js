'use strict';

// BroadcastChannel: a message is delivered to all other channels of the same name, in any thread.

const { ObjectDefineProperties } = primordials;

const binding = internalBinding('messaging');
const { bindCallback } = require('internal/async_hooks');
const { DOMException } = require('internal/domexception');
const { codes: { ERR_INVALID_THIS, ERR_MISSING_ARGS } } = require('internal/errors');
const { EventTarget, defineEventHandler } = require('internal/event_target');
const { customInspectSymbol, kEnumerableProperty } = require('internal/util');
const { kOnClose, kOnMessage, prepare } = require('internal/structured_clone');
const { kPortOf } = require('internal/worker/port');

let isChannel;
let deliver;

class BroadcastChannel extends EventTarget {
  #port;
  #name;

  constructor(name) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('name');
    super();
    this.#name = `${name}`;
    prepare();
    const port = binding.openBroadcast(this.#name);
    this.#port = port;
    port[kOnMessage] = bindCallback('BROADCASTCHANNEL', (data, ports, type) => deliver(this, data, type), true);
    port[kOnClose] = () => {};
    binding.start(port);
    binding.setRef(port, true);
  }

  static {
    isChannel = (value) => typeof value === 'object' && value !== null && #port in value;
    deliver = (channel, data, type) => {
      if (channel.#port === undefined) return; // Closed by a listener while more messages were queued.
      const { MessageEvent } = require('internal/worker/message_event');
      channel.dispatchEvent(new MessageEvent(type, { data }));
    };
  }

  get [kPortOf]() {
    return this.#port;
  }

  get name() {
    if (!isChannel(this)) throw new ERR_INVALID_THIS('BroadcastChannel');
    return this.#name;
  }

  close() {
    if (!isChannel(this)) throw new ERR_INVALID_THIS('BroadcastChannel');
    if (this.#port === undefined) return;
    binding.close(this.#port);
    this.#port = undefined;
  }

  postMessage(message) {
    if (!isChannel(this)) throw new ERR_INVALID_THIS('BroadcastChannel');
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('message');
    if (this.#port === undefined) throw new DOMException('BroadcastChannel is closed.', 'InvalidStateError');
    binding.postMessage(this.#port, message, undefined);
  }

  ref() {
    if (!isChannel(this)) throw new ERR_INVALID_THIS('BroadcastChannel');
    if (this.#port !== undefined) binding.setRef(this.#port, true);
    return this;
  }

  unref() {
    if (!isChannel(this)) throw new ERR_INVALID_THIS('BroadcastChannel');
    if (this.#port !== undefined) binding.setRef(this.#port, false);
    return this;
  }

  [customInspectSymbol](depth, options) {
    if (!isChannel(this)) throw new ERR_INVALID_THIS('BroadcastChannel');
    if (depth < 0) return 'BroadcastChannel';
    const { inspect } = require('internal/util/inspect');
    const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `BroadcastChannel ${inspect({ name: this.#name, active: this.#port !== undefined }, inner)}`;
  }
}

ObjectDefineProperties(BroadcastChannel.prototype, {
  name: kEnumerableProperty,
  close: kEnumerableProperty,
  postMessage: kEnumerableProperty,
});
defineEventHandler(BroadcastChannel.prototype, 'message');
defineEventHandler(BroadcastChannel.prototype, 'messageerror');

module.exports = { BroadcastChannel };
