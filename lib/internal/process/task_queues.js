'use strict';
// The tick queue, and how it and V8's microtask queue are drained after every callback (TICK-*).
const { FunctionPrototypeBind, ObjectDefineProperty, ReflectApply } = primordials;
const {
  runMicrotasks,
  enqueueMicrotask,
} = internalBinding('task_queue');
const { shared, lastTick, kHasTicks, kHasRejections, kTicksPerPhase, kDrains } = require('internal/shared');
const {
  defaultTriggerAsyncId,
  newAsyncId,
  newTrackedId,
  hooks,
  emitInit,
  emitBefore,
  emitAfter,
  emitDestroy,
  getFrame,
  setFrame,
  asyncIdSymbol,
  triggerAsyncIdSymbol,
} = require('internal/async_hooks');
const { kMicrotask, kTick } = require('internal/trace/events');
const { validateFunction } = require('internal/validators');
const { processRejections } = require('internal/process/promises');
const { TickQueue, forget, remove } = require('internal/process/tick_queue');

const queue = new TickQueue();

// The form of a tick: the number of its arguments, or one of these. Up to two arguments are stored directly, because an
// array would be two more objects for the garbage collector.
const kMany = 3; // The first argument is an array of all of them.
const kHooked = 4; // The callback field contains a Tick.

// The resource of a tick for async_hooks. Created only if hooks are active.
class Tick {
  constructor(callback, form, first, second, asyncId, triggerAsyncId) {
    this[asyncIdSymbol] = asyncId;
    this[triggerAsyncIdSymbol] = triggerAsyncId;
    this.callback = callback;
    this.form = form;
    this.first = first;
    this.second = second;
  }

  // Node's name for the arguments: hooks receive the tick as the resource.
  get args() {
    switch (this.form) {
      case 0: return undefined;
      case 1: return [this.first];
      case 2: return [this.first, this.second];
      default: return this.first;
    }
  }
}

function nextTick(callback, first, second) {
  validateFunction(callback, 'callback');
  if (process._exiting) return;
  let form = arguments.length - 1;
  if (form > 2) {
    first = [];
    for (let i = 0; i < form; i++) first[i] = arguments[i + 1];
    second = undefined;
    form = kMany;
  }
  shared[kHasTicks] = 1;
  const asyncId = newAsyncId();
  const triggerAsyncId = defaultTriggerAsyncId();
  if (hooks.active) {
    callback = new Tick(callback, form, first, second, asyncId, triggerAsyncId);
    form = kHooked;
    first = second = undefined;
    emitInit(asyncId, 'TickObject', triggerAsyncId, callback);
  }
  queue.push(callback, form, first, second, getFrame(), asyncId, triggerAsyncId);
}

// As in Node, `length` is 1. The further parameters are an optimisation.
ObjectDefineProperty(nextTick, 'length', { __proto__: null, configurable: true, value: 1 });

function call(callback, form, first, second) {
  if (form === 0) callback();
  else if (form === 1) callback(first);
  else if (form === 2) callback(first, second);
  else ReflectApply(callback, undefined, first);
}

function callHooked(tick) {
  const { callback, form, first, second } = tick;
  lastTick[0] = callback;
  if (!hooks.tracksIds) {
    call(callback, form, first, second);
    return;
  }
  const asyncId = tick[asyncIdSymbol];
  emitBefore(asyncId, tick[triggerAsyncIdSymbol], tick, kTick);
  try {
    call(callback, form, first, second);
  } finally {
    emitDestroy(asyncId);
  }
  emitAfter(asyncId);
}

// Runs ticks, then microtasks, and repeats until both queues are empty; then processes unhandled rejections, which may
// add more of both. An exception propagates to native code, which reports it as uncaught and calls again for the rest
// (TICK-05).
function processTicksAndRejections() {
  shared[kDrains]++; // Odd while draining, for the watchdog.
  try {
    drainAll();
  } finally {
    shared[kDrains]++;
  }
}

function drainAll() {
  do {
    let ring;
    while ((ring = queue.oldest()) !== null) {
      const { bottom, slots } = ring;
      const callback = slots[bottom];
      const form = slots[bottom + 1];
      const frame = slots[bottom + 4];
      let first;
      let second;
      if (form !== 0) {
        first = slots[bottom + 5];
        second = slots[bottom + 6];
      }
      if (frame !== getFrame()) setFrame(frame);
      if (form === kHooked) {
        remove(ring, bottom, form);
        callHooked(callback);
      } else if (hooks.tracksIds) {
        const tick = new Tick(callback, form, first, second, slots[bottom + 2], slots[bottom + 3]);
        remove(ring, bottom, form);
        callHooked(tick);
      } else {
        remove(ring, bottom, form);
        if (lastTick[0] !== slots) lastTick[0] = slots;
        lastTick[1] = bottom;
        if (form === 0) callback();
        else call(callback, form, first, second);
      }
    }
    setFrame(undefined);
    lastTick[0] = undefined;
    forget(queue.tail);
    runMicrotasks();
  } while (!queue.isEmpty() || processRejections());
  shared[kHasTicks] = 0;
  shared[kHasRejections] = 0;
}

// Called between two timers or two immediates, so it must be cheap if there is nothing to do.
function runNextTicks() {
  if (shared[kTicksPerPhase] !== 0) return;
  if (shared[kHasTicks] === 0 && shared[kHasRejections] === 0) {
    shared[kDrains]++;
    runMicrotasks();
    shared[kDrains]++;
  }
  if (shared[kHasTicks] === 0 && shared[kHasRejections] === 0) return;
  processTicksAndRejections();
}

function runMicrotask() {
  const callback = this.callback;
  const asyncId = this[asyncIdSymbol];
  setFrame(this.frame);
  if (hooks.tracksIds) emitBefore(asyncId, this[triggerAsyncIdSymbol], this, kMicrotask);
  try {
    callback();
  } finally {
    if (hooks.tracksIds) {
      emitDestroy(asyncId);
      emitAfter(asyncId); // As in Node, an exception is reported after this.
    }
    setFrame(undefined);
  }
}

function queueMicrotask(callback) {
  validateFunction(callback, 'callback');
  if (!hooks.tracksIds && !hooks.usesFrames) {
    // Passed without a closure, which would cost more than the call. Native code handles exceptions.
    enqueueMicrotask(callback);
    return;
  }
  const microtask = {
    callback,
    frame: getFrame(),
    [asyncIdSymbol]: newTrackedId(),
    [triggerAsyncIdSymbol]: defaultTriggerAsyncId(),
  };
  if (hooks.active) {
    emitInit(microtask[asyncIdSymbol], 'Microtask', microtask[triggerAsyncIdSymbol], microtask);
  }
  enqueueMicrotask(FunctionPrototypeBind(runMicrotask, microtask));
}

// The number of queued ticks, for statistics of the loop.
function countTicks() {
  return queue.count();
}

module.exports = {
  countTicks,
  nextTick,
  queueMicrotask,
  runNextTicks,
  processTicksAndRejections,
  runMicrotasks,
};
