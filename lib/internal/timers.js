'use strict';
// setTimeout and setInterval, in Node's order. Timers of equal duration are in one list, in order of start; a heap
// orders the lists by expiry. An expired list runs all its due timers before the next list starts (TIM-01). Times are
// whole milliseconds on the loop's clock.
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

// At most this many lists that are not queued are kept for reuse.
const kMostLists = 512;
// Bounds for idle lists in the heap: a fixed number, plus some for each queued list. Removing a list costs more than
// leaving it there, and the next timer of the same duration reuses it.
const kMostIdle = 512;
const kMostIdlePerQueued = 2;
const lists = new ListTable(); // By duration.
const heap = new ListHeap();
const knownByNumber = { __proto__: null }; // Timers that were converted to a number.
let idleLists = 0; // Lists in the heap that are not queued.
let lastListId = 0;
let refCount = 0;
let scheduledExpiry = Infinity; // The earliest expiry that native code has been scheduled to wake up for.
let isRunning = false; // Inside processTimers(), which returns the next expiry to native code.

// `_idlePrev` is the oldest timer, `_idleNext` the newest. A list that is not queued is empty. Lists have few fields,
// because cache misses dominate in programs with many durations.
class TimersList {
  constructor(duration) {
    this._idleNext = this;
    this._idlePrev = this;
    this.duration = duration;
    this.expiry = 0; // With `id`, the order of lists. Clearing the first timer does not change it.
    this.id = kNotInHeap; // Positive if the list is queued.
    this.filedExpiry = 0; // The expiry by which the heap has sorted the list.
  }
}

// Updates the loop's clock and returns its time in milliseconds.
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

// Removes a timer from its list, if it is in one.
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
    // An interval starts before its callback, in which its list may have been queued with a later expiry and dropped.
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

// Called when a list has left the heap.
function forget(list) {
  if (lists.size > kMostLists) lists.remove(list.duration);
}

function sweepHeap() {
  heap.sweep(forget);
  idleLists = 0;
}

// Returns the queued list that expires first.
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

// Each warning is emitted once per process.
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

// Restarts a timer, with or without a ref; a cleared timer stays cleared. `item` may be any object that enroll()
// prepared.
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

  // Hides internal properties, such as the links to neighbours in the list.
  [customInspectSymbol](depth, options) {
    const { inspect } = require('internal/util/inspect');
    const shown = ObjectCreate(Timeout.prototype);
    for (const key of new SafeArrayIterator(ReflectOwnKeys(this))) {
      if (key !== kFrame) shown[key] = this[key];
    }
    return inspect(shown, { ...options, depth: 0, customInspect: false });
  }
}

// Starts a timer without a ref that was cleared, as if it were a new one: an idle connection of a server needs one
// after each request. False if the program could tell the difference, by its async id or frame.
function restart(timer, callback, after) {
  if (hooks.tracksIds || hooks.usesFrames || !timer._destroyed || timer[kRefed]) return false;
  timer._onTimeout = callback;
  timer._idleTimeout = toDuration(after);
  timer._destroyed = false;
  insert(timer, timer._idleTimeout, readClock());
  return true;
}

// Marks a timer that ran or was cleared; refresh() can restart a timer that ran. The caller adjusts refCount.
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

// As in Node, only a timer with a ref drops its list when the list becomes empty: timers without are often restarted
// soon.
function unenroll(timer) {
  if (timer._destroyed) return;
  destroy(timer);
  const next = timer._idleNext;
  const isAlone = next === timer._idlePrev; // The only one in its list, or in no list while running.
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

// Ends a timer during the phase. Native code receives the ref count when the phase ends.
function finish(timer) {
  if (timer._destroyed) return;
  destroy(timer);
  if (timer[kRefed]) refCount--;
}

// Called after the callback: restarts an interval, behind the timers that its callback started (TIM-04). Programs can
// turn a timeout into an interval, or the other way round, by setting `_repeat`.
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

// Runs the timers of a list that are due at `time`, then drops the list if it is empty, or queues it for its next
// timer. Callbacks may also drop the list and queue it again under another id.
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
    // As in Node, a tick that refreshes the timer no longer delays it.
    detach(timer);
    if (timer._onTimeout) runTimer(timer);
    else finish(timer);
  }
  dropList(list);
}

// Called by the timers phase with the time at which the phase began; timers that are due later wait for the next turn.
// Returns the next expiry, negative if all remaining timers are unref'd, 0 if there are none. After an exception that
// was handled, native code calls again with the same time.
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

// Calls visit(timer, expiry in ms) for each timer that keeps the loop alive, until visit returns false. May be called
// at any time, even while a list is being modified.
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
  restart,
  clearTimeout,
  unenroll,
  processTimers,
  countTimers: () => refCount,
  // Returns the milliseconds until the next timer is due, including unref'd timers; undefined without timers.
  timeUntilNext: () => (firstList() === undefined ? undefined : firstList().expiry - readClock()),
  forEachRefedTimer,
};
