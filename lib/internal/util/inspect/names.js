'use strict';

// Names of values in the output: the constructor, the tag, and the description of a function or class.

const {
  ArrayPrototypePop,
  ArrayPrototypePush,
  FunctionPrototypeToString,
  Object,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ObjectPrototype,
  ObjectPrototypeHasOwnProperty,
  ReflectOwnKeys,
  RegExpPrototypeExec,
  RegExpPrototypeSymbolReplace,
  SafeSet,
  String,
  StringPrototypeEndsWith,
  StringPrototypeIncludes,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
  hardenRegExp,
} = primordials;

const binding = internalBinding('util');
const { isAsyncFunction, isGeneratorFunction } = internalBinding('types');
const { hasFlag } = require('internal/options');
const { kObject } = require('internal/util/inspect/layout');
const valueFormat = require('internal/util/inspect/value');

// Built-in names of the language. A fixed list, because the properties of globalThis change over time. Those that an
// engine may omit (SharedArrayBuffer, Atomics, WebAssembly) are not included.
const builtInNames = new SafeSet([
  'Object', 'Function', 'Array', 'Number', 'Infinity', 'NaN', 'Boolean', 'String', 'Symbol', 'Date', 'Promise',
  'RegExp', 'Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError',
  'URIError',
  'JSON', 'Math', 'Intl', 'ArrayBuffer', 'Uint8Array', 'Int8Array', 'Uint16Array', 'Int16Array', 'Uint32Array',
  'Int32Array',
  'Float32Array', 'Float64Array', 'Uint8ClampedArray', 'BigUint64Array', 'BigInt64Array', 'DataView', 'Map', 'BigInt',
  'Set', 'WeakMap', 'WeakSet', 'Proxy', 'Reflect', 'FinalizationRegistry', 'WeakRef',
]);

// Number of prototypes that showHidden searches for properties.
const kMostPrototypes = 3;

function isInstanceOf(object, constructor) {
  try {
    return object instanceof constructor;
  } catch {
    return false;
  }
}

function isOriginal() {
  return ObjectPrototype.constructor === Object && Object.name === 'Object';
}

// With --frozen-intrinsics the properties of the language's prototypes are accessors.
function ownConstructor(object) {
  const { get, value } = ObjectGetOwnPropertyDescriptor(object, 'constructor');
  return get === undefined || !hasFlag('frozen-intrinsics') ? value : get.value;
}

// The first named constructor on the chain that the object is really an instance of. With `inherited`, the properties
// of prototypes are collected there on the way. null stands for an object without a prototype.
function constructorName(object, ctx, recurseTimes, inherited) {
  // Most objects are plain, and need no search.
  if (inherited === undefined && ObjectGetPrototypeOf(object) === ObjectPrototype && isOriginal() &&
      !ObjectPrototypeHasOwnProperty(object, 'constructor')) {
    return 'Object';
  }
  let firstPrototype;
  for (let current = object; current !== null; current = ObjectGetPrototypeOf(current)) {
    if (firstPrototype === undefined && current !== object) firstPrototype = current;
    if (!ObjectPrototypeHasOwnProperty(current, 'constructor')) continue;
    const constructor = ownConstructor(current);
    if (typeof constructor !== 'function' || constructor.name === '' || !isInstanceOf(object, constructor)) continue;
    if (inherited !== undefined && (firstPrototype !== current || !builtInNames.has(constructor.name))) {
      collectInherited(ctx, object, firstPrototype || object, recurseTimes, inherited);
    }
    return String(constructor.name);
  }
  if (firstPrototype === undefined) return null;

  const name = binding.getConstructorName(object);
  if (ctx.depth !== null && recurseTimes > ctx.depth) return `${name} <Complex prototype>`;
  const prototypeName = constructorName(firstPrototype, ctx, recurseTimes + 1, inherited);
  if (prototypeName !== null) return `${name} <${prototypeName}>`;
  return `${name} <${valueFormat.inspectWith(firstPrototype, ctx, { customInspect: false, depth: -1 })}>`;
}

// Properties of the prototypes of `object` that are not functions, not shadowed, and not of the language's own classes.
function collectInherited(ctx, object, from, recurseTimes, output) {
  let seen;
  let keys;
  let current = from;
  for (let level = 0; level < kMostPrototypes; level++) {
    if (level !== 0 || current === object) {
      current = ObjectGetPrototypeOf(current);
      if (current === null) return;
      const descriptor = ObjectGetOwnPropertyDescriptor(current, 'constructor');
      if (descriptor !== undefined && typeof descriptor.value === 'function' &&
          builtInNames.has(descriptor.value.name)) {
        return;
      }
    }
    if (level === 0) {
      seen = new SafeSet();
    } else {
      for (let i = 0; i < keys.length; i++) seen.add(keys[i]);
    }
    keys = ReflectOwnKeys(current);
    ArrayPrototypePush(ctx.seen, object);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      if (key === 'constructor' || ObjectPrototypeHasOwnProperty(object, key) || seen.has(key)) continue;
      const descriptor = ObjectGetOwnPropertyDescriptor(current, key);
      if (typeof descriptor.value === 'function') continue;
      const text = valueFormat.formatProperty(ctx, current, recurseTimes, key, kObject, descriptor, object);
      ArrayPrototypePush(output, ctx.colors ? `\u001b[2m${text}\u001b[22m` : text);
    }
    ArrayPrototypePop(ctx.seen);
  }
}

// The text before the braces, including a trailing space.
function prefixOf(constructor, tag, fallback, size = '') {
  if (constructor === null) {
    const name = `[${fallback}${size}: null prototype] `;
    return tag !== '' && tag !== fallback ? `${name}[${tag}] ` : name;
  }
  if (tag === '' || tag === constructor) return `${constructor}${size} `;
  // The tag `Temporal.PlainDate` makes the constructor `PlainDate` redundant.
  if (tag.length > constructor.length + 1 && StringPrototypeEndsWith(tag, `.${constructor}`)) return `${tag}${size} `;
  return `${constructor}${size} [${tag}] `;
}

const comments = hardenRegExp(/\/\/.*?\n|\/\*[^]*?\*\//g);
const headWithoutParenthesis = /^\s+[^(]*?\{/;

// The source of a class begins with "class"; so does that of a method named "class". A head with a parenthesis in it
// (`class extends mixin()`) counts as a function, as it does in Node.
function isClassSource(source) {
  if (!StringPrototypeStartsWith(source, 'class') || !StringPrototypeEndsWith(source, '}')) return false;
  const rest = StringPrototypeSlice(source, 5, -1);
  const brace = StringPrototypeIndexOf(rest, '{');
  if (brace === -1) return false;
  if (!StringPrototypeIncludes(StringPrototypeSlice(rest, 0, brace), '(')) return true;
  return RegExpPrototypeExec(headWithoutParenthesis, RegExpPrototypeSymbolReplace(comments, rest, '')) !== null;
}

function classBase(value, constructor, tag) {
  const ownName = ObjectPrototypeHasOwnProperty(value, 'name') && value.name;
  let base = `class ${ownName || '(anonymous)'}`;
  if (constructor !== 'Function' && constructor !== null) base += ` [${constructor}]`;
  if (tag !== '' && constructor !== tag) base += ` [${tag}]`;
  if (constructor === null) return `[${base} extends [null prototype]]`;
  const superName = ObjectGetPrototypeOf(value).name;
  return superName ? `[${base} extends ${superName}]` : `[${base}]`;
}

function functionBase(ctx, value, constructor, tag) {
  if (isClassSource(FunctionPrototypeToString(value))) return classBase(value, constructor, tag);
  let type = 'Function';
  if (isGeneratorFunction(value)) type = `Generator${type}`;
  if (isAsyncFunction(value)) type = `Async${type}`;
  let base = `[${type}`;
  if (constructor === null) base += ' (null prototype)';
  const { name } = value;
  if (name === '') base += ' (anonymous)]';
  else if (typeof name === 'string') base += `: ${name}]`;
  else base += `: ${require('internal/util/inspect/value').formatValue(ctx, name, 0)}]`;
  if (constructor !== type && constructor !== null) base += ` ${constructor}`;
  if (tag !== '' && constructor !== tag) base += ` [${tag}]`;
  return base;
}

exports.builtInNames = builtInNames;
exports.constructorName = constructorName;
exports.prefixOf = prefixOf;
exports.functionBase = functionBase;
