'use strict';

// The signals of Linux, by name. The order is the one in which os.constants.signals lists them.

const {
  ObjectFreeze,
  ObjectKeys,
  ObjectPrototypeHasOwnProperty,
  SafeArrayIterator,
  StringPrototypeToUpperCase,
} = primordials;

const signals = ObjectFreeze({
  __proto__: null,
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGIOT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGCHLD: 17,
  SIGSTKFLT: 16,
  SIGCONT: 18,
  SIGSTOP: 19,
  SIGTSTP: 20,
  SIGTTIN: 21,
  SIGTTOU: 22,
  SIGURG: 23,
  SIGXCPU: 24,
  SIGXFSZ: 25,
  SIGVTALRM: 26,
  SIGPROF: 27,
  SIGWINCH: 28,
  SIGIO: 29,
  SIGPOLL: 29,
  SIGPWR: 30,
  SIGSYS: 31,
});

// Number to name; where a number has two names, the last of the table is meant, as in Node.
const names = { __proto__: null };
for (const name of new SafeArrayIterator(ObjectKeys(signals))) names[signals[name]] = name;

// The number of a signal given by name (in any case) or by number; undefined if there is no such signal.
function signalNumber(signal) {
  if (typeof signal === 'number') return names[signal] !== undefined ? signal : undefined;
  if (typeof signal !== 'string') return undefined;
  const upper = StringPrototypeToUpperCase(signal);
  return ObjectPrototypeHasOwnProperty(signals, upper) ? signals[upper] : undefined;
}

module.exports = { names, signalNumber, signals };
