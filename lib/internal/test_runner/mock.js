'use strict';
// mock: functions that remember how they were called, in place of others or by themselves.

const {
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  Error,
  FunctionPrototypeCall,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  Proxy,
  ReflectApply,
  ReflectConstruct,
  ReflectGet,
  SafeMap,
} = primordials;

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { kEmptyObject } = require('internal/util');
const { validateBoolean, validateFunction, validateInteger, validateObject } = require('internal/validators');

// Stands for the original implementation if none was given.
const kOriginal = function() {};

class MockFunctionContext {
  #calls;
  #mocks;
  #implementation;
  #restore;
  #times;

  constructor(implementation, restore, times) {
    this.#calls = [];
    this.#mocks = new SafeMap();
    this.#implementation = implementation;
    this.#restore = restore;
    this.#times = times;
  }

  // Return a copy, so that the program cannot change the record.
  get calls() {
    return ArrayPrototypeSlice(this.#calls, 0);
  }

  callCount() {
    return this.#calls.length;
  }

  mockImplementation(implementation) {
    validateFunction(implementation, 'implementation');
    this.#implementation = implementation;
  }

  mockImplementationOnce(implementation, onCall) {
    validateFunction(implementation, 'implementation');
    const nextCall = this.#calls.length;
    const call = onCall ?? nextCall;
    validateInteger(call, 'onCall', nextCall);
    this.#mocks.set(call, implementation);
  }

  // Restores the original behaviour.
  restore() {
    const { descriptor, object, original, methodName } = this.#restore;
    if (typeof methodName === 'string' || typeof methodName === 'symbol') {
      ObjectDefineProperty(object, methodName, descriptor);
    } else {
      this.#implementation = original;
    }
  }

  resetCalls() {
    this.#calls = [];
  }

  trackCall(call) {
    ArrayPrototypePush(this.#calls, call);
  }

  nextImplementation() {
    const nextCall = this.#calls.length;
    const once = this.#mocks.get(nextCall);
    const implementation = once ?? this.#implementation;
    if (nextCall + 1 === this.#times) this.restore();
    if (once !== undefined) this.#mocks.delete(nextCall);
    return implementation;
  }
}

const { nextImplementation, trackCall } = MockFunctionContext.prototype;
delete MockFunctionContext.prototype.trackCall;
delete MockFunctionContext.prototype.nextImplementation;

function record(context, call) {
  FunctionPrototypeCall(trackCall, context, {
    __proto__: null,
    arguments: call.arguments,
    error: call.error,
    result: call.result,
    // Formatted lazily, when its stack is read.
    stack: new Error(),
    target: call.target,
    this: call.this,
  });
}

function makeMock(context, original) {
  return new Proxy(original, {
    __proto__: null,
    apply(target, thisArg, args) {
      const implementation = FunctionPrototypeCall(nextImplementation, context);
      const call = { arguments: args, error: undefined, result: undefined, target: undefined, this: thisArg };
      try {
        call.result = ReflectApply(implementation, thisArg, args);
        return call.result;
      } catch (error) {
        call.error = error;
        throw error;
      } finally {
        record(context, call);
      }
    },
    construct(target, args, newTarget) {
      const implementation = FunctionPrototypeCall(nextImplementation, context);
      const call = { arguments: args, error: undefined, result: undefined, target, this: undefined };
      try {
        call.result = ReflectConstruct(implementation, args, newTarget);
        call.this = call.result;
        return call.result;
      } catch (error) {
        call.error = error;
        throw error;
      } finally {
        record(context, call);
      }
    },
    get(target, property, receiver) {
      if (property === 'mock') return context;
      return ReflectGet(target, property, receiver);
    },
  });
}

// An accessor that replaces a data property and records its accesses.
class MockPropertyContext {
  #object;
  #name;
  #value;
  #original;
  #descriptor;
  #accesses = [];
  #once = new SafeMap();

  constructor(object, name, value) {
    this.#object = object;
    this.#name = name;
    this.#original = object[name];
    this.#value = arguments.length > 2 ? value : this.#original;
    this.#descriptor = ObjectGetOwnPropertyDescriptor(object, name);
    if (this.#descriptor === undefined) {
      throw new ERR_INVALID_ARG_VALUE('propertyName', name, 'is not a property of the object');
    }
    const { configurable, enumerable } = this.#descriptor;
    ObjectDefineProperty(object, name, {
      __proto__: null,
      configurable,
      enumerable,
      get: () => this.#access('get', this.#value),
      set: (next) => this.mockImplementation(next),
    });
  }

  get accesses() {
    return ArrayPrototypeSlice(this.#accesses, 0);
  }

  accessCount() {
    return this.#accesses.length;
  }

  mockImplementation(value) {
    if (!this.#descriptor.writable) throw new ERR_INVALID_ARG_VALUE('propertyName', this.#name, 'cannot be set');
    this.#value = this.#access('set', value);
  }

  // Records an access and returns its value: the one set by mockImplementationOnce() for this access, or else `value`.
  #access(type, value) {
    const index = this.#accesses.length;
    if (this.#once.has(index)) {
      value = this.#once.get(index);
      this.#once.delete(index);
    }
    ArrayPrototypePush(this.#accesses, { __proto__: null, type, value, stack: new Error() });
    return value;
  }

  mockImplementationOnce(value, onAccess) {
    const next = this.#accesses.length;
    const index = onAccess ?? next;
    validateInteger(index, 'onAccess', next);
    this.#once.set(index, value);
  }

  resetAccesses() {
    this.#accesses = [];
  }

  restore() {
    ObjectDefineProperty(this.#object, this.#name, { __proto__: null, ...this.#descriptor, value: this.#original });
  }
}

function isObject(value) {
  return value !== null && typeof value === 'object';
}

function validateTimes(value, name) {
  if (value === Infinity) return;
  validateInteger(value, name, 1);
}

function validateStringOrSymbol(value, name) {
  if (typeof value === 'string' || typeof value === 'symbol') return;
  throw new ERR_INVALID_ARG_TYPE(name, ['string', 'symbol'], value);
}

function findDescriptor(object, name) {
  for (let host = object; host !== null; host = ObjectGetPrototypeOf(host)) {
    const descriptor = ObjectGetOwnPropertyDescriptor(host, name);
    if (descriptor !== undefined) return descriptor;
  }
  return undefined;
}

class MockTracker {
  #mocks = [];
  #timers;

  get timers() {
    if (this.#timers === undefined) {
      const { MockTimers } = require('internal/test_runner/mock_timers');
      this.#timers = new MockTimers();
    }
    return this.#timers;
  }

  fn(original = function() {}, implementation = original, options = {}) {
    if (isObject(original)) {
      options = original;
      original = function() {};
      implementation = original;
    } else if (isObject(implementation)) {
      options = implementation;
      implementation = original;
    }
    validateFunction(original, 'original');
    validateFunction(implementation, 'implementation');
    validateObject(options, 'options');
    const { times = Infinity } = options;
    validateTimes(times, 'options.times');
    const context = new MockFunctionContext(implementation, { __proto__: null, original }, times);
    ArrayPrototypePush(this.#mocks, context);
    return makeMock(context, original);
  }

  method(objectOrFunction, methodName, implementation = kOriginal, options = {}) {
    validateStringOrSymbol(methodName, 'methodName');
    if (typeof objectOrFunction !== 'function') validateObject(objectOrFunction, 'object');
    if (isObject(implementation)) {
      options = implementation;
      implementation = kOriginal;
    }
    validateFunction(implementation, 'implementation');
    validateObject(options, 'options');
    const { getter = false, setter = false, times = Infinity } = options;
    validateBoolean(getter, 'options.getter');
    validateBoolean(setter, 'options.setter');
    validateTimes(times, 'options.times');
    if (setter && getter) {
      throw new ERR_INVALID_ARG_VALUE('options.setter', setter, "cannot be used with 'options.getter'");
    }
    const descriptor = findDescriptor(objectOrFunction, methodName);
    const kind = getter ? 'get' : setter ? 'set' : 'value';
    const original = descriptor?.[kind];
    if (typeof original !== 'function') {
      throw new ERR_INVALID_ARG_VALUE('methodName', original, 'must be a method');
    }
    const restore = { __proto__: null, descriptor, object: objectOrFunction, methodName };
    const context = new MockFunctionContext(implementation === kOriginal ? original : implementation, restore, times);
    ArrayPrototypePush(this.#mocks, context);
    const mock = makeMock(context, original);
    ObjectDefineProperty(objectOrFunction, methodName, { __proto__: null, ...descriptor, [kind]: mock });
    return mock;
  }

  getter(object, methodName, implementation = kOriginal, options = {}) {
    return this.#accessor('getter', object, methodName, implementation, options);
  }

  setter(object, methodName, implementation = kOriginal, options = {}) {
    return this.#accessor('setter', object, methodName, implementation, options);
  }

  #accessor(kind, object, methodName, implementation, options) {
    if (isObject(implementation)) {
      options = implementation;
      implementation = kOriginal;
    } else {
      validateObject(options, 'options');
    }
    const { [kind]: isOne = true } = options;
    if (isOne === false) throw new ERR_INVALID_ARG_VALUE(`options.${kind}`, isOne, 'cannot be false');
    return this.method(object, methodName, implementation, { __proto__: null, ...options, [kind]: isOne });
  }

  module(specifier, options = kEmptyObject) {
    const { callerLocation } = require('internal/test_runner/location');
    const { mockModule } = require('internal/test_runner/mock_module');
    const context = mockModule(specifier, options, callerLocation().file);
    ArrayPrototypePush(this.#mocks, context);
    return context;
  }

  property(object, propertyName, value) {
    validateObject(object, 'object');
    validateStringOrSymbol(propertyName, 'propertyName');
    const context = arguments.length > 2 ?
      new MockPropertyContext(object, propertyName, value) : new MockPropertyContext(object, propertyName);
    ArrayPrototypePush(this.#mocks, context);
    return new Proxy(object, {
      __proto__: null,
      get(target, name, receiver) {
        return name === 'mock' ? context : ReflectGet(target, name, receiver);
      },
    });
  }

  reset() {
    this.restoreAll();
    this.#timers?.reset();
    this.#mocks = [];
  }

  restoreAll() {
    for (let i = 0; i < this.#mocks.length; i++) this.#mocks[i].restore();
  }
}

if (!require('internal/options').hasFlag('experimental-test-module-mocks')) delete MockTracker.prototype.module;

module.exports = { MockTracker };
