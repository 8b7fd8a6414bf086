'use strict';

// URLSearchParams: a list of alternating names and values, which may belong to a URL.

const {
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  ArrayPrototypeSort,
  ArrayPrototypeSplice,
  FunctionPrototypeCall,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectGetPrototypeOf,
  ObjectSetPrototypeOf,
  ReflectGetOwnPropertyDescriptor,
  ReflectOwnKeys,
  StringPrototypeCharCodeAt,
  StringPrototypeIncludes,
  StringPrototypeSlice,
  SymbolIterator,
  SymbolToStringTag,
} = primordials;

const {
  codes: {
    ERR_ARG_NOT_ITERABLE,
    ERR_INVALID_THIS,
    ERR_INVALID_TUPLE,
    ERR_MISSING_ARGS,
  },
} = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { customInspectSymbol, kEnumerableProperty } = require('internal/util');
const { parseForm, serializeForm, toUSVString } = require('internal/url/encode');

let isParams;
let listOf;
let makeParamsOf;
let replaceList;

class URLSearchParams {
  #list = [];
  // Called with the new query after each change. Null if there is no URL.
  #onChange = null;

  constructor(init = undefined) {
    if (init === undefined) return;
    if ((typeof init === 'object' && init !== null) || typeof init === 'function') {
      if (isParams(init) && init[SymbolIterator] === URLSearchParams.prototype[SymbolIterator]) {
        this.#list = ArrayPrototypeSlice(init.#list);
        return;
      }
      const method = init[SymbolIterator];
      if (method !== null && method !== undefined) {
        if (typeof method !== 'function') throw new ERR_ARG_NOT_ITERABLE('Query pairs');
        readPairs(this.#list, init, method);
      } else {
        readRecord(this.#list, init);
      }
      return;
    }
    const text = toUSVString(init);
    this.#list = parseForm(StringPrototypeCharCodeAt(text, 0) === 63 ? StringPrototypeSlice(text, 1) : text);
  }

  static {
    isParams = (value) => typeof value === 'object' && value !== null && #list in value;
    listOf = (params) => params.#list;
    makeParamsOf = (query, onChange) => {
      const params = new URLSearchParams();
      params.#list = parseForm(query);
      params.#onChange = onChange;
      return params;
    };
    replaceList = (params, query) => {
      params.#list = parseForm(query);
    };
  }

  #changed() {
    if (this.#onChange !== null) this.#onChange(serializeForm(this.#list));
  }

  get size() {
    if (!isParams(this)) throw new ERR_INVALID_THIS('URLSearchParams');
    return this.#list.length / 2;
  }

  append(name, value) {
    if (!isParams(this)) throw new ERR_INVALID_THIS('URLSearchParams');
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('name', 'value');
    name = toUSVString(name);
    value = toUSVString(value);
    ArrayPrototypePush(this.#list, name, value);
    this.#changed();
  }

  delete(name, value = undefined) {
    if (!isParams(this)) throw new ERR_INVALID_THIS('URLSearchParams');
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    const list = this.#list;
    name = toUSVString(name);
    const any = value === undefined;
    if (!any) value = toUSVString(value);
    for (let i = 0; i < list.length;) {
      if (list[i] === name && (any || list[i + 1] === value)) ArrayPrototypeSplice(list, i, 2);
      else i += 2;
    }
    this.#changed();
  }

  get(name) {
    if (!isParams(this)) throw new ERR_INVALID_THIS('URLSearchParams');
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    const list = this.#list;
    name = toUSVString(name);
    for (let i = 0; i < list.length; i += 2) if (list[i] === name) return list[i + 1];
    return null;
  }

  getAll(name) {
    if (!isParams(this)) throw new ERR_INVALID_THIS('URLSearchParams');
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    const list = this.#list;
    const values = [];
    name = toUSVString(name);
    for (let i = 0; i < list.length; i += 2) if (list[i] === name) values[values.length] = list[i + 1];
    return values;
  }

  has(name, value = undefined) {
    if (!isParams(this)) throw new ERR_INVALID_THIS('URLSearchParams');
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    const list = this.#list;
    name = toUSVString(name);
    const any = value === undefined;
    if (!any) value = toUSVString(value);
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] === name && (any || list[i + 1] === value)) return true;
    }
    return false;
  }

  set(name, value) {
    if (!isParams(this)) throw new ERR_INVALID_THIS('URLSearchParams');
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('name', 'value');
    const list = this.#list;
    name = toUSVString(name);
    value = toUSVString(value);
    let found = false;
    for (let i = 0; i < list.length;) {
      if (list[i] !== name) {
        i += 2;
      } else if (found) {
        ArrayPrototypeSplice(list, i, 2);
      } else {
        list[i + 1] = value;
        found = true;
        i += 2;
      }
    }
    if (!found) ArrayPrototypePush(list, name, value);
    this.#changed();
  }

  sort() {
    if (!isParams(this)) throw new ERR_INVALID_THIS('URLSearchParams');
    const list = this.#list;
    const pairs = [];
    for (let i = 0; i < list.length; i += 2) pairs[i / 2] = [list[i], list[i + 1]];
    ArrayPrototypeSort(pairs, compareNames);
    for (let i = 0; i < pairs.length; ++i) {
      list[2 * i] = pairs[i][0];
      list[2 * i + 1] = pairs[i][1];
    }
    this.#changed();
  }

  entries() {
    if (!isParams(this)) throw new ERR_INVALID_THIS('URLSearchParams');
    return new URLSearchParamsIterator(this, 'key+value');
  }

  forEach(callback, thisArg = undefined) {
    if (!isParams(this)) throw new ERR_INVALID_THIS('URLSearchParams');
    validateFunction(callback, 'callback');
    // The callback may change or replace the list.
    for (let i = 0; i < this.#list.length; i += 2) {
      FunctionPrototypeCall(callback, thisArg, this.#list[i + 1], this.#list[i], this);
    }
  }

  keys() {
    if (!isParams(this)) throw new ERR_INVALID_THIS('URLSearchParams');
    return new URLSearchParamsIterator(this, 'key');
  }

  values() {
    if (!isParams(this)) throw new ERR_INVALID_THIS('URLSearchParams');
    return new URLSearchParamsIterator(this, 'value');
  }

  toString() {
    if (!isParams(this)) throw new ERR_INVALID_THIS('URLSearchParams');
    return serializeForm(this.#list);
  }

  [customInspectSymbol](depth, ctx) {
    if (!isParams(this)) throw new ERR_INVALID_THIS('URLSearchParams');
    if (typeof depth === 'number' && depth < 0) return ctx.stylize('[Object]', 'special');
    const { inspect } = require('internal/util/inspect');
    const list = this.#list;
    const output = [];
    for (let i = 0; i < list.length; i += 2) {
      output[i / 2] = `${inspect(list[i], ctx)} => ${inspect(list[i + 1], ctx)}`;
    }
    return layOut('URLSearchParams {', output, '}', ctx);
  }
}

function compareNames(a, b) {
  if (a[0] === b[0]) return 0;
  return a[0] < b[0] ? -1 : 1;
}

// One line if it fits, otherwise one line per item.
function layOut(head, output, empty, ctx) {
  if (output.length === 0) return `${head}${empty}`;
  const { removeColors } = require('internal/util');
  let length = 0;
  for (let i = 0; i < output.length; ++i) length += removeColors(output[i]).length + 2;
  if (length - 2 > ctx.breakLength) return `${head}\n  ${ArrayPrototypeJoin(output, ',\n  ')} }`;
  // Text of several lines, such as a nested array, does not fit either.
  const joined = ArrayPrototypeJoin(output, ', ');
  if (StringPrototypeIncludes(joined, '\n')) return `${head}\n  ${ArrayPrototypeJoin(output, ',\n  ')} }`;
  return `${head} ${joined} }`;
}

function readPairs(list, init, method) {
  const iterator = FunctionPrototypeCall(method, init);
  for (const pair of { __proto__: null, [SymbolIterator]: () => iterator }) {
    const fits = pair !== null && pair !== undefined && (typeof pair === 'object' || typeof pair === 'function') &&
                 typeof pair[SymbolIterator] === 'function';
    if (!fits) throw new ERR_INVALID_TUPLE('Each query pair', '[name, value]');
    let count = 0;
    for (const element of pair) {
      if (++count > 2) break;
      list[list.length] = toUSVString(element);
    }
    if (count !== 2) throw new ERR_INVALID_TUPLE('Each query pair', '[name, value]');
  }
}

function readRecord(list, init) {
  const keys = ReflectOwnKeys(init);
  for (let i = 0; i < keys.length; ++i) {
    const key = keys[i];
    const descriptor = ReflectGetOwnPropertyDescriptor(init, key);
    if (descriptor === undefined || !descriptor.enumerable) continue;
    const name = toUSVString(key);
    const value = toUSVString(init[key]);
    // Names that differ only in lone surrogates are equal once converted.
    let at = 0;
    while (at < list.length && list[at] !== name) at += 2;
    list[at] = name;
    list[at + 1] = value;
  }
}

const IteratorPrototype = ObjectGetPrototypeOf(ObjectGetPrototypeOf([][SymbolIterator]()));

class URLSearchParamsIterator {
  #params;
  #kind;
  #index = 0;

  constructor(params, kind) {
    this.#params = params;
    this.#kind = kind;
  }

  next() {
    if (typeof this !== 'object' || this === null || !(#params in this)) {
      throw new ERR_INVALID_THIS('URLSearchParamsIterator');
    }
    const list = listOf(this.#params);
    const index = this.#index;
    if (index >= list.length) return { done: true, value: undefined };
    this.#index += 2;
    return { done: false, value: this.#valueAt(list, index) };
  }

  #valueAt(list, index) {
    if (this.#kind === 'key') return list[index];
    if (this.#kind === 'value') return list[index + 1];
    return [list[index], list[index + 1]];
  }

  [customInspectSymbol](depth, ctx) {
    if (!(#params in this)) throw new ERR_INVALID_THIS('URLSearchParamsIterator');
    if (typeof depth === 'number' && depth < 0) return ctx.stylize('[Object]', 'special');
    const { inspect } = require('internal/util/inspect');
    const options = { ...ctx };
    if (typeof depth === 'number') options.depth = depth - 1;
    const list = listOf(this.#params);
    const output = [];
    for (let i = this.#index; i < list.length; i += 2) {
      ArrayPrototypePush(output, inspect(this.#valueAt(list, i), options));
    }
    return layOut('URLSearchParams Iterator {', output, '  }', ctx);
  }
}

// Programs cannot construct iterators.
delete URLSearchParamsIterator.prototype.constructor;
ObjectSetPrototypeOf(URLSearchParamsIterator.prototype, IteratorPrototype);

function tag(value) {
  return { __proto__: null, configurable: true, value };
}

ObjectDefineProperties(URLSearchParamsIterator.prototype, {
  [SymbolToStringTag]: tag('URLSearchParams Iterator'),
  next: kEnumerableProperty,
});

ObjectDefineProperties(URLSearchParams.prototype, {
  size: kEnumerableProperty,
  append: kEnumerableProperty,
  delete: kEnumerableProperty,
  get: kEnumerableProperty,
  getAll: kEnumerableProperty,
  has: kEnumerableProperty,
  set: kEnumerableProperty,
  sort: kEnumerableProperty,
  entries: kEnumerableProperty,
  forEach: kEnumerableProperty,
  keys: kEnumerableProperty,
  values: kEnumerableProperty,
  toString: kEnumerableProperty,
  [SymbolToStringTag]: tag('URLSearchParams'),
});
ObjectDefineProperty(URLSearchParams.prototype, SymbolIterator, {
  __proto__: null,
  configurable: true,
  writable: true,
  value: URLSearchParams.prototype.entries,
});

module.exports = { URLSearchParams, isParams, makeParamsOf, replaceList };
