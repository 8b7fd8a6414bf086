'use strict';
// setTimeout and setInterval, in Node's order. Timers of equal duration are in one list, in order of start; a heap
// orders the lists by expiry. A list that has expired runs all its due timers before the next list does (TIM-01).
// Times are whole milliseconds on the loop's clock.
const {
  MathMax,
  MathTrunc,
  ObjectCreate,
  ReflectApply,
  ReflectOwnKeys,
  SafeArrayIterator,
  Symbol,
  SymbolToPrimitive,
} = primordials;
const binding = internalBinding('timers');
const { customInspectSymbol, SymbolDispose } = require('internal/util');
const {
  newAsyncId,
  defaultTriggerAsyncId,
  hooks,
  emitInit,
  emitBefore,
  emitAfter,
  emitDestroy,
  emitOver,
  getFrame,
  setFrame,
  asyncIdSymbol,
  triggerAsyncIdSymbol,
} = require('internal/async_hooks');
const { runNextTicks } = require('internal/process/task_queues');
const { countCallback } = require('internal/shared');
const { ListHeap, kIdle, kNotInHeap } = require('internal/timers/list_heap');
const { ListTable } = require('internal/timers/list_table');

const kMaxDelay = 2 ** 31 - 1;

const kRefed = Symbol('refed');
const kHasPrimitive = Symbol('kHasPrimitive');
const kFrame = Symbol('frame');

// Lists that are not queued are kept for reuse up to this number.
const kMostLists = 512;
// So many of them may stay in the heap, and so many more for each list that is queued: taking one out costs more than
// leaving it there, and the next timer of its duration needs it again.
const kMostIdle = 512;
const kMostIdlePerQueued = 2;
const lists = new ListTable(); // By duration.
const heap = new ListHeap();
const knownByNumber = { __proto__: null }; // Timers whose number was asked for.
let idleLists = 0; // In the heap, and not queued.
let lastListId = 0;
let refCount = 0;
let scheduledExpiry = Infinity; // The earliest expiry that native code was asked to wake up for.
let isRunning = false; // Inside processTimers(), which returns the next expiry to native code.

// `_idlePrev` is the oldest timer, `_idleNext` the newest. A list that is not queued is empty. Few fields: a program
// with many durations waits for memory most of the time.
class TimersList {
  constructor(duration) {
    this._idleNext = this;
    this._idlePrev = this;
    this.duration = duration;
    this.expiry = 0; // With `id`, the order of lists. Clearing the first timer does not change it.
    this.id = kNotInHeap; // Positive if the list is queued.
    this.filedExpiry = 0; // By which it is in the heap.
  }
}

// Milliseconds on the loop's clock, which moves on to the present.
function readClock() {
  const time = binding.smallNow();
  return time >= 0 ? time : binding.now();
}

function append(list, timer) {
  const newest = list._idleNext;
  timer._idleNext = newest;
  timer._idlePrev = list;
  newest._idlePrev = timer;
  list._idleNext = timer;
}

// Takes a timer out of its list, if it is in one.
function detach(timer) {
  const next = timer._idleNext;
  const previous = timer._idlePrev;
  if (next) next._idlePrev = previous;
  if (previous) previous._idleNext = next;
  timer._idleNext = null;
  timer._idlePrev = null;
}

function queueList(list, expiry) {
  const isFiled = list.id === kIdle;
  list.expiry = expiry;
  list.id = ++lastListId;
  if (!isFiled) {
    heap.push(list);
  } else {
    idleLists--;
    // An interval counts from before its callback, in which its list may have been queued for later and dropped.
    if (expiry < list.filedExpiry) heap.advance(list);
  }
  if (expiry < scheduledExpiry && !isRunning) {
    scheduledExpiry = expiry;
    binding.schedule(list.duration);
  }
}

function dropList(list) {
  list.id = kIdle;
  if (++idleLists > kMostIdle + kMostIdlePerQueued * (heap.size - idleLists)) sweepHeap();
}

// A list that left the heap.
function forget(list) {
  if (lists.size > kMostLists) lists.remove(list.duration);
}

function sweepHeap() {
  heap.sweep(forget);
  idleLists = 0;
}

// The list that expires first.
function firstList() {
  for (;;) {
    const list = heap.first();
    if (list === undefined) return undefined;
    if (list.id === kIdle) {
      heap.removeFirst();
      list.id = kNotInHeap;
      idleLists--;
      forget(list);
    } else if (heap.hasMoved(list)) {
      heap.updateFirst(list);
    } else {
      return list;
    }
  }
}

// Moves a timer to the end of the list of its duration.
function insert(timer, duration, start) {
  duration = MathTrunc(duration); // TIM-03
  timer._idleStart = start;
  let list = lists.get(duration);
  if (list === undefined) {
    list = new TimersList(duration);
    lists.add(duration, list);
  }
  if (list.id <= kIdle) queueList(list, start + duration);
  if (timer._idleNext) detach(timer);
  append(list, timer);
}

function countRef() {
  if (refCount++ === 0) binding.setRef(true);
}

function countUnref() {
  if (--refCount === 0) binding.setRef(false);
}

// Once per process.
const warned = { negative: false, notANumber: false };

function toDuration(after) {
  if (after === undefined) return 1;
  after *= 1;
  if (after >= 1 && after <= kMaxDelay) return after;
  if (after > kMaxDelay) {
    process.emitWarning(`${after} does not fit into a 32-bit signed integer.\n` +
      'Timeout duration was set to 1.', 'TimeoutOverflowWarning');
  } else if (after < 0) {
    if (!warned.negative) {
      warned.negative = true;
      process.emitWarning(`${after} is a negative number.\nTimeout duration was set to 1.`, 'TimeoutNegativeWarning');
    }
  } else if (after !== after && !warned.notANumber) { // eslint-disable-line no-self-compare
    warned.notANumber = true;
    process.emitWarning(`${after} is not a number.\nTimeout duration was set to 1.`, 'TimeoutNaNWarning');
  }
  return 1;
}

function initAsyncResource(timer) {
  timer[asyncIdSymbol] = newAsyncId();
  timer[triggerAsyncIdSymbol] = defaultTriggerAsyncId();
  timer[kFrame] = getFrame();
  if (hooks.active) emitInit(timer[asyncIdSymbol], 'Timeout', timer[triggerAsyncIdSymbol], timer);
}

// Starts a timer again, with or without a ref; one that was cleared stays cleared. `item` may be any object that
// enroll() prepared.
function insertGuarded(item, isRefed) {
  const duration = item._idleTimeout;
  if (duration < 0 || duration === undefined) return;
  insert(item, duration, readClock());
  const isDestroyed = item._destroyed;
  if (isDestroyed || !item[asyncIdSymbol]) {
    item._destroyed = false;
    initAsyncResource(item);
  }
  if (isDestroyed) {
    if (isRefed) countRef();
  } else if (isRefed === !item[kRefed]) {
    if (isRefed) countRef();
    else countUnref();
  }
  item[kRefed] = isRefed;
}

class Timeout {
  constructor(callback, after, args, isRepeat, isRefed) {
    const duration = toDuration(after);
    this._idleTimeout = duration;
    this._idlePrev = null;
    this._idleNext = null;
    this._idleStart = 0;
    this._onTimeout = callback;
    this._timerArgs = args;
    this._repeat = isRepeat ? duration : null;
    this._destroyed = false;
    this[kRefed] = isRefed;
    this[kHasPrimitive] = false;
    this[asyncIdSymbol] = newAsyncId();
    this[triggerAsyncIdSymbol] = defaultTriggerAsyncId();
    this[kFrame] = getFrame();
    if (isRefed) countRef();
    if (hooks.active) {
      emitInit(this[asyncIdSymbol], 'Timeout', this[triggerAsyncIdSymbol], this);
    }
  }

  refresh() {
    insertGuarded(this, this[kRefed]);
    return this;
  }

  ref() {
    if (this[kRefed] === false) {
      this[kRefed] = true;
      if (!this._destroyed) countRef();
    }
    return this;
  }

  unref() {
    if (this[kRefed] === true) {
      this[kRefed] = false;
      if (!this._destroyed) countUnref();
    }
    return this;
  }

  hasRef() {
    return this[kRefed] === true;
  }

  close() {
    clearTimeout(this);
    return this;
  }

  [SymbolDispose]() {
    clearTimeout(this);
  }

  [SymbolToPrimitive]() {
    const id = this[asyncIdSymbol];
    if (!this[kHasPrimitive] && !this._destroyed) {
      this[kHasPrimitive] = true;
      knownByNumber[id] = this;
    }
    return id;
  }

  // Hides the links to neighbours in the list and other internal properties.
  [customInspectSymbol](depth, options) {
    const { inspect } = require('internal/util/inspect');
    const shown = ObjectCreate(Timeout.prototype);
    for (const key of new SafeArrayIterator(ReflectOwnKeys(this))) {
      if (key !== kFrame) shown[key] = this[key];
    }
    return inspect(shown, { ...options, depth: 0, customInspect: false });
  }
}

// The timer ran or was cleared; refresh() starts one that ran again. The caller corrects refCount.
function destroy(timer) {
  timer._destroyed = true;
  if (timer[kHasPrimitive]) {
    timer[kHasPrimitive] = false;
    delete knownByNumber[timer[asyncIdSymbol]];
  }
  if (hooks.active) {
    emitDestroy(timer[asyncIdSymbol]);
    emitOver(timer[asyncIdSymbol], timer._onTimeout === null, true);
  }
}

// As in Node, only a timer with a ref takes its empty list along: one without is often started again soon.
function unenroll(timer) {
  if (timer._destroyed) return;
  destroy(timer);
  const next = timer._idleNext;
  const isAlone = next === timer._idlePrev; // In its list; or it is in none, as it is running.
  detach(timer);
  if (timer[kRefed]) {
    if (isAlone) {
      const list = next || lists.get(MathTrunc(timer._idleTimeout));
      if (list !== undefined && list._idleNext === list && list.id > kIdle) dropList(list);
    }
    countUnref();
  }
  timer._idleTimeout = -1;
}

function clearTimeout(timer) {
  if (timer?._onTimeout) {
    timer._onTimeout = null;
    unenroll(timer);
    return;
  }
  if (typeof timer === 'number' || typeof timer === 'string') {
    const known = knownByNumber[timer];
    if (known !== undefined) {
      known._onTimeout = null;
      unenroll(known);
    }
  }
}

function callTimer(timer) {
  const args = timer._timerArgs;
  if (args === undefined) timer._onTimeout();
  else ReflectApply(timer._onTimeout, timer, args);
}

// A timer of the phase is over. Native code learns of the ref count when the phase ends.
function finish(timer) {
  if (timer._destroyed) return;
  destroy(timer);
  if (timer[kRefed]) refCount--;
}

// After the callback: an interval goes on, behind the timers that its callback started (TIM-04). Programs may have made
// one of a timeout, or the other way round, by setting `_repeat`.
function settle(timer, start) {
  if (timer._repeat && timer._idleTimeout !== -1) {
    timer._idleTimeout = timer._repeat;
    insert(timer, timer._repeat, start === undefined ? readClock() : start);
  } else if (!timer._idleNext && !timer._idlePrev) {
    finish(timer);
  }
}

function runTimer(timer) {
  const asyncId = timer[asyncIdSymbol];
  countCallback();
  setFrame(timer[kFrame]);
  if (hooks.tracksIds) emitBefore(asyncId, timer[triggerAsyncIdSymbol], timer);
  const start = timer._repeat ? readClock() : undefined;
  try {
    callTimer(timer);
  } finally {
    settle(timer, start);
  }
  setFrame(undefined);
  if (hooks.tracksIds) emitAfter(asyncId);
}

// Runs the timers of a list that are due at `time`. The list is dropped when it is empty, and queued again for its next
// timer otherwise. Callbacks may drop it as well, and may have it queued again under another id.
function runList(list, id, time) {
  const { duration } = list;
  let ranOne = false;
  for (;;) {
    const timer = list._idlePrev;
    if (list.id !== id) return;
    if (timer === list) break;
    if (time - timer._idleStart < duration) {
      list.expiry = MathMax(timer._idleStart + duration, time + 1);
      list.id = ++lastListId;
      return;
    }
    if (ranOne) runNextTicks();
    else ranOne = true;
    // As in Node, a tick that refreshes the timer does not put it off any more.
    detach(timer);
    if (timer._onTimeout) runTimer(timer);
    else finish(timer);
  }
  dropList(list);
}

// Called from the timers phase with the time at which it began: what falls due later waits for the next turn. Returns
// the next expiry, negative if only timers without a ref are left, 0 if there are none. After an exception that was
// handled, native code calls again with the same time.
function processTimers(time) {
  let ranOne = false;
  scheduledExpiry = Infinity;
  isRunning = true;
  try {
    for (;;) {
      const list = firstList();
      if (list === undefined) return 0;
      if (list.expiry > time) {
        scheduledExpiry = list.expiry;
        return refCount > 0 ? scheduledExpiry : -scheduledExpiry;
      }
      const { id } = list;
      if (ranOne) runNextTicks();
      else ranOne = true;
      runList(list, id, time);
    }
  } finally {
    isRunning = false;
  }
}

// visit(timer, due in ms on the clock) of those that keep the loop alive, until it returns false. May be called at any
// time, also while a list is being changed.
function forEachRefedTimer(visit) {
  lists.forEach((list) => {
    let timer = list._idlePrev;
    while (timer !== list && timer !== null && timer !== undefined) {
      if (timer[kRefed] === true && !timer._destroyed && !visit(timer, timer._idleStart + list.duration)) return false;
      timer = timer._idlePrev;
    }
    return true;
  });
}

module.exports = {
  Timeout,
  TIMEOUT_MAX: kMaxDelay,
  kRefed,
  kHasPrimitive,
  insertNew(timer) { insert(timer, timer._idleTimeout, readClock()); },
  insertGuarded,
  clearTimeout,
  unenroll,
  processTimers,
  countTimers: () => refCount,
  // Milliseconds until the next timer is due, of those that do not keep the loop alive as well; undefined without
  // timers.
  timeUntilNext: () => (firstList() === undefined ? undefined : firstList().expiry - readClock()),
  forEachRefedTimer,
};
