'use strict';

// util.setTraceSigInt() and --trace-sigint: SIGINT prints where JavaScript is before it ends the program.

const { codes: { ERR_WORKER_UNSUPPORTED_OPERATION } } = require('internal/errors');
const { threadId } = internalBinding('worker');
const { traceInterrupts } = internalBinding('signals');

function setTraceSigInt(enable) {
  if (threadId() !== 0) throw new ERR_WORKER_UNSUPPORTED_OPERATION('Calling util.setTraceSigInt');
  traceInterrupts(!!enable);
}

module.exports = { setTraceSigInt };
