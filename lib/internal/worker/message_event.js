'use strict';

// MessageEvent: what listeners of ports and broadcast channels get.

const { ObjectDefineProperties, SymbolToStringTag } = primordials;

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS } } = require('internal/errors');
const { Event } = require('internal/event_target');
const { kEmptyObject, kEnumerableProperty } = require('internal/util');
const { isPort } = require('internal/structured_clone');

let isMessageEvent;

class MessageEvent extends Event {
  #data;
  #origin;
  #lastEventId;
  #source;
  #ports;

  constructor(type, init = kEmptyObject) {
    super(type, init);
    const { data = null, origin = '', lastEventId = '', source = null, ports = [] } = init ?? kEmptyObject;
    if (source !== null && !isPort(source)) throw new ERR_INVALID_ARG_TYPE('init.source', 'MessagePort', source);
    this.#ports = [...ports];
    for (let i = 0; i < this.#ports.length; i++) {
      if (!isPort(this.#ports[i])) throw new ERR_INVALID_ARG_TYPE(`init.ports[${i}]`, 'MessagePort', this.#ports[i]);
    }
    this.#data = data;
    this.#origin = `${origin}`;
    this.#lastEventId = `${lastEventId}`;
    this.#source = source;
  }

  static {
    isMessageEvent = (value) => typeof value === 'object' && value !== null && #data in value;
  }

  get data() {
    if (!isMessageEvent(this)) throw new ERR_INVALID_THIS('MessageEvent');
    return this.#data;
  }

  get origin() {
    if (!isMessageEvent(this)) throw new ERR_INVALID_THIS('MessageEvent');
    return this.#origin;
  }

  get lastEventId() {
    if (!isMessageEvent(this)) throw new ERR_INVALID_THIS('MessageEvent');
    return this.#lastEventId;
  }

  get source() {
    if (!isMessageEvent(this)) throw new ERR_INVALID_THIS('MessageEvent');
    return this.#source;
  }

  get ports() {
    if (!isMessageEvent(this)) throw new ERR_INVALID_THIS('MessageEvent');
    return this.#ports;
  }
}

ObjectDefineProperties(MessageEvent.prototype, {
  data: kEnumerableProperty,
  origin: kEnumerableProperty,
  lastEventId: kEnumerableProperty,
  source: kEnumerableProperty,
  ports: kEnumerableProperty,
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'MessageEvent' },
});

module.exports = { MessageEvent };
