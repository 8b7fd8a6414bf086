'use strict';

// Decides how an object is shown: its braces, the prefix before them, and the function that formats its entries; or the
// whole text, if there are no entries.

const {
  MapPrototypeGetSize,
  NumberPrototypeToString,
  ObjectPrototypeHasOwnProperty,
  ObjectSetPrototypeOf,
  SetPrototypeGetSize,
  SymbolToStringTag,
  TypedArrayPrototypeGetLength,
  TypedArrayPrototypeGetSymbolToStringTag,
} = primordials;

const binding = internalBinding('util');
const { formatNumber } = require('internal/util/inspect/primitives');
const { kArrayLike, kObject } = require('internal/util/inspect/layout');
const {
  kArguments, kArray, kArrayBuffer, kBoxedPrimitive, kDataView, kDate, kExternal, kFunction, kMap, kMapIterator,
  kModuleNamespace, kPromise, kRegExp, kSet, kSetIterator, kSharedArrayBuffer, kTypedArray, kWeakMap, kWeakSet,
} = require('internal/util/inspect/kinds');
const { isTooDeep } = require('internal/util/inspect/context');
const { functionBase, prefixOf } = require('internal/util/inspect/names');
const { formatError, isErrorLike } = require('internal/util/inspect/errors');
const entries = require('internal/util/inspect/entries');
const simple = require('internal/util/inspect/simple');

// `.buffer` is last, as the only one that is not a number.
const typedArrayDetails = ['BYTES_PER_ELEMENT', 'length', 'byteLength', 'byteOffset', 'buffer'];
const dataViewDetails = ['byteLength', 'byteOffset', 'buffer'];
const bufferDetails = ['byteLength'];

class Shape {
  constructor(name, tag, keys, inherited) {
    this.name = name; // The constructor's; null without a prototype.
    this.tag = tag;
    this.keys = keys; // Own properties still to be shown after the entries.
    this.details = undefined; // Names of getters whose values are shown before the own properties.
    this.inherited = inherited; // Formatted properties of prototypes, or undefined.
    this.base = '';
    this.open = '{';
    this.close = '}';
    this.type = kObject;
    this.formatEntries = entries.formatNothing;
    this.text = undefined; // The whole text, if there is nothing else to show.
  }

  get isBare() {
    return this.keys.length === 0 && this.inherited === undefined;
  }

  prefix(fallback, size) {
    return prefixOf(this.name, this.tag, fallback, size);
  }
}
// No prototype: assignments to properties must not call a setter that a program has put on Object.prototype.
ObjectSetPrototypeOf(Shape.prototype, null);

// The class of an object whose prototype was removed, as the engine remembers it. A name that the engine took from the
// object's own tag is ignored.
function nameWithoutPrototype(value, shape) {
  if (shape.name !== null) return 'Object';
  const name = binding.getConstructorName(value);
  return name === shape.tag && ObjectPrototypeHasOwnProperty(value, SymbolToStringTag) ? 'Object' : name;
}

function asBraces(shape, prefix, formatEntries) {
  shape.open = `${prefix}{`;
  shape.formatEntries = formatEntries;
}

function asBrackets(shape, prefix, formatEntries) {
  shape.open = `${prefix}[`;
  shape.close = ']';
  shape.type = kArrayLike;
  shape.formatEntries = formatEntries;
}

// The kinds with entries of their own. Answers false for values that only happen to have an iterator.
function describeIterable(shape, ctx, value, kind) {
  let size;
  switch (kind) {
    case kArray:
      size = value.length;
      asBrackets(shape, shape.name !== 'Array' || shape.tag !== '' ? shape.prefix('Array', `(${size})`) : '',
        entries.formatArray);
      break;
    case kSet:
      size = SetPrototypeGetSize(value);
      asBraces(shape, shape.prefix('Set', `(${size})`), entries.formatSet);
      break;
    case kMap:
      size = MapPrototypeGetSize(value);
      asBraces(shape, shape.prefix('Map', `(${size})`), entries.formatMap);
      break;
    case kTypedArray: {
      size = TypedArrayPrototypeGetLength(value);
      const fallback = shape.name === null ? TypedArrayPrototypeGetSymbolToStringTag(value) : '';
      asBrackets(shape, shape.prefix(fallback, `(${size})`), entries.formatTypedArray);
      if (ctx.showHidden) {
        shape.details = typedArrayDetails;
        return true;
      }
      break;
    }
    case kMapIterator:
    case kSetIterator: {
      const type = kind === kMapIterator ? 'Map Iterator' : 'Set Iterator';
      const tag = shape.tag === type || shape.tag === '' ? type : `${shape.tag}] [${type}`;
      asBraces(shape, `[${tag}] `, entries.formatIterator);
      return true;
    }
    default:
      return false;
  }
  if (size === 0 && shape.isBare) shape.text = shape.open + shape.close;
  return true;
}

function describeArrayBuffer(shape, ctx, value, kind, inTypedArray) {
  const prefix = shape.prefix(kind === kArrayBuffer ? 'ArrayBuffer' : 'SharedArrayBuffer');
  if (!inTypedArray) {
    asBraces(shape, prefix, entries.formatArrayBuffer);
  } else if (shape.isBare) {
    // The array has shown the contents.
    shape.text = `${prefix}{ [byteLength]: ${formatNumber(ctx.stylize, value.byteLength, false)} }`;
  } else {
    shape.open = `${prefix}{`;
  }
  shape.details = bufferDetails;
}

function describeOther(shape, ctx, value, kind, recurseTimes, inTypedArray) {
  if (kind === kFunction) {
    shape.base = functionBase(ctx, value, shape.name, shape.tag);
    if (shape.isBare) shape.text = ctx.stylize(shape.base, 'special');
    return;
  }
  if (shape.name === 'Object') {
    if (kind === kArguments) shape.open = '[Arguments] {';
    else if (shape.tag !== '') shape.open = `${shape.prefix('Object')}{`;
    if (shape.isBare) shape.text = `${shape.open}}`;
    return;
  }
  if (isErrorLike(value, kind)) {
    shape.base = formatError(value, shape.name, shape.tag, ctx, shape.keys);
    if (shape.isBare) shape.text = shape.base;
    return;
  }
  switch (kind) {
    case kRegExp:
      shape.base = ctx.stylize(simple.regExpBase(value, shape), 'regexp');
      if (shape.isBare || isTooDeep(ctx, recurseTimes)) shape.text = shape.base;
      return;
    case kDate:
      shape.base = simple.dateBase(value, shape);
      if (shape.isBare) shape.text = ctx.stylize(shape.base, 'date');
      return;
    case kArrayBuffer:
    case kSharedArrayBuffer:
      return describeArrayBuffer(shape, ctx, value, kind, inTypedArray);
    case kDataView:
      shape.open = `${shape.prefix('DataView')}{`;
      shape.details = dataViewDetails;
      return;
    case kPromise:
      return asBraces(shape, shape.prefix('Promise'), entries.formatPromise);
    case kWeakSet:
      return asBraces(shape, shape.prefix('WeakSet'), ctx.showHidden ? entries.formatWeakSet : entries.formatUnknown);
    case kWeakMap:
      return asBraces(shape, shape.prefix('WeakMap'), ctx.showHidden ? entries.formatWeakMap : entries.formatUnknown);
    case kModuleNamespace:
      return asBraces(shape, shape.prefix('Module'), entries.formatNamespace);
    case kBoxedPrimitive:
      shape.base = simple.boxedBase(value, ctx, shape);
      if (shape.isBare) shape.text = shape.base;
      return;
  }
  // A URL inspects itself; where that is not wanted, it is still more than an empty object.
  if (!ctx.customInspect && !isTooDeep(ctx, recurseTimes) && require('internal/url').isURL(value)) {
    shape.base = value.href;
    if (shape.isBare) shape.text = shape.base;
    return;
  }
  shape.open = `${shape.prefix(nameWithoutPrototype(value, shape))}{`;
  if (!shape.isBare) return;
  shape.text = kind === kExternal ?
    ctx.stylize(`[External: ${NumberPrototypeToString(binding.getExternalValue(value), 16)}]`, 'special') :
    `${shape.open}}`;
}

exports.Shape = Shape;
exports.describeIterable = describeIterable;
exports.describeOther = describeOther;
exports.nameWithoutPrototype = nameWithoutPrototype;
