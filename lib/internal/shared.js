'use strict';
// Memory that native code reads and writes without a call; the slots are Shared in
// src/runtime/realm.h. An ArrayBuffer of its own, so that it never lies inside the moving heap.
const { Uint32Array, ArrayBuffer } = primordials;
const { sharedLength } = internalBinding('task_queue');

module.exports = {
  shared: new Uint32Array(new ArrayBuffer(sharedLength * 4)),
  kHasTicks: 0,
  kHasRejections: 1,
  kImmediates: 2,
  kRefdImmediates: 3,
  kTicksPerPhase: 4,
  kDrains: 5,
};
