'use strict';

// The current directory belongs to the process, and only the main thread changes it. A worker reads it again from the
// system when the counter in shared memory has changed.

const { AtomicsAdd, AtomicsLoad, Int32Array } = primordials;

const { makeSharedMemory } = internalBinding('worker');

let changes;

// Returns the shared memory for a new worker of this thread.
function sharedChanges() {
  return changes ??= new Int32Array(makeSharedMemory(4));
}

function noteChange() {
  if (changes !== undefined) AtomicsAdd(changes, 0, 1);
}

// Creates process.cwd() of a worker.
function makeCwd(shared, getCwd) {
  changes = shared;
  let known = '';
  let knownAt = -1;
  return function cwd() {
    const now = AtomicsLoad(shared, 0);
    if (now === knownAt) return known;
    known = getCwd();
    knownAt = now;
    return known;
  };
}

module.exports = { makeCwd, noteChange, sharedChanges };
