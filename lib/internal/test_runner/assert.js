'use strict';
// The functions of t.assert: those of node:assert, snapshots, and those that programs add with assert.register().

const { SafeMap } = primordials;

const { validateFunction, validateString } = require('internal/validators');

const kNames = [
  'deepEqual', 'deepStrictEqual', 'doesNotMatch', 'doesNotReject', 'doesNotThrow', 'equal', 'fail', 'ifError', 'match',
  'notDeepEqual', 'notDeepStrictEqual', 'notEqual', 'notStrictEqual', 'partialDeepStrictEqual', 'rejects',
  'strictEqual', 'throws',
];

let assertions;
let hasSnapshots = false;

function getMap() {
  if (assertions === undefined) {
    const assert = require('assert');
    assertions = new SafeMap();
    for (let i = 0; i < kNames.length; i++) assertions.set(kNames[i], assert[kNames[i]]);
  }
  return assertions;
}

function register(name, fn) {
  validateString(name, 'name');
  validateFunction(fn, 'fn');
  getMap().set(name, fn);
}

// All functions, read when a context first uses t.assert. Functions registered afterwards are only in later contexts.
function getAssertions(harness) {
  const map = getMap();
  if (!hasSnapshots) {
    hasSnapshots = true;
    const { makeFileSnapshotAssert, makeSnapshotAssert } = require('internal/test_runner/snapshot');
    if (!map.has('snapshot')) map.set('snapshot', makeSnapshotAssert(harness));
    if (!map.has('fileSnapshot')) map.set('fileSnapshot', makeFileSnapshotAssert(harness));
  }
  return map;
}

module.exports = { getAssertions, register };
