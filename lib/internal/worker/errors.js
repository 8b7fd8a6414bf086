'use strict';

// Serialization of an exception from a worker to its parent. Built-in errors keep their class and properties; other
// values are cloned; values that cannot be cloned are replaced by the output of inspect().

const {
  ArrayPrototypePush,
  Error,
  EvalError,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetOwnPropertyNames,
  ObjectGetPrototypeOf,
  ObjectPrototypeToString,
  RangeError,
  ReferenceError,
  SymbolFor,
  SymbolKeyFor,
  SyntaxError,
  TypeError,
  URIError,
} = primordials;

const { structuredClone } = require('internal/structured_clone');

const classes = {
  __proto__: null, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError,
};

// Returns the name of the built-in class from which the error's class is derived.
function classNameOf(error) {
  for (let proto = ObjectGetPrototypeOf(error); proto !== null; proto = ObjectGetPrototypeOf(proto)) {
    const name = ObjectGetOwnPropertyDescriptor(proto, 'constructor')?.value?.name;
    if (typeof name === 'string' && classes[name] !== undefined) return name;
  }
  return undefined;
}

// Returns a clone of the value in an object, or undefined if it cannot be cloned.
function tryClone(value) {
  try {
    return { value: structuredClone(value) };
  } catch {
    return undefined;
  }
}

// Returns the serializable properties of an error: [{ name, value, enumerable }...]. Inherited ones become own
// properties.
function takeProperties(error) {
  const seen = { __proto__: null };
  const properties = [];
  for (let owner = error; owner !== null; owner = ObjectGetPrototypeOf(owner)) {
    const names = ObjectGetOwnPropertyNames(owner);
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      if (seen[name] || name === 'constructor' || name === '__proto__') continue;
      seen[name] = true;
      let value;
      try {
        value = error[name];
      } catch {
        if (name !== 'stack') continue;
        value = undefined; // Error.prepareStackTrace of the program threw.
      }
      if (typeof value === 'function') continue;
      const { enumerable } = ObjectGetOwnPropertyDescriptor(owner, name);
      if (name === 'cause') {
        ArrayPrototypePush(properties, { name, enumerable, nested: serializeError(value) });
        continue;
      }
      if (tryClone(value) === undefined) continue;
      ArrayPrototypePush(properties, { name, enumerable, value });
    }
  }
  return properties;
}

function serializeError(error) {
  try {
    if (typeof error === 'object' && error !== null && ObjectPrototypeToString(error) === '[object Error]') {
      const className = classNameOf(error);
      if (className !== undefined) return { className, properties: takeProperties(error) };
    }
  } catch {
    // A proxy, or a getter that throws: the value is inspected below.
  }
  if (typeof error === 'symbol' && SymbolKeyFor(error) !== undefined) return { symbol: SymbolKeyFor(error) };
  const clone = tryClone(error);
  if (clone !== undefined) return clone;
  const { inspect } = require('internal/util/inspect');
  return { shown: inspect(error) };
}

function deserializeError(message) {
  if (message.className !== undefined) {
    const error = new classes[message.className]();
    for (const { name, enumerable, value, nested } of message.properties) {
      ObjectDefineProperty(error, name, {
        __proto__: null,
        value: nested === undefined ? value : deserializeError(nested),
        enumerable,
        writable: true,
        configurable: true,
      });
    }
    return error;
  }
  if (message.symbol !== undefined) return SymbolFor(message.symbol);
  if (message.shown !== undefined) return message.shown;
  return message.value;
}

module.exports = { deserializeError, serializeError };
