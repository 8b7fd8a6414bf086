'use strict';

// Says where a program was waiting when it ended, having nothing left that could have woken it.

const { stalledAwaits } = internalBinding('modules');

// `number` is the module of the entry point.
function report(number) {
  const lines = stalledAwaits(number);
  for (let i = 0; i < lines.length; i++) {
    process._rawDebug(`Warning: Detected unsettled top-level await at ${lines[i]}\n\n`);
  }
}

module.exports = { report };
