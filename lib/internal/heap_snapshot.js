'use strict';

// Snapshots of the heap, of this thread or of another one: what v8 and worker_threads have in common.

const { ArrayPrototypePush } = primordials;

const { Readable } = require('stream');
const { kEmptyObject } = require('internal/util');
const { validateBoolean, validateObject } = require('internal/validators');

const binding = internalBinding('v8');

function checkOptions(options = kEmptyObject) {
  validateObject(options, 'options');
  const { exposeInternals = false, exposeNumericValues = false } = options;
  validateBoolean(exposeInternals, 'options.exposeInternals');
  validateBoolean(exposeNumericValues, 'options.exposeNumericValues');
  return { exposeInternals, exposeNumericValues };
}

// The pieces of text of a snapshot that is taken now, to be called with what checkOptions() gave.
function takePieces({ exposeInternals, exposeNumericValues }) {
  const pieces = [];
  binding.heapSnapshot((piece) => { ArrayPrototypePush(pieces, piece); }, exposeInternals, exposeNumericValues);
  return pieces;
}

class HeapSnapshotStream extends Readable {
  #pieces;
  #next = 0;

  constructor(pieces) {
    super();
    this.#pieces = pieces;
  }

  _read() {
    this.push(this.#next < this.#pieces.length ? this.#pieces[this.#next++] : null);
  }
}

module.exports = { HeapSnapshotStream, checkOptions, takePieces };
