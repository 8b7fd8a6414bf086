'use strict';
// Memory that native code reads and writes without a call. The slots are defined as Shared in
// src/runtime/engine/realm.h. Has its own ArrayBuffer, so that V8 never moves the memory.
const { Uint32Array, ArrayBuffer } = primordials;
const { noteCallback, sharedLength } = internalBinding('task_queue');

const shared = new Uint32Array(new ArrayBuffer(sharedLength * 4));
const kCallbacks = 6;
const kHasLimit = 7;

// Called before each timer and immediate, for the watchdog.
function countCallback() {
  shared[kCallbacks]++;
  if (shared[kHasLimit] !== 0) noteCallback();
}

module.exports = {
  shared,
  // The callback of the running tick, or an array and the callback's index in it. The watchdog reports this callback if
  // it finds no frame of user code.
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
