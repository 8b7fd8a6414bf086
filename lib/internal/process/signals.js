'use strict';
// process.on('SIGTERM', ...): a signal is watched while it has listeners.
const { ObjectFreeze, SafeMap } = primordials;
const binding = internalBinding('signals');
const { bindListener, emit, hooks, listenerOf } = require('internal/async_hooks');
const { kOurs, kWhat } = require('internal/trace/events');

// Linux's signal numbers, which are the same on all supported architectures.
const signals = ObjectFreeze({
  __proto__: null,
  SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGILL: 4, SIGTRAP: 5, SIGABRT: 6, SIGIOT: 6, SIGBUS: 7, SIGFPE: 8,
  SIGKILL: 9, SIGUSR1: 10, SIGSEGV: 11, SIGUSR2: 12, SIGPIPE: 13, SIGALRM: 14, SIGTERM: 15, SIGSTKFLT: 16,
  SIGCHLD: 17, SIGCONT: 18, SIGSTOP: 19, SIGTSTP: 20, SIGTTIN: 21, SIGTTOU: 22, SIGURG: 23, SIGXCPU: 24,
  SIGXFSZ: 25, SIGVTALRM: 26, SIGPROF: 27, SIGWINCH: 28, SIGIO: 29, SIGPOLL: 29, SIGPWR: 30, SIGSYS: 31,
});

const listening = new SafeMap(); // name -> { handle, run }; run() calls the listeners.

function isSignal(event) {
  return typeof event === 'string' && signals[event] !== undefined;
}

function onSignal(name, number) {
  listening.get(name)?.run(name, number);
}

function makeRunner(name) {
  const run = (_, number) => process.emit(name, name, number);
  if (hooks.active) run[kWhat] = name;
  return bindListener('SIGNALWRAP', run, () => listenerOf(process, name), true);
}

function install(target) {
  target.on('newListener', (event, listener) => {
    if (emit.over !== null && (event === 'exit' || event === 'beforeExit')) {
      if (listener[kWhat] !== kOurs) require('internal/trace/record').onProcessListener(event);
    }
    if (!isSignal(event) || listening.has(event)) return;
    const handle = binding.start(signals[event], event);
    if (typeof handle === 'number') {
      const { ErrnoException } = require('internal/errors');
      throw new ErrnoException(handle, 'uv_signal_start');
    }
    listening.set(event, { handle, run: makeRunner(event) });
  });
  target.on('removeListener', (event) => {
    if (!listening.has(event) || target.listenerCount(event) > 0) return;
    listening.get(event).handle.close();
    listening.delete(event);
  });
}

module.exports = { signals, onSignal, install, methods: {} };
