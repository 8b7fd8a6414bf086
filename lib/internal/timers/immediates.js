'use strict';
// setImmediate: the check phase runs the immediates of one array while new ones are added to the next (CHK-*).
const { Array, ReflectApply, Symbol } = primordials;
const { shared, countCallback, kHasEnded, kImmediates, kRefdImmediates } = require('internal/shared');
const { kRefed } = require('internal/timers');
const {
  newAsyncId,
  defaultTriggerAsyncId,
  hooks,
  emitInit,
  emitBefore,
  emit,
  emitAfter,
  emitDestroy,
  emitOver,
  getFrame,
  setFrame,
  asyncIdSymbol,
  triggerAsyncIdSymbol,
} = require('internal/async_hooks');
const { runNextTicks } = require('internal/process/task_queues');
const { customInspectSymbol, SymbolDispose } = require('internal/util');

const kFrame = Symbol('frame');
// An array that grew beyond this for one burst is not kept.
const kMostKept = 4096;

let waiting = new Array(64);
let waitingCount = 0;
let running = new Array(64);
let runningCount = 0;
let runningIndex = 0;

class Immediate {
  constructor(callback, args) {
    this._idleNext = null;
    this._idlePrev = null;
    this._onImmediate = callback;
    this._argv = args;
    this._destroyed = false;
    this[kRefed] = true;
    this[asyncIdSymbol] = newAsyncId();
    this[triggerAsyncIdSymbol] = defaultTriggerAsyncId();
    this[kFrame] = getFrame();
    if (hooks.active) emitInitOf(this);
    shared[kImmediates]++;
    shared[kRefdImmediates]++;
    waiting[waitingCount++] = this;
  }

  ref() {
    if (this[kRefed] === false) {
      this[kRefed] = true;
      shared[kRefdImmediates]++;
    }
    return this;
  }

  unref() {
    if (this[kRefed] === true) {
      this[kRefed] = false;
      shared[kRefdImmediates]--;
    }
    return this;
  }

  hasRef() {
    return this[kRefed] === true;
  }

  [SymbolDispose]() {
    clearImmediate(this);
  }

  [customInspectSymbol](depth, options) {
    const { inspect } = require('internal/util/inspect');
    const shown = { __proto__: Immediate.prototype, ...this };
    delete shown[kFrame];
    return inspect(shown, { ...options, depth: 0, customInspect: false });
  }
}

// Separate functions for hooks and traces, so that only a branch is compiled into the code that sets and calls
// immediates.
function emitInitOf(immediate) {
  const asyncId = immediate[asyncIdSymbol];
  if (hooks.onlyTraced) emit.immediateScheduled(asyncId, immediate._onImmediate);
  else emitInit(asyncId, 'Immediate', immediate[triggerAsyncIdSymbol], immediate);
}

// Called when the immediate is about to run, or was cleared.
function release(immediate) {
  immediate._destroyed = true;
  shared[kImmediates]--;
  if (immediate[kRefed]) shared[kRefdImmediates]--;
  immediate[kRefed] = null;
}

function clearImmediate(immediate) {
  // The immediate stays in the array and is skipped.
  if (!immediate || immediate[kRefed] === undefined || immediate._onImmediate === undefined ||
      immediate._destroyed) {
    return;
  }
  release(immediate);
  if (hooks.active) {
    emitDestroy(immediate[asyncIdSymbol]);
    emitOver(immediate[asyncIdSymbol], true, false);
  }
  immediate._onImmediate = null;
  if (shared[kImmediates] === 0) forgetCleared();
}

// Without immediates the check phase does not run, so cleared ones must be dropped here.
function forgetCleared() {
  for (let i = 0; i < waitingCount; i++) waiting[i] = undefined;
  if (waiting.length > kMostKept) waiting = new Array(64);
  waitingCount = 0;
}

function call(immediate) {
  const args = immediate._argv;
  if (args === undefined) immediate._onImmediate();
  else ReflectApply(immediate._onImmediate, immediate, args);
}

function callTracked(immediate) {
  if (hooks.onlyTraced && !hooks.usesFrames) {
    callTraced(immediate);
    return;
  }
  const asyncId = immediate[asyncIdSymbol];
  setFrame(immediate[kFrame]);
  if (hooks.tracksIds) emitBefore(asyncId, immediate[triggerAsyncIdSymbol], immediate);
  try {
    call(immediate);
  } finally {
    if (hooks.active) emitDestroy(asyncId);
    immediate._onImmediate = null;
  }
  setFrame(undefined);
  if (hooks.tracksIds) emitAfter(asyncId);
}

// Not factored further, so that it is a single function when it is optimised.
function callTraced(immediate) {
  const args = immediate._argv;
  emit.immediateBegins(immediate[asyncIdSymbol], immediate._onImmediate);
  try {
    if (args === undefined) immediate._onImmediate();
    else ReflectApply(immediate._onImmediate, immediate, args);
  } finally {
    immediate._onImmediate = null;
  }
  shared[kHasEnded] = 1;
}

function run(immediate) {
  release(immediate);
  countCallback();
  if (hooks.tracksIds || hooks.usesFrames) {
    callTracked(immediate);
    return;
  }
  try {
    call(immediate);
  } finally {
    immediate._onImmediate = null;
  }
}

function beginPhase() {
  const filled = waiting;
  waiting = running.length > kMostKept ? new Array(64) : running;
  running = filled;
  runningCount = waitingCount;
  runningIndex = 0;
  waitingCount = 0;
}

// Called from the check phase. Immediates set by callbacks wait for the next turn (CHK-02). After a callback that
// threw, native code calls again for the rest; if it was the last one, for those set since (CHK-04).
function processImmediates() {
  if (runningIndex === runningCount) {
    if (emit.lastEnds !== null) emit.lastEnds();
    beginPhase();
  }
  let ranOne = false;
  while (runningIndex < runningCount) {
    const immediate = running[runningIndex];
    // A tick may throw: the immediate stays in its place for the next call.
    if (ranOne && !immediate._destroyed) runNextTicks();
    running[runningIndex++] = undefined;
    if (immediate._destroyed) continue;
    ranOne = true;
    run(immediate);
  }
}

// Calls visit(immediate) for each immediate that keeps the loop alive, until visit returns false.
function forEachRefedImmediate(visit) {
  for (let i = runningIndex; i < runningCount; i++) {
    const immediate = running[i];
    if (immediate !== undefined && immediate[kRefed] === true && !visit(immediate)) return;
  }
  for (let i = 0; i < waitingCount; i++) {
    const immediate = waiting[i];
    if (immediate[kRefed] === true && !visit(immediate)) return;
  }
}

module.exports = { Immediate, clearImmediate, forEachRefedImmediate, processImmediates };
