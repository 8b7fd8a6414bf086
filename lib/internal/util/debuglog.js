'use strict';

// Debug messages of lib: NODE_DEBUG=http,net enables the loggers with these names, which print to stderr. A disabled
// logger costs one call.

const {
  ObjectDefineProperty,
  ReflectApply,
  RegExp,
  RegExpPrototypeExec,
  RegExpPrototypeSymbolReplace,
  SafeArrayIterator,
  SafeMap,
  StringPrototypeSplit,
  StringPrototypeToLowerCase,
  StringPrototypeToUpperCase,
  hardenRegExp,
} = primordials;

const { format, formatWithOptions, inspect } = require('internal/util/inspect');

// The sections that NODE_DEBUG named when the program started, as one pattern.
let wanted = null;
const writers = new SafeMap();

const meta = hardenRegExp(/[|\\{}()[\]^$+?.]/g);
const star = hardenRegExp(/\*/g);

function initializeDebugEnv(names) {
  wanted = null;
  if (!names) return;
  const parts = StringPrototypeSplit(RegExpPrototypeSymbolReplace(meta, names, '\\$&'), ',');
  let pattern = '';
  for (let i = 0; i < parts.length; i++) {
    pattern += `${i === 0 ? '' : '|'}^${RegExpPrototypeSymbolReplace(star, parts[i], '.*')}$`;
  }
  wanted = new RegExp(pattern, 'i');
}

function isEnabled(section) {
  return wanted !== null && RegExpPrototypeExec(wanted, section) !== null;
}

// Warns that logs of HTTP may contain secrets.
function warnAboutSecrets(section) {
  if (section !== 'HTTP' && section !== 'HTTP2') return;
  process.emitWarning(`Setting the NODE_DEBUG environment variable to '${StringPrototypeToLowerCase(section)}' ` +
    'can expose sensitive data (such as passwords, tokens and authentication headers) in the resulting log.');
}

function silent() {}

function writerFor(section) {
  let writer = writers.get(section);
  if (writer !== undefined) return writer;
  if (isEnabled(section)) {
    warnAboutSecrets(section);
    writer = function debug(...args) {
      const colors = require('internal/util/colors').shouldColorize(process.stderr);
      const message = formatWithOptions({ colors }, ...new SafeArrayIterator(args));
      process.stderr.write(format('%s %s: %s\n', section, inspect(process.pid, { colors }), message));
    };
  } else {
    writer = silent;
  }
  writers.set(section, writer);
  return writer;
}

function defineEnabled(logger, get) {
  ObjectDefineProperty(logger, 'enabled', { __proto__: null, get, configurable: true, enumerable: true });
}

// `onReady` is called at the first message, with the function to use from then on.
function debuglog(section, onReady) {
  let name;
  let writer;
  const nameOf = () => (name ??= StringPrototypeToUpperCase(section));
  let enabled; // Computed on first use.
  const isLogged = () => (enabled ??= isEnabled(nameOf()));
  const logger = function(...args) {
    if (enabled === false) return;
    if (writer === undefined) {
      writer = writerFor(nameOf());
      enabled = isEnabled(nameOf());
      if (typeof onReady === 'function') {
        defineEnabled(writer, isLogged);
        onReady(writer);
      }
    }
    switch (args.length) {
      case 0: return writer();
      case 1: return writer(args[0]);
      case 2: return writer(args[0], args[1]);
      default: return ReflectApply(writer, undefined, args);
    }
  };
  ObjectDefineProperty(logger, 'name', { __proto__: null, value: 'logger', configurable: true });
  defineEnabled(logger, isLogged);
  return logger;
}

module.exports = { debuglog, initializeDebugEnv };
