'use strict';

// An EventTarget with the methods of an EventEmitter. Listeners added by those receive the argument of emit().

const {
  ArrayFrom,
  ObjectDefineProperties,
  ObjectDefineProperty,
} = primordials;

const {
  codes: { ERR_INVALID_THIS },
} = require('internal/errors');
const { validateNumber, validateString } = require('internal/validators');
const { kEnumerableProperty } = require('internal/util');
const {
  EventTarget,
  initEventTarget,
  kEvents,
  kHybridDispatch,
  kIsNodeStyleListener,
  kIsNodeTarget,
  kMaxEventTargetListeners,
} = require('internal/event_target');

function isNodeEventTarget(value) {
  return value?.constructor?.[kIsNodeTarget] === true;
}

class NodeEventTarget extends EventTarget {
  static [kIsNodeTarget] = true;

  setMaxListeners(n) {
    if (!isNodeEventTarget(this)) throw new ERR_INVALID_THIS('NodeEventTarget');
    validateNumber(n, 'setMaxListeners', 0);
    this[kMaxEventTargetListeners] = n;
    return this;
  }

  getMaxListeners() {
    if (!isNodeEventTarget(this)) throw new ERR_INVALID_THIS('NodeEventTarget');
    return this[kMaxEventTargetListeners];
  }

  eventNames() {
    if (!isNodeEventTarget(this)) throw new ERR_INVALID_THIS('NodeEventTarget');
    return ArrayFrom(this[kEvents].keys());
  }

  listenerCount(type) {
    if (!isNodeEventTarget(this)) throw new ERR_INVALID_THIS('NodeEventTarget');
    const list = this[kEvents].get(`${type}`);
    return list === undefined ? 0 : list.size;
  }

  off(type, listener, options) {
    if (!isNodeEventTarget(this)) throw new ERR_INVALID_THIS('NodeEventTarget');
    this.removeEventListener(type, listener, options);
    return this;
  }

  removeListener(type, listener, options) {
    if (!isNodeEventTarget(this)) throw new ERR_INVALID_THIS('NodeEventTarget');
    this.removeEventListener(type, listener, options);
    return this;
  }

  on(type, listener) {
    if (!isNodeEventTarget(this)) throw new ERR_INVALID_THIS('NodeEventTarget');
    this.addEventListener(type, listener, { [kIsNodeStyleListener]: true });
    return this;
  }

  addListener(type, listener) {
    if (!isNodeEventTarget(this)) throw new ERR_INVALID_THIS('NodeEventTarget');
    this.addEventListener(type, listener, { [kIsNodeStyleListener]: true });
    return this;
  }

  emit(type, arg) {
    if (!isNodeEventTarget(this)) throw new ERR_INVALID_THIS('NodeEventTarget');
    validateString(type, 'type');
    const hasListener = this.listenerCount(type) > 0;
    this[kHybridDispatch](arg, type);
    return hasListener;
  }

  once(type, listener) {
    if (!isNodeEventTarget(this)) throw new ERR_INVALID_THIS('NodeEventTarget');
    this.addEventListener(type, listener, { once: true, [kIsNodeStyleListener]: true });
    return this;
  }

  removeAllListeners(type) {
    if (!isNodeEventTarget(this)) throw new ERR_INVALID_THIS('NodeEventTarget');
    if (type !== undefined) this[kEvents].delete(`${type}`);
    else this[kEvents].clear();
    return this;
  }
}

ObjectDefineProperty(NodeEventTarget, 'defaultMaxListeners', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return require('events').defaultMaxListeners; },
});

ObjectDefineProperties(NodeEventTarget.prototype, {
  setMaxListeners: kEnumerableProperty,
  getMaxListeners: kEnumerableProperty,
  eventNames: kEnumerableProperty,
  listenerCount: kEnumerableProperty,
  off: kEnumerableProperty,
  removeListener: kEnumerableProperty,
  on: kEnumerableProperty,
  addListener: kEnumerableProperty,
  once: kEnumerableProperty,
  emit: kEnumerableProperty,
  removeAllListeners: kEnumerableProperty,
});

module.exports = { NodeEventTarget, initNodeEventTarget: initEventTarget };
