'use strict';
// The tick queue, and how it and V8's microtask queue are drained after every callback (TICK-*).
const { FunctionPrototypeBind, ReflectApply, Symbol } = primordials;
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
const FixedQueue = require('internal/fixed_queue');

const queue = new FixedQueue();

// In place of an argument that a tick does not have, and of its second if the first is an array of more than two.
const kNone = Symbol('none');
const kMany = Symbol('many');

// One tick. A class, so that all of them have one shape. Up to two arguments are fields: an array would be two more objects for
// the collector.
class Tick {
  constructor(callback, first, second, asyncId, triggerAsyncId, frame) {
    this[asyncIdSymbol] = asyncId;
    this[triggerAsyncIdSymbol] = triggerAsyncId;
    this.callback = callback;
    this.first = first;
    this.second = second;
    this.frame = frame;
  }

  // Node's name: hooks of async_hooks get the tick as the resource.
  get args() {
    const { first, second } = this;
    if (first === kNone) return undefined;
    if (second === kNone) return [first];
    return second === kMany ? first : [first, second];
  }
}

function nextTick(callback, first, second) {
  validateFunction(callback, 'callback');
  if (process._exiting) return;
  switch (arguments.length) {
    case 1: first = second = kNone; break;
    case 2: second = kNone; break;
    case 3: break;
    default:
      first = [];
      for (let i = 1; i < arguments.length; i++) first[i - 1] = arguments[i];
      second = kMany;
  }
  shared[kHasTicks] = 1;
  const tick = new Tick(callback, first, second, newAsyncId(), defaultTriggerAsyncId(), getFrame());
  if (hooks.active) {
    emitInit(tick[asyncIdSymbol], 'TickObject', tick[triggerAsyncIdSymbol], tick);
  }
  queue.push(tick);
}

function call(tick) {
  const { callback, first, second } = tick;
  if (first === kNone) callback();
  else if (second === kNone) callback(first);
  else if (second !== kMany) callback(first, second);
  else ReflectApply(callback, undefined, first);
}

function callHooked(tick) {
  const asyncId = tick[asyncIdSymbol];
  emitBefore(asyncId, tick[triggerAsyncIdSymbol], tick, kTick);
  try {
    call(tick);
  } finally {
    emitDestroy(asyncId);
  }
  emitAfter(asyncId);
}

// Runs ticks, then microtasks, and repeats until both queues are empty; then processes unhandled
// rejections, which may add more of both. An exception propagates to native code, which reports it
// as uncaught and calls again for the rest (TICK-05).
function processTicksAndRejections() {
  shared[kDrains]++; // Odd while draining: the watchdog looks at it.
  try {
    drainAll();
  } finally {
    shared[kDrains]++;
  }
}

function drainAll() {
  do {
    let tick;
    while ((tick = queue.shift()) !== null) {
      const frame = tick.frame;
      if (frame !== getFrame()) setFrame(frame);
      lastTick[0] = tick.callback;
      if (hooks.tracksIds) {
        callHooked(tick);
      } else {
        call(tick);
      }
    }
    setFrame(undefined);
    lastTick[0] = undefined;
    runMicrotasks();
  } while (!queue.isEmpty() || processRejections());
  shared[kHasTicks] = 0;
  shared[kHasRejections] = 0;
}

// Between two timers or two immediates: as little as possible if there is nothing to do.
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
    if (hooks.tracksIds) emitDestroy(asyncId);
  }
  setFrame(undefined);
  if (hooks.tracksIds) emitAfter(asyncId);
}

function queueMicrotask(callback) {
  validateFunction(callback, 'callback');
  if (!hooks.tracksIds && !hooks.usesFrames) {
    // As it is: a closure around it would cost more than the call. Native code hears of exceptions.
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
  let count = 0;
  for (let block = queue.tail; block !== null; block = block.next) {
    const { bottom, top, list } = block;
    count += top >= bottom ? top - bottom : list.length - bottom + top;
  }
  return count;
}

module.exports = {
  countTicks,
  nextTick,
  queueMicrotask,
  runNextTicks,
  processTicksAndRejections,
  runMicrotasks,
};
