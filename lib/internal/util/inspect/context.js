'use strict';

// The options of inspect(), and the state of one call of it.

const {
  ObjectKeys,
  ObjectPrototypeHasOwnProperty,
  ObjectSeal,
  ObjectSetPrototypeOf,
} = primordials;

const { stylizeNoColor, stylizeWithColor } = require('internal/util/inspect/styles');

// The value of util.inspect.defaultOptions.
const defaultOptions = ObjectSeal({
  showHidden: false,
  depth: 2,
  colors: false,
  customInspect: true,
  showProxy: false,
  maxArrayLength: 100,
  maxStringLength: 10000,
  breakLength: 80,
  compact: 3,
  sorted: false,
  getters: false,
  numericSeparator: false,
});

class Context {
  constructor() {
    this.stylize = stylizeNoColor;
    this.showHidden = defaultOptions.showHidden;
    this.depth = defaultOptions.depth;
    this.colors = defaultOptions.colors;
    this.customInspect = defaultOptions.customInspect;
    this.showProxy = defaultOptions.showProxy;
    this.maxArrayLength = defaultOptions.maxArrayLength;
    this.maxStringLength = defaultOptions.maxStringLength;
    this.breakLength = defaultOptions.breakLength;
    this.compact = defaultOptions.compact;
    this.sorted = defaultOptions.sorted;
    this.getters = defaultOptions.getters;
    this.numericSeparator = defaultOptions.numericSeparator;
    // Options that inspect() does not know; custom inspection functions get them back.
    this.userOptions = undefined;
    // The objects that are being shown, outermost first, and the numbers of those that contain themselves.
    this.seen = [];
    this.circular = undefined;
    this.indentationLvl = 0;
    this.currentDepth = 0;
    // Length of text produced at each level of indentation.
    this.budget = [];
  }

  take(options) {
    const keys = ObjectKeys(options);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      // Keeps hidden state out of the reach of option names.
      if (key === 'stylize' || ObjectPrototypeHasOwnProperty(defaultOptions, key)) this[key] = options[key];
      else if (this.userOptions === undefined) this.userOptions = options;
    }
  }

  settle() {
    if (this.colors) this.stylize = stylizeWithColor;
    if (this.maxArrayLength === null) this.maxArrayLength = Infinity;
    if (this.maxStringLength === null) this.maxStringLength = Infinity;
  }
}

// The options as a custom inspection function gets them. Code of another realm, or behind a proxy, gets an object
// through which it cannot reach ours.
function userOptionsOf(ctx, isForeign) {
  const options = {
    stylize: ctx.stylize,
    showHidden: ctx.showHidden,
    depth: ctx.depth,
    colors: ctx.colors,
    customInspect: ctx.customInspect,
    showProxy: ctx.showProxy,
    maxArrayLength: ctx.maxArrayLength,
    maxStringLength: ctx.maxStringLength,
    breakLength: ctx.breakLength,
    compact: ctx.compact,
    sorted: ctx.sorted,
    getters: ctx.getters,
    numericSeparator: ctx.numericSeparator,
    ...ctx.userOptions,
  };
  if (!isForeign) return options;
  ObjectSetPrototypeOf(options, null);
  const keys = ObjectKeys(options);
  for (let i = 0; i < keys.length; i++) {
    const value = options[keys[i]];
    if ((typeof value === 'object' || typeof value === 'function') && value !== null) delete options[keys[i]];
  }
  options.stylize = ObjectSetPrototypeOf((text, style) => {
    let styled;
    try {
      styled = `${ctx.stylize(text, style)}`;
    } catch {
      // The program's function threw: return the text without style.
    }
    return typeof styled === 'string' ? styled : text;
  }, null);
  return options;
}

// Evaluated as late as possible: a depth may be any value, even one that cannot be compared.
function isTooDeep(ctx, recurseTimes) {
  return ctx.depth !== null && recurseTimes > ctx.depth;
}

exports.Context = Context;
exports.defaultOptions = defaultOptions;
exports.isTooDeep = isTooDeep;
exports.userOptionsOf = userOptionsOf;
