'use strict';
// mock.timers: timers and dates that advance under control of the test. --clock=virtual (docs/VIRTUAL-TIME.md) skips
// waiting automatically, without changes to the test.

const {
  ArrayPrototypeForEach,
  ArrayPrototypeIncludes,
  ArrayPrototypeIndexOf,
  ArrayPrototypePop,
  ArrayPrototypeShift,
  ArrayPrototypeSplice,
  DatePrototypeGetTime,
  DatePrototypeToString,
  NumberIsNaN,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetOwnPropertyDescriptors,
  Promise,
  ReflectApply,
  ReflectConstruct,
  SafeArrayIterator,
} = primordials;

const {
  AbortError,
  codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE },
} = require('internal/errors');
const { SymbolDispose } = require('internal/util');
const { isDate } = require('internal/util/types');
const { validateAbortSignal, validateNumber, validateStringArray, validateUint32 } = require('internal/validators');

const kLongestDelay = 2 ** 31 - 1;
const kApis = ['setTimeout', 'setInterval', 'setImmediate', 'Date', 'scheduler.wait', 'AbortSignal.timeout'];

const clearNames = {
  __proto__: null, setTimeout: 'clearTimeout', setInterval: 'clearInterval', setImmediate: 'clearImmediate',
};

function validateTime(time, name) {
  validateNumber(time, name);
  // Node's message.
  if (time < 0) throw new ERR_INVALID_ARG_VALUE('time', 'positive integer', time);
}

class Timeout {
  constructor(options) {
    this.id = options.id;
    this.callback = options.callback;
    this.runAt = options.runAt;
    this.interval = options.interval;
    this.args = options.args;
    this.priorityQueuePosition = undefined;
    this.clear = options.clear;
  }

  hasRef() {
    return true;
  }

  ref() {
    return this;
  }

  unref() {
    return this;
  }

  refresh() {
    return this;
  }

  close() {
    this.clear?.(this);
    return this;
  }
}
ObjectDefineProperty(Timeout.prototype, SymbolDispose, {
  __proto__: null, configurable: true, writable: true, value() { this.clear?.(this); },
});

class MockTimers {
  #apis = [];
  #isEnabled = false;
  #now = 0;
  #queue = []; // By time, then by number.
  #lastId = 1;
  #originals = []; // [object, name, descriptor]

  #insert(timer) {
    let at = this.#queue.length;
    while (at > 0 && (this.#queue[at - 1].runAt > timer.runAt ||
      (this.#queue[at - 1].runAt === timer.runAt && this.#queue[at - 1].id > timer.id))) at--;
    ArrayPrototypeSplice(this.#queue, at, 0, timer);
  }

  #createTimer(isInterval, callback, delay, ...args) {
    delay = delay > kLongestDelay ? 1 : +delay;
    if (NumberIsNaN(delay)) delay = 1;
    const timer = new Timeout({
      id: this.#lastId++,
      callback,
      runAt: this.#now + delay,
      interval: isInterval ? delay : undefined,
      args,
      clear: this.#clear,
    });
    this.#insert(timer);
    return timer;
  }

  #clear = (timer) => this.#clearTimer(timer);

  #clearTimer(timer) {
    const at = ArrayPrototypeIndexOf(this.#queue, timer);
    if (at >= 0) ArrayPrototypeSplice(this.#queue, at, 1);
    if (timer instanceof Timeout) timer.interval = undefined;
  }

  // The functions of timers/promises.
  #promised(schedule, value, options) {
    const { signal } = options ?? {};
    return new Promise((resolve, reject) => {
      if (signal !== undefined) {
        validateAbortSignal(signal, 'options.signal');
        if (signal.aborted) throw new AbortError(undefined, { cause: signal.reason });
      }
      const timer = schedule(() => {
        if (signal !== undefined) signal.removeEventListener('abort', onAbort);
        resolve(value);
      });
      const onAbort = () => {
        this.#clearTimer(timer);
        reject(new AbortError(undefined, { cause: signal.reason }));
      };
      if (signal !== undefined) signal.addEventListener('abort', onAbort, { __proto__: null, once: true });
    });
  }

  async *#intervals(delay, value, options) {
    const { signal } = options ?? {};
    if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
    if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
    let due = 0;
    let wake;
    const timer = this.#createTimer(true, () => {
      due++;
      wake?.();
    }, delay);
    const onAbort = () => {
      this.#clearTimer(timer);
      wake?.();
    };
    signal?.addEventListener('abort', onAbort);
    try {
      for (;;) {
        if (due === 0 && !signal?.aborted) await new Promise((resolve) => { wake = resolve; });
        if (due === 0) throw new AbortError(undefined, { cause: signal.reason });
        due--;
        yield value;
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.#clearTimer(timer);
    }
  }

  #replace(object, name, value) {
    const descriptor = ObjectGetOwnPropertyDescriptor(object, name);
    this.#originals.push([object, name, descriptor]);
    ObjectDefineProperty(object, name, {
      __proto__: null, configurable: true, enumerable: descriptor?.enumerable ?? false, writable: true, value,
    });
  }

  #replaceTimer(name) {
    const timers = require('timers');
    const promises = require('timers/promises');
    const isInterval = name === 'setInterval';
    const clear = this.#clear;
    const set = name === 'setImmediate' ?
      (callback, ...args) => this.#createTimer(false, callback, -1, ...new SafeArrayIterator(args)) :
      (callback, delay, ...args) => this.#createTimer(isInterval, callback, delay, ...new SafeArrayIterator(args));
    this.#replace(globalThis, name, set);
    this.#replace(globalThis, clearNames[name], clear);
    this.#replace(timers, name, set);
    this.#replace(timers, clearNames[name], clear);
    if (isInterval) {
      this.#replace(promises, name, (delay, value, options) => this.#intervals(delay, value, options));
    } else if (name === 'setTimeout') {
      this.#replace(promises, name, (delay, value, options) =>
        this.#promised((done) => this.#createTimer(false, done, delay), value, options));
    } else {
      this.#replace(promises, name, (value, options) =>
        this.#promised((done) => this.#createTimer(false, done, -1), value, options));
    }
  }

  #replaceWait() {
    const { scheduler } = require('timers/promises');
    this.#replace(scheduler, 'wait', (delay, options) =>
      this.#promised((done) => this.#createTimer(false, done, delay), undefined, options));
  }

  #replaceSignalTimeout() {
    const { AbortController, AbortSignal } = require('internal/abort_controller');
    const { timeout } = {
      timeout: (delay) => {
        validateUint32(delay, 'delay', false);
        const controller = new AbortController();
        this.#createTimer(false, () => controller.abort(), delay);
        return controller.signal;
      },
    };
    this.#replace(AbortSignal, 'timeout', timeout);
  }

  #replaceDate() {
    const NativeDate = globalThis.Date;
    if (NativeDate.isMock) throw new ERR_INVALID_STATE('Date is already being mocked!');
    const now = () => this.#now;
    // Seven parameters, like the original (Date.length).
    function MockDate(year, month, day, hours, minutes, seconds, ms) {
      if (new.target === undefined) return DatePrototypeToString(new NativeDate(now()));
      return ReflectConstruct(NativeDate, arguments.length === 0 ? [now()] : arguments, new.target);
    }
    const descriptors = ObjectGetOwnPropertyDescriptors(NativeDate);
    ObjectDefineProperties(MockDate, {
      __proto__: null,
      ...descriptors,
      now: { __proto__: null, ...descriptors.now, value: function now_() { return now(); } },
      isMock: { __proto__: null, value: true, enumerable: true, configurable: false, writable: false },
      toString: {
        __proto__: null, value: function toString() { return 'function Date() { [native code] }'; },
        enumerable: false, configurable: true, writable: true,
      },
    });
    ObjectDefineProperty(MockDate.now, 'name', { __proto__: null, value: 'now' });
    this.#replace(globalThis, 'Date', MockDate);
  }

  #checkEnabled() {
    if (!this.#isEnabled) {
      throw new ERR_INVALID_STATE('You should enable MockTimers first by calling the .enable function');
    }
  }

  enable(options = { __proto__: null, apis: kApis, now: 0 }) {
    const given = { __proto__: null, ...options };
    if (this.#isEnabled) throw new ERR_INVALID_STATE('MockTimers is already enabled!');
    if (NumberIsNaN(given.now)) {
      throw new ERR_INVALID_ARG_VALUE('now', given.now, `epoch must be a positive integer received ${given.now}`);
    }
    given.now ||= 0;
    given.apis ||= kApis;
    validateStringArray(given.apis, 'options.apis');
    ArrayPrototypeForEach(given.apis, (api) => {
      if (!ArrayPrototypeIncludes(kApis, api)) {
        throw new ERR_INVALID_ARG_VALUE('options.apis', api, `option ${api} is not supported`);
      }
    });
    if (isDate(given.now)) given.now = DatePrototypeGetTime(given.now);
    else validateTime(given.now, 'initialTime');
    this.#apis = given.apis;
    this.#now = given.now;
    this.#isEnabled = true;
    ArrayPrototypeForEach(this.#apis, (api) => {
      if (api === 'Date') this.#replaceDate();
      else if (api === 'scheduler.wait') this.#replaceWait();
      else if (api === 'AbortSignal.timeout') this.#replaceSignalTimeout();
      else this.#replaceTimer(api);
    });
  }

  setTime(time = 0) {
    validateTime(time, 'time');
    this.#checkEnabled();
    this.#now = time;
  }

  reset() {
    if (!this.#isEnabled) return;
    this.#isEnabled = false;
    while (this.#originals.length > 0) {
      const { 0: object, 1: name, 2: descriptor } = ArrayPrototypePop(this.#originals);
      if (descriptor === undefined) delete object[name];
      else ObjectDefineProperty(object, name, descriptor);
    }
    this.#apis = [];
    this.#now = 0;
    this.#queue = [];
  }

  // Advances the clock before it calls the timers, so that callbacks see the time at the end of the step.
  tick(time = 1) {
    this.#checkEnabled();
    if (time < 0) throw new ERR_INVALID_ARG_VALUE('time', 'positive integer', time);
    this.#now += time;
    while (this.#queue.length > 0 && this.#queue[0].runAt <= this.#now) {
      const timer = ArrayPrototypeShift(this.#queue);
      ReflectApply(timer.callback, undefined, timer.args);
      if (timer.interval === undefined) continue;
      timer.runAt += timer.interval;
      this.#insert(timer);
    }
  }

  runAll() {
    this.#checkEnabled();
    const last = this.#queue[this.#queue.length - 1];
    if (last !== undefined) this.tick(last.runAt - this.#now);
  }
}
ObjectDefineProperty(MockTimers.prototype, SymbolDispose, {
  __proto__: null, configurable: true, writable: true, value() { this.reset(); },
});

module.exports = { MockTimers };
