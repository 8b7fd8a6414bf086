'use strict';

// Reports where a program was waiting when its loop became empty.

const { stalledAwaits } = internalBinding('modules');

// `number` is the number of the entry point's module.
function report(number) {
  const lines = stalledAwaits(number);
  for (let i = 0; i < lines.length; i++) {
    process._rawDebug(`Warning: Detected unsettled top-level await at ${lines[i]}\n\n`);
  }
}

module.exports = { report };
