'use strict';

// The colours that inspect() knows, the styles that it gives to kinds of values, and the two functions that put one
// into practice. Users may change both tables (util.inspect.styles.number = 'red'), so nothing here is cached.

const { ObjectCreate, ObjectDefineProperty } = primordials;

const colors = ObjectCreate(null);
const styles = ObjectCreate(null);

// Loaded when first used: most programs print no regular expression in colour. The palette is the user's to change.
function highlightRegExp(text) {
  return require('internal/util/inspect/regexp').highlightRegExp(text, highlightRegExp.colors);
}
highlightRegExp.colors = ['green', 'red', 'yellow', 'cyan', 'magenta'];

const kForeground = 39;
const kBackground = 49;

function define(names, first, close, step = 1) {
  for (let i = 0; i < names.length; i++) colors[names[i]] = [first + i * step, close];
}

function alias(target, names) {
  for (let i = 0; i < names.length; i++) {
    ObjectDefineProperty(colors, names[i], {
      __proto__: null,
      get() { return this[target]; },
      set(value) { this[target] = value; },
      configurable: true,
      enumerable: false,
    });
  }
}

// The order is the order in which a user sees them listed.
colors.reset = [0, 0];
colors.bold = [1, 22];
colors.dim = [2, 22];
colors.italic = [3, 23];
colors.underline = [4, 24];
colors.blink = [5, 25];
colors.inverse = [7, 27];
colors.hidden = [8, 28];
colors.strikethrough = [9, 29];
colors.doubleunderline = [21, 24];
define(['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'], 30, kForeground);
define(['bgBlack', 'bgRed', 'bgGreen', 'bgYellow', 'bgBlue', 'bgMagenta', 'bgCyan', 'bgWhite'], 40, kBackground);
colors.framed = [51, 54];
colors.overlined = [53, 55];
define(['gray', 'redBright', 'greenBright', 'yellowBright', 'blueBright', 'magentaBright', 'cyanBright', 'whiteBright'],
  90, kForeground);
define(['bgGray', 'bgRedBright', 'bgGreenBright', 'bgYellowBright', 'bgBlueBright', 'bgMagentaBright', 'bgCyanBright',
  'bgWhiteBright'], 100, kBackground);
alias('gray', ['grey', 'blackBright']);
alias('bgGray', ['bgGrey', 'bgBlackBright']);
alias('dim', ['faint']);
alias('strikethrough', ['crossedout', 'strikeThrough', 'crossedOut']);
alias('hidden', ['conceal']);
alias('inverse', ['swapColors', 'swapcolors']);
alias('doubleunderline', ['doubleUnderline']);

styles.special = 'cyan';
styles.number = 'yellow';
styles.bigint = 'yellow';
styles.boolean = 'yellow';
styles.undefined = 'grey';
styles.null = 'bold';
styles.string = 'green';
styles.symbol = 'green';
styles.date = 'magenta';
styles.regexp = highlightRegExp;
styles.module = 'underline';

function stylizeWithColor(text, style) {
  const name = styles[style];
  if (name === undefined) return text;
  if (typeof name === 'function') return name(text);
  const codes = colors[name];
  if (codes === undefined) return text;
  return `\u001b[${codes[0]}m${text}\u001b[${codes[1]}m`;
}

function stylizeNoColor(text) {
  return text;
}

exports.colors = colors;
exports.styles = styles;
exports.stylizeWithColor = stylizeWithColor;
exports.stylizeNoColor = stylizeNoColor;
