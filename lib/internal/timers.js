'use strict';
// setTimeout and setInterval: timers of equal duration stand in a list, which is in order of due
// time by itself; a heap of lists says which list's first timer is next. Starting and clearing a
// timer touch its list only. Due timers run in order of due time, then of start (TIM-01).
const {
  MathCeil,
  MathFloor,
  MathTrunc,
  ObjectCreate,
  ReflectApply,
  ReflectOwnKeys,
  SafeMap,
  Symbol,
  SymbolToPrimitive,
} = primordials;
const binding = internalBinding('timers');
const { now: clockNow } = internalBinding('clock');
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
const { ListHeap } = require('internal/timers/list_heap');

const kMaxDelay = 2 ** 31 - 1;
// Times are counted in eighths of a millisecond, rounded up: timers which are set one right after the
// other share a due time instead of being some nanoseconds apart, and whole numbers need no memory of
// their own.
const kGrid = 8;

const kRefed = Symbol('refed');
const kHasPrimitive = Symbol('kHasPrimitive');
const kDue = Symbol('due'); // Eighths of a millisecond on the clock.
const kSerial = Symbol('serial'); // Which of all starts this was.
const kFrame = Symbol('frame');
const hidden = [kDue, kSerial, kFrame];

// Programs use few durations; those that use many should not keep a list of each for good.
const kMostLists = 512;
const lists = new SafeMap(); // By duration.
const heap = new ListHeap();
const knownByNumber = new SafeMap(); // Timers whose number was asked for.
let serial = 0;
let refCount = 0;
let scheduledDue = Infinity; // What native code was last told.
let isRunning = false; // Inside processTimers(), which tells it at the end.

class TimersList {
  constructor(duration) {
    this._idleNext = this;
    this._idlePrev = this;
    this.duration = duration;
    this.due = 0; // Of the first timer, with its serial: the heap's key.
    this.serial = 0;
    this.position = -1; // In the heap.
  }
}

function takeKey(list) {
  const first = list._idleNext;
  list.due = first[kDue];
  list.serial = first[kSerial];
}

function append(list, timer) {
  const last = list._idlePrev;
  timer._idlePrev = last;
  timer._idleNext = list;
  last._idleNext = timer;
  list._idlePrev = timer;
}

function detach(timer) {
  const next = timer._idleNext;
  const previous = timer._idlePrev;
  next._idlePrev = previous;
  previous._idleNext = next;
  timer._idleNext = null;
  timer._idlePrev = null;
}

// Puts a timer that is in no list into the one of its duration, as started at `start`, in eighths.
function insert(timer, duration, start) {
  duration = MathTrunc(duration); // TIM-03
  timer._idleStart = MathTrunc(start / kGrid);
  const due = start + duration * kGrid;
  timer[kDue] = due;
  timer[kSerial] = ++serial;
  let list = lists.get(duration);
  if (list === undefined) {
    list = new TimersList(duration);
    lists.set(duration, list);
  }
  const wasEmpty = list._idleNext === list;
  append(list, timer);
  if (wasEmpty) {
    list.due = due;
    list.serial = timer[kSerial];
    heap.push(list);
    if (due < scheduledDue && !isRunning) {
      scheduledDue = due;
      binding.schedule(due / kGrid);
    }
  }
}

// Takes a timer out; a list that is left empty stays, but not in the heap.
function remove(timer) {
  const next = timer._idleNext;
  if (next === null || next === undefined) return; // In no list, or no timer of ours.
  const previous = timer._idlePrev;
  detach(timer);
  if (next === previous) {
    // `next` is the list itself, and was its only neighbour.
    heap.remove(next);
    if (lists.size > kMostLists) lists.delete(next.duration);
  } else if (previous.position !== undefined) {
    // It was the first of its list: the list's key is its successor's now.
    takeKey(previous);
    heap.moveDown(previous);
  }
}

function gridNow() {
  return MathCeil(clockNow() * kGrid);
}

function countRef() {
  if (refCount++ === 0) binding.setRef(true);
}

function countUnref() {
  if (--refCount === 0) binding.setRef(false);
}

function toDuration(after) {
  after *= 1;
  if (after >= 1 && after <= kMaxDelay) return after;
  if (after > kMaxDelay) {
    process.emitWarning(`${after} does not fit into a 32-bit signed integer.\n` +
      'Timeout duration was set to 1.', 'TimeoutOverflowWarning');
  }
  return 1;
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
    this[kDue] = 0;
    this[kSerial] = 0;
    this[kFrame] = getFrame();
    if (isRefed) countRef();
    if (hooks.active) {
      emitInit(this[asyncIdSymbol], 'Timeout', this[triggerAsyncIdSymbol], this);
    }
  }

  refresh() {
    if (this._idleTimeout < 0) return this; // It was cleared.
    remove(this);
    insert(this, this._idleTimeout, gridNow());
    if (this._destroyed) {
      this._destroyed = false;
      if (this[kRefed]) countRef();
      this[asyncIdSymbol] = newAsyncId();
      if (hooks.active) {
        emitInit(this[asyncIdSymbol], 'Timeout', this[triggerAsyncIdSymbol], this);
      }
    }
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
      knownByNumber.set(id, this);
    }
    return id;
  }

  // Neighbours in the list and our own bookkeeping are nobody's business.
  [customInspectSymbol](depth, options) {
    const { inspect } = require('internal/util/inspect');
    const shown = ObjectCreate(Timeout.prototype);
    for (const key of ReflectOwnKeys(this)) {
      if (hidden.includes(key)) continue;
      shown[key] = this[key];
    }
    return inspect(shown, { ...options, depth: 0, customInspect: false });
  }
}

// It ran or was cleared; refresh() brings one that ran back to life.
function destroy(timer) {
  if (timer._destroyed) return;
  timer._destroyed = true;
  if (timer[kHasPrimitive]) {
    timer[kHasPrimitive] = false;
    knownByNumber.delete(timer[asyncIdSymbol]);
  }
  if (hooks.active) {
    emitDestroy(timer[asyncIdSymbol]);
    emitOver(timer[asyncIdSymbol], timer._onTimeout === null, true);
  }
  if (timer[kRefed]) countUnref();
}

function unenroll(timer) {
  remove(timer);
  destroy(timer);
  timer._idleTimeout = -1;
}

function clearTimeout(timer) {
  if (timer === undefined || timer === null) return;
  if (typeof timer === 'object') {
    if (timer._onTimeout !== undefined) {
      timer._onTimeout = null;
      unenroll(timer);
    }
    return;
  }
  if (typeof timer === 'number' || typeof timer === 'string') {
    const known = knownByNumber.get(+timer);
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

// After its callback: programs may have made an interval of a timeout, or the other way round, through properties that
// were never theirs.
function settle(timer, repeat, now) {
  if (timer._idleNext !== null) {
    if (repeat && timer._idleTimeout < 0) unenroll(timer);
  } else if (timer._repeat && !repeat && timer._idleTimeout !== -1) {
    timer._idleTimeout = timer._repeat;
    insert(timer, timer._repeat, now);
  } else {
    destroy(timer); // Neither started again in the callback, nor an interval that goes on.
  }
}

// One due timer, which is the first of its list. `now` is the time the phase shows, in eighths.
function runTimer(timer, now) {
  remove(timer);
  if (timer._onTimeout === null) {
    destroy(timer);
    return;
  }
  const asyncId = timer[asyncIdSymbol];
  const repeat = timer._repeat;
  if (repeat) {
    // Before the callback, so that clearing in it works as at any other time (TIM-04).
    timer._idleTimeout = repeat;
    insert(timer, repeat, now);
  }
  const frame = timer[kFrame];
  countCallback();
  setFrame(frame);
  if (hooks.tracksIds) emitBefore(asyncId, timer[triggerAsyncIdSymbol], timer);
  try {
    callTimer(timer);
  } finally {
    settle(timer, repeat, now);
  }
  setFrame(undefined);
  if (hooks.tracksIds) emitAfter(asyncId);
}

// Called from the timers phase. Runs what is due and was started before this call, and answers with
// the next due time, negative if only timers without a ref are left, 0 if there are none.
function processTimers(phaseNow) {
  const lastSerial = serial;
  // Rounded down: a timer must not be early, and its start was rounded up.
  let now = MathFloor(phaseNow * kGrid);
  let ranOne = false;
  isRunning = true;
  scheduledDue = Infinity;
  try {
    for (;;) {
      const list = heap.first();
      if (list === undefined) return 0;
      if (list.due > now) {
        // Callbacks took time: what fell due meanwhile runs as well.
        now = MathFloor(clockNow() * kGrid);
        if (list.due > now) break;
      }
      if (list.serial > lastSerial) {
        // Started by a callback of this phase, and due already: it waits for the next turn
        // (TURN-10), and so does all that is due after it, for order's sake.
        break;
      }
      if (ranOne) runNextTicks();
      else ranOne = true;
      // Ticks may have cleared it.
      if (heap.first() !== list || list.serial > lastSerial) continue;
      runTimer(list._idleNext, now);
    }
    scheduledDue = heap.first().due;
    return (refCount > 0 ? scheduledDue : -scheduledDue) / kGrid;
  } finally {
    isRunning = false;
  }
}

// visit(timer, due in ms on the clock) of those that keep the loop alive, until it says false. It may be called in the
// middle of anything, so that it takes nothing for granted.
function forEachRefedTimer(visit) {
  for (const list of lists.values()) {
    let timer = list._idleNext;
    while (timer !== list && timer !== null && timer !== undefined) {
      if (timer[kRefed] === true && !timer._destroyed && !visit(timer, timer[kDue] / kGrid)) return;
      timer = timer._idleNext;
    }
  }
}

module.exports = {
  Timeout,
  TIMEOUT_MAX: kMaxDelay,
  kRefed,
  kHasPrimitive,
  kDue,
  insertNew(timer) { insert(timer, timer._idleTimeout, gridNow()); },
  insertGuarded(timer) { if (timer._idleTimeout >= 0) timer.refresh(); },
  clearTimeout,
  unenroll,
  processTimers,
  countTimers: () => refCount,
  forEachRefedTimer,
};
