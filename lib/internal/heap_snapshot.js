'use strict';

// Heap snapshots of this thread or of another one, shared by v8 and worker_threads.

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

// Takes a heap snapshot and returns its text in pieces. The options are those that checkOptions() returned.
function takePieces({ exposeInternals, exposeNumericValues }) {
  const pieces = [];
  binding.heapSnapshot((piece) => { ArrayPrototypePush(pieces, piece); }, exposeInternals, exposeNumericValues);
  return pieces;
}

class HeapSnapshotStream extends Readable {
  #pieces;

  constructor(pieces) {
    super();
    this.#pieces = pieces;
  }

  // Push all chunks at once: the snapshot is in memory already.
  _read() {
    const pieces = this.#pieces;
    this.#pieces = [];
    for (let i = 0; i < pieces.length; i++) this.push(pieces[i]);
    this.push(null);
  }
}

module.exports = { HeapSnapshotStream, checkOptions, takePieces };
