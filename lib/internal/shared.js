'use strict';
// Memory that native code reads and writes without a call; the slots are Shared in
// src/runtime/engine/realm.h. An ArrayBuffer of its own, so that it never lies inside the moving heap.
const { Uint32Array, ArrayBuffer } = primordials;
const { noteCallback, sharedLength } = internalBinding('task_queue');

const shared = new Uint32Array(new ArrayBuffer(sharedLength * 4));
const kCallbacks = 6;
const kHasLimit = 7;

// Before each timer and immediate, for the watchdog.
function countCallback() {
  shared[kCallbacks]++;
  if (shared[kHasLimit] !== 0) noteCallback();
}

module.exports = {
  shared,
  // The callback of the tick that is running, or an array with it and the index there: where the watchdog looks if it
  // finds no frame of the user's.
  lastTick: [undefined, 0],
  countCallback,
  kHasTicks: 0,
  kHasRejections: 1,
  kImmediates: 2,
  kRefdImmediates: 3,
  kTicksPerPhase: 4,
  kDrains: 5,
  kHasEnded: 8,
};
