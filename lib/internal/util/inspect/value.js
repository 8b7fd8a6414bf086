'use strict';

// The core of inspect(): determines the type of a value, formats its entries with the functions for that type, adds its
// properties, and lays out the result. Other files of this folder call back into this one through its exports.

const {
  ArrayPrototypeIncludes,
  ArrayPrototypePop,
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  ArrayPrototypeSort,
  FunctionPrototypeCall,
  Object,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetOwnPropertyNames,
  ObjectGetOwnPropertySymbols,
  ObjectKeys,
  ObjectPrototypeHasOwnProperty,
  ObjectPrototypePropertyIsEnumerable,
  SafeMap,
  StringPrototypeCharCodeAt,
  StringPrototypeIndexOf,
  StringPrototypeRepeat,
  StringPrototypeReplaceAll,
  StringPrototypeSlice,
  SymbolFor,
  SymbolIterator,
  SymbolPrototypeToString,
  SymbolToStringTag,
} = primordials;

// Export before the requires below: those files require this one in turn.
exports.formatValue = formatValue;
exports.formatProperty = formatProperty;
exports.inspectWith = inspectWith;

const { kindOf } = internalBinding('types');
const binding = internalBinding('util');
const { kArray, kPlain, kProxy, kTypedArray } = require('internal/util/inspect/kinds');
const { escapeName, getStringWidth, quote } = require('internal/util/inspect/text');
const { formatPrimitive } = require('internal/util/inspect/primitives');
const { joinEntries, kArrayElement, kArrayLike, kObject } = require('internal/util/inspect/layout');
const { isTooDeep, userOptionsOf } = require('internal/util/inspect/context');
const { constructorName, prefixOf } = require('internal/util/inspect/names');
const { isStackOverflow } = require('internal/util/inspect/errors');
const { Shape, describeIterable, describeOther, nameWithoutPrototype } = require('internal/util/inspect/shape');
const api = require('internal/util/inspect');

const customInspectSymbol = SymbolFor('nodejs.util.inspect.custom');

// Filters of the binding's getOwnNonIndexProperties.
const kAllProperties = 0;
const kEnumerableOnly = 2;

// Once one level has produced this much text, deeper levels are not shown, because the result could exceed the maximum
// length of a string.
const kMostText = 2 ** 27;

// True if a key needs no quotes. Faster than a regular expression, which would allocate an array for each match.
function isPlainName(key) {
  const length = key.length;
  for (let i = 0; i < length; i++) {
    const code = StringPrototypeCharCodeAt(key, i);
    if (code >= 97 ? code > 122 : code >= 65 ? code > 90 && code !== 95 : code < 48 || code > 57 || i === 0) {
      return false;
    }
  }
  return length !== 0;
}

// With the same options but for some changes, for a value that is shown beside the tree.
function inspectWith(value, ctx, changes) {
  return api.inspect(value, { ...userOptionsOf(ctx, false), ...changes });
}

// `inTypedArray` is true for the buffer of a typed array whose contents were just shown.
function formatValue(ctx, value, recurseTimes, inTypedArray = false) {
  if (value === null) return ctx.stylize('null', 'null');
  if (typeof value !== 'object' && typeof value !== 'function') return formatPrimitive(ctx.stylize, value, ctx);

  let kind = kindOf(value);
  // process.env is a proxy only in this implementation: show its content.
  if (kind === kProxy && value === require('internal/process/env').env) {
    value = { ...value };
    kind = kPlain;
  }
  const shown = value;
  let proxies = 0;
  if (kind === kProxy) {
    if (ctx.showProxy) return formatProxy(ctx, value, recurseTimes);
    // No trap may run, so it is the innermost target that is shown.
    do {
      value = binding.getProxyDetails(value, false);
      if (value === null) return insideProxies(ctx, ctx.stylize('<Revoked Proxy>', 'special'), proxies);
      proxies++;
      kind = kindOf(value);
    } while (kind === kProxy);
  }
  if (ctx.customInspect) {
    const custom = value[customInspectSymbol];
    if (typeof custom === 'function' && custom !== api.inspect) {
      // A prototype only keeps the function for its instances.
      if (ObjectGetOwnPropertyDescriptor(value, 'constructor')?.value?.prototype !== value) {
        const depth = ctx.depth === null ? null : ctx.depth - recurseTimes;
        const isForeign = shown !== value || !(shown instanceof Object);
        const result = FunctionPrototypeCall(custom, shown, depth, userOptionsOf(ctx, isForeign), api.inspect);
        if (result !== shown) return formatCustomResult(ctx, result, recurseTimes);
      }
    }
  }
  if (ArrayPrototypeIncludes(ctx.seen, value)) return formatCircular(ctx, value);
  const text = formatObject(ctx, value, kind, recurseTimes, inTypedArray);
  return proxies === 0 ? text : insideProxies(ctx, text, proxies);
}

function insideProxies(ctx, text, count) {
  for (; count > 0; count--) text = `${ctx.stylize('Proxy(', 'special')}${text}${ctx.stylize(')', 'special')}`;
  return text;
}

function formatCustomResult(ctx, result, recurseTimes) {
  if (typeof result !== 'string') return formatValue(ctx, result, recurseTimes);
  if (ctx.indentationLvl === 0 || StringPrototypeIndexOf(result, '\n') === -1) return result;
  return StringPrototypeReplaceAll(result, '\n', `\n${StringPrototypeRepeat(' ', ctx.indentationLvl)}`);
}

function formatCircular(ctx, value) {
  if (ctx.circular === undefined) ctx.circular = new SafeMap();
  let index = ctx.circular.get(value);
  if (index === undefined) {
    index = ctx.circular.size + 1;
    ctx.circular.set(value, index);
  }
  return ctx.stylize(`[Circular *${index}]`, 'special');
}

function formatProxy(ctx, proxy, recurseTimes) {
  const details = binding.getProxyDetails(proxy, true);
  if (details[0] === null) return ctx.stylize('<Revoked Proxy>', 'special');
  if (isTooDeep(ctx, recurseTimes)) return ctx.stylize('Proxy [Array]', 'special');
  recurseTimes++;
  ctx.indentationLvl += 2;
  const output = [formatValue(ctx, details[0], recurseTimes), formatValue(ctx, details[1], recurseTimes)];
  ctx.indentationLvl -= 2;
  return joinEntries(ctx, output, '', 'Proxy [', ']', kArrayLike, recurseTimes);
}

// Own keys, only the enumerable ones unless showHidden.
function keysOf(value, showHidden) {
  const symbols = ObjectGetOwnPropertySymbols(value);
  let keys;
  if (showHidden) {
    keys = ObjectGetOwnPropertyNames(value);
    for (let i = 0; i < symbols.length; i++) ArrayPrototypePush(keys, symbols[i]);
    return keys;
  }
  try {
    keys = ObjectKeys(value);
  } catch {
    // A module namespace throws as long as one of its bindings is not initialized.
    keys = ObjectGetOwnPropertyNames(value);
  }
  for (let i = 0; i < symbols.length; i++) {
    if (ObjectPrototypePropertyIsEnumerable(value, symbols[i])) ArrayPrototypePush(keys, symbols[i]);
  }
  return keys;
}

// The tag is left out where the property that holds it is listed anyway.
function tagOf(value, showHidden) {
  const tag = value[SymbolToStringTag];
  if (typeof tag !== 'string' || tag === '') return '';
  const isListed = showHidden ? ObjectPrototypeHasOwnProperty(value, SymbolToStringTag) :
    ObjectPrototypePropertyIsEnumerable(value, SymbolToStringTag);
  return isListed ? '' : tag;
}

function formatObject(ctx, value, kind, recurseTimes, inTypedArray) {
  let inherited;
  if (ctx.showHidden && !isTooDeep(ctx, recurseTimes)) inherited = [];
  const name = constructorName(value, ctx, recurseTimes, inherited);
  if (inherited !== undefined && inherited.length === 0) inherited = undefined;

  const isIterable = name === null || SymbolIterator in value;
  const keys = isIterable && (kind === kArray || kind === kTypedArray) ?
    binding.getOwnNonIndexProperties(value, ctx.showHidden ? kAllProperties : kEnumerableOnly) :
    keysOf(value, ctx.showHidden);
  const shape = new Shape(name, tagOf(value, ctx.showHidden), keys, inherited);
  if (!isIterable || !describeIterable(shape, ctx, value, kind)) {
    describeOther(shape, ctx, value, kind, recurseTimes, inTypedArray);
  }
  if (shape.text !== undefined) return shape.text;
  if (isTooDeep(ctx, recurseTimes)) {
    return ctx.stylize(name === null ? shortName(value, shape) : `[${shortName(value, shape)}]`, 'special');
  }
  return formatContents(ctx, value, recurseTimes + 1, shape);
}

function shortName(value, shape) {
  return StringPrototypeSlice(prefixOf(shape.name, shape.tag, nameWithoutPrototype(value, shape)), 0, -1);
}

function formatContents(ctx, value, recurseTimes, shape) {
  const indentation = ctx.indentationLvl;
  ArrayPrototypePush(ctx.seen, value);
  ctx.currentDepth = recurseTimes;
  let output;
  try {
    output = shape.formatEntries(ctx, value, recurseTimes, shape);
    if (shape.details !== undefined) pushDetails(ctx, value, recurseTimes, shape, output);
    const keys = shape.keys;
    for (let i = 0; i < keys.length; i++) {
      ArrayPrototypePush(output, formatProperty(ctx, value, recurseTimes, keys[i], shape.type));
    }
    if (shape.inherited !== undefined) {
      for (let i = 0; i < shape.inherited.length; i++) ArrayPrototypePush(output, shape.inherited[i]);
    }
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    ArrayPrototypePop(ctx.seen);
    ctx.indentationLvl = indentation;
    return ctx.stylize(
      `[${shortName(value, shape)}: Inspection interrupted prematurely. Maximum call stack size exceeded.]`, 'special');
  }
  if (ctx.circular !== undefined) {
    const index = ctx.circular.get(value);
    if (index !== undefined) {
      const reference = ctx.stylize(`<ref *${index}>`, 'special');
      if (ctx.compact === true) shape.open = `${reference} ${shape.open}`;
      else shape.base = shape.base === '' ? reference : `${reference} ${shape.base}`;
    }
  }
  ArrayPrototypePop(ctx.seen);
  if (ctx.sorted) output = sortOutput(ctx, output, shape);
  const text = joinEntries(ctx, output, shape.base, shape.open, shape.close, shape.type, recurseTimes, value);
  countText(ctx, text.length);
  return text;
}

// Adds the values of the getters of buffers and views (byteLength, …), formatted like hidden properties.
function pushDetails(ctx, value, recurseTimes, shape, output) {
  ctx.indentationLvl += 2;
  for (let i = 0; i < shape.details.length; i++) {
    const key = shape.details[i];
    const text = formatValue(ctx, value[key], recurseTimes, shape.type === kArrayLike);
    ArrayPrototypePush(output, `${ctx.stylize(`[${key}]`, 'string')}: ${text}`);
  }
  ctx.indentationLvl -= 2;
}

// The elements of an array stay where they are; only its named properties are sorted.
function sortOutput(ctx, output, shape) {
  const compare = ctx.sorted === true ? undefined : ctx.sorted;
  if (shape.type === kObject) return ArrayPrototypeSort(output, compare);
  const count = shape.keys.length;
  if (count < 2) return output;
  const first = output.length - count;
  const sorted = ArrayPrototypeSort(ArrayPrototypeSlice(output, first), compare);
  for (let i = 0; i < count; i++) output[first + i] = sorted[i];
  return output;
}

function countText(ctx, length) {
  const total = (ctx.budget[ctx.indentationLvl] ?? 0) + length;
  ctx.budget[ctx.indentationLvl] = total;
  if (total > kMostText) ctx.depth = -1;
}

// One property, with its name unless it is an array's element. `descriptor` and `receiver` are given for properties of
// prototypes: getters are called on the inspected object.
function formatProperty(ctx, object, recurseTimes, key, type, descriptor, receiver = object) {
  descriptor = descriptor || ObjectGetOwnPropertyDescriptor(object, key) ||
      { value: object[key], configurable: true, enumerable: true };
  let space = ' ';
  let text;
  if (descriptor.value !== undefined) {
    const indent = ctx.compact === true && type === kObject ? 3 : 2;
    ctx.indentationLvl += indent;
    text = formatValue(ctx, descriptor.value, recurseTimes);
    if (indent === 3 && ctx.breakLength < getStringWidth(text, ctx.colors)) {
      space = `\n${StringPrototypeRepeat(' ', ctx.indentationLvl)}`;
    }
    ctx.indentationLvl -= indent;
  } else if (descriptor.get !== undefined) {
    text = formatGetter(ctx, descriptor, recurseTimes, receiver);
  } else if (descriptor.set !== undefined) {
    text = ctx.stylize('[Setter]', 'special');
  } else {
    text = ctx.stylize('undefined', 'undefined');
  }
  if (type === kArrayElement) return text;
  return `${formatKey(ctx, key, descriptor.enumerable)}:${space}${text}`;
}

function formatKey(ctx, key, isEnumerable) {
  const name = nameOfKey(ctx, key);
  return isEnumerable === false ? `[${name}]` : name;
}

function nameOfKey(ctx, key) {
  if (typeof key === 'symbol') return ctx.stylize(escapeName(SymbolPrototypeToString(key)), 'symbol');
  if (key === '__proto__') return "['__proto__']";
  if (isPlainName(key)) return ctx.stylize(key, 'name');
  return ctx.stylize(quote(key), 'string');
}

function formatGetter(ctx, descriptor, recurseTimes, receiver) {
  const paint = ctx.stylize;
  const hasSetter = descriptor.set !== undefined;
  const label = hasSetter ? 'Getter/Setter' : 'Getter';
  const isWanted = ctx.getters === true || (ctx.getters === 'get' && !hasSetter) ||
    (ctx.getters === 'set' && hasSetter);
  if (!isWanted) return paint(`[${label}]`, 'special');
  let shown;
  ctx.indentationLvl += 2;
  try {
    const value = FunctionPrototypeCall(descriptor.get, receiver);
    if (value !== null && (typeof value === 'object' || typeof value === 'function')) {
      const text = formatValue(ctx, value, recurseTimes);
      ctx.indentationLvl -= 2;
      return `${paint(`[${label}]`, 'special')} ${text}`;
    }
    shown = value === null ? paint('null', 'null') : formatPrimitive(paint, value, ctx);
  } catch (error) {
    shown = `<Inspection threw (${formatValue(ctx, error, recurseTimes)})>`;
  }
  ctx.indentationLvl -= 2;
  return `${paint(`[${label}:`, 'special')} ${shown}${paint(']', 'special')}`;
}
