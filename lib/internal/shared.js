'use strict';
// Memory that native code reads and writes without a call. The slots are defined as Shared in
// src/runtime/engine/realm.h. Has its own ArrayBuffer, so that V8 never moves the memory.
const { Uint32Array, ArrayBuffer } = primordials;
const { noteCallback, sharedLength, sharedSlots } = internalBinding('task_queue');

const shared = new Uint32Array(new ArrayBuffer(sharedLength * 4));
const { kCallbacks, kHasLimit } = sharedSlots;

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
  kHasTicks: sharedSlots.kHasTicks,
  kHasRejections: sharedSlots.kHasRejections,
  kImmediates: sharedSlots.kImmediates,
  kRefdImmediates: sharedSlots.kRefdImmediates,
  kTicksPerPhase: sharedSlots.kTicksPerPhase,
  kDrains: sharedSlots.kDrains,
  kHasEnded: sharedSlots.kHasEnded,
  kWaitingQueues: sharedSlots.kWaitingQueues,
};
