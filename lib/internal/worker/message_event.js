'use strict';

// MessageEvent: the event of ports and broadcast channels.

const { ObjectDefineProperties, ObjectFreeze, SymbolIterator, SymbolToStringTag, TypeError } = primordials;

const { codedTypeError } = require('internal/errors');
const { Event } = require('internal/event_target');
const { kEmptyObject, kEnumerableProperty } = require('internal/util');
const { inspect } = require('internal/util/inspect');
const { isPort } = require('internal/structured_clone');

let isMessageEvent;

function shown(value) {
  return typeof value === 'string' ? `"${value}"` : inspect(value);
}

function notAPort(name, value) {
  return new TypeError(
    `MessageEvent constructor: Expected eventInitDict.${name} ("${shown(value)}") to be an instance of MessagePort.`);
}

function isObject(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function readPorts(ports) {
  if (!isObject(ports)) {
    throw new TypeError(`MessageEvent constructor: eventInitDict.ports (${shown(ports)}) is not iterable.`);
  }
  if (typeof ports[SymbolIterator] !== 'function') {
    throw new TypeError('MessageEvent constructor: eventInitDict.ports is not iterable.');
  }
  const list = [...ports];
  for (let i = 0; i < list.length; i++) {
    if (!isPort(list[i])) throw notAPort(`ports[${i}]`, list[i]);
  }
  return list;
}

function requireArgument(count, prefix) {
  if (count === 0) throw new TypeError(`${prefix}: 1 argument required, but 0 found.`);
}

const illegalInvocation = () => codedTypeError('ERR_INVALID_THIS', 'Illegal invocation');

class MessageEvent extends Event {
  #data;
  #origin;
  #lastEventId;
  #source;
  #ports;

  constructor(type, init = kEmptyObject) {
    requireArgument(arguments.length, 'MessageEvent constructor');
    if (init !== undefined && init !== null && !isObject(init)) {
      throw new TypeError(`MessageEvent constructor: Expected ${shown(init)} to be one of: Null, Undefined, Object.`);
    }
    super(type, init);
    const { data = null, origin = '', lastEventId = '', source = null, ports = [] } = init ?? kEmptyObject;
    if (source !== null && !isPort(source)) throw notAPort('source', source);
    this.#ports = ObjectFreeze(readPorts(ports));
    this.#data = data;
    this.#origin = `${origin}`;
    this.#lastEventId = `${lastEventId}`;
    this.#source = source;
  }

  static {
    isMessageEvent = (value) => typeof value === 'object' && value !== null && #data in value;
  }

  get data() {
    if (!isMessageEvent(this)) throw illegalInvocation();
    return this.#data;
  }

  get origin() {
    if (!isMessageEvent(this)) throw illegalInvocation();
    return this.#origin;
  }

  get lastEventId() {
    if (!isMessageEvent(this)) throw illegalInvocation();
    return this.#lastEventId;
  }

  get source() {
    if (!isMessageEvent(this)) throw illegalInvocation();
    return this.#source;
  }

  get ports() {
    if (!isMessageEvent(this)) throw illegalInvocation();
    return this.#ports;
  }

  // A legacy function, which reinitializes the event.
  initMessageEvent(type, bubbles = false, cancelable = false, data = null, origin = '', lastEventId = '', source = null,
    ports = []) {
    if (!isMessageEvent(this)) throw illegalInvocation();
    requireArgument(arguments.length, 'MessageEvent.initMessageEvent');
    return new MessageEvent(type, { bubbles, cancelable, data, origin, lastEventId, source, ports });
  }
}

ObjectDefineProperties(MessageEvent.prototype, {
  data: kEnumerableProperty,
  origin: kEnumerableProperty,
  lastEventId: kEnumerableProperty,
  source: kEnumerableProperty,
  ports: kEnumerableProperty,
  initMessageEvent: kEnumerableProperty,
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'MessageEvent' },
});

module.exports = { MessageEvent };
