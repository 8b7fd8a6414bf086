'use strict';

// The class Console: formats and indents messages, and writes them to two streams.

const {
  ArrayPrototypeUnshift,
  ErrorCaptureStackTrace,
  FunctionPrototypeBind,
  MapPrototypeForEach,
  MapPrototypeGet,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectKeys,
  ReflectApply,
  ReflectConstruct,
  SafeArrayIterator,
  SafeMap,
  SafeWeakMap,
  StringPrototypeIncludes,
  StringPrototypeRepeat,
  StringPrototypeReplaceAll,
  StringPrototypeSlice,
  Symbol,
  SymbolHasInstance,
  SymbolToStringTag,
} = primordials;

const {
  codes: { ERR_CONSOLE_WRITABLE_STREAM, ERR_INCOMPATIBLE_OPTION_PAIR },
} = require('internal/errors');
const { validateArray, validateInteger, validateObject, validateOneOf } = require('internal/validators');
const { channel } = require('diagnostics_channel');
const { isMap } = require('internal/util/types');
const { formatArguments, inspect, isStackOverflow } = require('internal/util/inspect');
const { shouldColorize } = require('internal/util/colors');
const { writeLine, writesAtOnce } = require('internal/process/std_writer');

const kColorMode = Symbol('kColorMode');
const kCounts = Symbol('counts');
const kGroupIndent = Symbol('kGroupIndent');
const kGroupIndentWidth = Symbol('kGroupIndentWidth');
const kIsConsole = Symbol('kIsConsole');
const kBindStreamsLazy = Symbol('kBindStreamsLazy');
const kBindProperties = Symbol('kBindProperties');

const onLog = channel('console.log');
const onInfo = channel('console.info');
const onDebug = channel('console.debug');
const onWarn = channel('console.warn');
const onError = channel('console.error');

const kDefaultIndentation = 2;
const kMostIndentation = 1000;

const kColorOptions = { colors: true };
const kNoColorOptions = {};

// The inspectOptions of consoles that have their own.
const inspectOptionsOf = new SafeWeakMap();

function ignore() {}

// Ignores the 'error' event of a failed write if the stream has no listener, which would otherwise end the process.
function makeErrorHandler(getStream) {
  return (error) => {
    if (error === null || error === undefined) return;
    const stream = getStream();
    if (!stream._writableState?.errorEmitted && stream.listenerCount('error') === 0) stream.once('error', ignore);
  };
}

function hidden(value) {
  return { __proto__: null, value, writable: true, enumerable: false, configurable: true };
}

function isWritable(stream) {
  return stream !== null && stream !== undefined && typeof stream.write === 'function';
}

// Stores inspectOptions: an object for both streams, or a Map with one object per stream.
function takeInspectOptions(self, inspectOptions, { stdout, stderr = stdout, colorMode }) {
  validateObject(inspectOptions, 'options.inspectOptions');
  const byStream = isMap(inspectOptions) ?
    inspectOptions : new SafeMap([[stdout, inspectOptions], [stderr, inspectOptions]]);
  MapPrototypeForEach(byStream, (options) => {
    if (options.colors !== undefined && colorMode !== undefined) {
      throw new ERR_INCOMPATIBLE_OPTION_PAIR('options.inspectOptions.color', 'colorMode');
    }
  });
  inspectOptionsOf.set(self, byStream);
}

function Console(options) {
  if (!new.target) return ReflectConstruct(Console, arguments);
  // The first argument may be a stream instead of options.
  if (!options || typeof options.write === 'function') {
    options = { stdout: options, stderr: arguments[1], ignoreErrors: arguments[2] };
  }
  const {
    stdout,
    stderr = stdout,
    ignoreErrors = true,
    colorMode = 'auto',
    inspectOptions,
    groupIndentation,
  } = options;
  if (!isWritable(stdout)) throw new ERR_CONSOLE_WRITABLE_STREAM('stdout');
  if (!isWritable(stderr)) throw new ERR_CONSOLE_WRITABLE_STREAM('stderr');
  validateOneOf(colorMode, 'colorMode', ['auto', true, false]);
  if (groupIndentation !== undefined) validateInteger(groupIndentation, 'groupIndentation', 0, kMostIndentation);
  if (inspectOptions !== undefined) takeInspectOptions(this, inspectOptions, options);

  // Bind the methods, so that they work without their object: const { log } = new Console(...). A subclass may have
  // replaced some of them.
  const names = ObjectKeys(Console.prototype);
  for (let i = 0; i < names.length; i++) {
    const bound = FunctionPrototypeBind(this[names[i]], this);
    ObjectDefineProperty(bound, 'name', { __proto__: null, value: names[i] });
    this[names[i]] = bound;
  }
  ObjectDefineProperties(this, {
    _stdout: hidden(stdout),
    _stderr: hidden(stderr),
  });
  this[kBindProperties](ignoreErrors, colorMode, groupIndentation);
}

ObjectDefineProperty(Console, SymbolHasInstance, {
  __proto__: null,
  value(instance) { return instance[kIsConsole]; },
});

function defineState(self, ignoreErrors, colorMode, groupIndentation = kDefaultIndentation) {
  ObjectDefineProperties(self, {
    _stdoutErrorHandler: hidden(makeErrorHandler(() => self._stdout)),
    _stderrErrorHandler: hidden(makeErrorHandler(() => self._stderr)),
    _ignoreErrors: hidden(ignoreErrors),
    _times: hidden(new SafeMap()),
    [kCounts]: hidden(new SafeMap()),
    [kColorMode]: hidden(colorMode),
    [kIsConsole]: hidden(true),
    [kGroupIndent]: hidden(''),
    [kGroupIndentWidth]: hidden(groupIndentation),
    [SymbolToStringTag]: { __proto__: null, value: 'console', writable: false, enumerable: false, configurable: true },
  });
}

// Looks up the streams on first use, because process creates its streams only then.
function bindStreamsLazily(self, holder) {
  let stdout;
  let stderr;
  ObjectDefineProperties(self, {
    _stdout: {
      __proto__: null,
      get() { return stdout ??= holder.stdout; },
      set(value) { stdout = value; },
      enumerable: false,
      configurable: true,
    },
    _stderr: {
      __proto__: null,
      get() { return stderr ??= holder.stderr; },
      set(value) { stderr = value; },
      enumerable: false,
      configurable: true,
    },
  });
}

ObjectDefineProperties(Console.prototype, {
  [kBindProperties]: hidden(function(ignoreErrors, colorMode, groupIndentation) {
    defineState(this, ignoreErrors, colorMode, groupIndentation);
  }),
  [kBindStreamsLazy]: hidden(function(holder) {
    bindStreamsLazily(this, holder);
  }),
});

function write(self, stream, errorHandler, text) {
  const indent = self[kGroupIndent];
  if (indent !== '') {
    if (StringPrototypeIncludes(text, '\n')) text = StringPrototypeReplaceAll(text, '\n', `\n${indent}`);
    text = indent + text;
  }
  text += '\n';
  if (self._ignoreErrors === false) return stream.write(text);
  // process.stdout and process.stderr write synchronously, unless the program has replaced their methods.
  if (writesAtOnce(stream)) return writeLine(stream, text);

  // A stream may fail during write() or later. Both errors are ignored; makeErrorHandler() adds the listener for the
  // latter.
  let isGuarded = false;
  if (typeof stream.listenerCount === 'function' && stream.listenerCount('error') === 0) {
    isGuarded = true;
    stream.once('error', ignore);
  }
  try {
    stream.write(text, errorHandler);
  } catch (error) {
    // Report a stack overflow instead of hiding it.
    if (isStackOverflow(error)) throw error;
  } finally {
    if (isGuarded) stream.removeListener('error', ignore);
  }
}

function writeOut(self, text) {
  write(self, self._stdout, self._stdoutErrorHandler, text);
}

function writeError(self, text) {
  write(self, self._stderr, self._stderrErrorHandler, text);
}

function inspectOptionsFor(self, stream) {
  let colors = self[kColorMode];
  if (colors === 'auto') colors = shouldColorize(stream);
  const byStream = inspectOptionsOf.get(self);
  const options = byStream === undefined ? undefined : MapPrototypeGet(byStream, stream);
  if (!options) return colors ? kColorOptions : kNoColorOptions;
  if (options.colors === undefined) options.colors = colors;
  return options;
}

function formatFor(self, stream, args) {
  if (args.length === 1) {
    // Fast path: a single string needs no formatting.
    const only = args[0];
    if (typeof only === 'string') return only;
  }
  return formatArguments(inspectOptionsFor(self, stream), args);
}

function elapsed(self, label, method) {
  const start = self._times.get(label);
  if (start === undefined) {
    process.emitWarning(`No such label '${label}' for console.${method}()`);
    return undefined;
  }
  const duration = process.hrtime(start);
  return require('internal/console/timing').formatDuration(duration[0] * 1000 + duration[1] / 1e6);
}

const methods = {
  log(...args) {
    if (onLog.hasSubscribers) onLog.publish(args);
    writeOut(this, formatFor(this, this._stdout, args));
  },

  info(...args) {
    if (onInfo.hasSubscribers) onInfo.publish(args);
    writeOut(this, formatFor(this, this._stdout, args));
  },

  debug(...args) {
    if (onDebug.hasSubscribers) onDebug.publish(args);
    writeOut(this, formatFor(this, this._stdout, args));
  },

  warn(...args) {
    if (onWarn.hasSubscribers) onWarn.publish(args);
    writeError(this, formatFor(this, this._stderr, args));
  },

  error(...args) {
    if (onError.hasSubscribers) onError.publish(args);
    writeError(this, formatFor(this, this._stderr, args));
  },

  dir(object, options) {
    writeOut(this, inspect(object, { customInspect: false, ...inspectOptionsFor(this, this._stdout), ...options }));
  },

  time(label = 'default') {
    label = `${label}`;
    if (this._times.has(label)) {
      process.emitWarning(`Label '${label}' already exists for console.time()`);
      return;
    }
    this._times.set(label, process.hrtime());
  },

  timeEnd(label = 'default') {
    label = `${label}`;
    const duration = elapsed(this, label, 'timeEnd');
    if (duration === undefined) return;
    this.log('%s: %s', label, duration);
    this._times.delete(label);
  },

  timeLog(label = 'default', ...data) {
    label = `${label}`;
    const duration = elapsed(this, label, 'timeLog');
    if (duration !== undefined) this.log('%s: %s', label, duration, ...new SafeArrayIterator(data));
  },

  trace: function trace(...args) {
    const error = { name: 'Trace', message: formatFor(this, this._stderr, args) };
    ErrorCaptureStackTrace(error, trace);
    this.error(error.stack);
  },

  assert(expression, ...args) {
    if (expression) return;
    if (typeof args[0] === 'string') args[0] = `Assertion failed: ${args[0]}`;
    else ArrayPrototypeUnshift(args, 'Assertion failed');
    ReflectApply(this.warn, this, args);
  },

  // Only on a terminal: other streams have no screen.
  clear() {
    if (this._stdout.isTTY && process.env.TERM !== 'dumb') this._stdout.write('\u001b[1;1H\u001b[0J');
  },

  count(label = 'default') {
    label = `${label}`;
    const count = (this[kCounts].get(label) ?? 0) + 1;
    this[kCounts].set(label, count);
    this.log(`${label}: ${count}`);
  },

  countReset(label = 'default') {
    if (this[kCounts].has(label)) this[kCounts].delete(`${label}`);
    else process.emitWarning(`Count for '${label}' does not exist`);
  },

  group(...data) {
    if (data.length > 0) ReflectApply(this.log, this, data);
    this[kGroupIndent] += StringPrototypeRepeat(' ', this[kGroupIndentWidth]);
  },

  groupEnd() {
    const indent = this[kGroupIndent];
    const rest = indent.length - this[kGroupIndentWidth];
    this[kGroupIndent] = rest > 0 ? StringPrototypeSlice(indent, 0, rest) : '';
  },

  table(tabularData, properties) {
    if (properties !== undefined) validateArray(properties, 'properties');
    if (tabularData === null || typeof tabularData !== 'object') return this.log(tabularData);
    const { formatTable } = require('internal/console/table');
    this.log(formatTable(tabularData, properties, inspectOptionsFor(this, this._stdout)));
  },
};
methods.dirxml = methods.log;
methods.groupCollapsed = methods.group;

const methodNames = ObjectKeys(methods);
for (let i = 0; i < methodNames.length; i++) Console.prototype[methodNames[i]] = methods[methodNames[i]];

exports.Console = Console;
exports.kBindProperties = kBindProperties;
exports.kBindStreamsLazy = kBindStreamsLazy;
