'use strict';
// Made while the snapshot is made: the globals and the process object. start() runs in every program:
// it hands native code what it calls, reads the environment, and runs the program's entry point.
const { setHooks } = internalBinding('task_queue');
const { shared, lastTick, kTicksPerPhase } = require('internal/shared');
require('internal/bootstrap/globals');
// Most programs use these: the snapshot has their bytecode.
require('internal/events/warm_up');
require('internal/fs/warm_up');
require('internal/util/warm_up');
require('internal/bootstrap/shapes');
require('internal/os/constants'); // Defining them again takes longer than reading them back.
require('internal/buffer/create').dropPool(); // Its memory is the snapshot's.
const { processTicksAndRejections } = require('internal/process/task_queues');
const { promiseRejectHandler } = require('internal/process/promises');
const { processTimers } = require('internal/timers');
const { processImmediates } = require('internal/timers/immediates');
const {
  onUncaughtException,
  emitBeforeExit,
  emitExit,
  formatException,
} = require('internal/process/execution');
const { prepareStackTrace } = require('internal/process/stack');
const { onSignal } = require('internal/process/signals');
const { refreshProcess } = require('internal/process/pre_execution');
const { getFlag } = require('internal/options');
const modules = require('internal/modules/hooks');

// Functions that native code calls: Hook in src/runtime/engine/realm.h.
const hooks = {
  __proto__: null,
  processTicks: processTicksAndRejections,
  processTimers,
  processImmediates,
  uncaughtException: onUncaughtException,
  promiseReject: promiseRejectHandler,
  compileWasm: (stream, source) => require('internal/fetch/wasm').compile(stream, source),
  prepareStack: prepareStackTrace,
  emitBeforeExit,
  emitExit,
  importDynamically: modules.importModuleDynamically,
  initImportMeta: modules.initializeImportMeta,
  formatException,
  onSignal,
  emitWarning: (text) => process.emitWarning(text),
  describeLoop: (what) => require('internal/loop/report').describe(what),
};

function start(mode) {
  const isWorker = mode === 'worker_thread';
  if (isWorker) hooks.uncaughtException = require('internal/worker/thread').onUncaughtException;
  setHooks(hooks, shared, lastTick);
  refreshProcess();
  if (getFlag('ticks') === 'per-phase') shared[kTicksPerPhase] = 1;
  internalBinding('timers').start();
  const trace = internalBinding('trace');
  if (trace.start()) require('internal/trace/record').start();
  if (trace.exportsSpans()) require('internal/observe/otlp').start();
  if (getFlag('metrics') !== undefined && !isWorker) require('internal/observe/http_metrics').start();
  // A worker's options come with its program, a moment later.
  // So does an explored program, in the process of each run.
  // Tests in one process: hooks that preloaded modules define belong to the run (internal/test_runner/in_process).
  const isOneProcess = mode === 'test_runner' && getFlag('test-isolation') === 'none';
  const isLate = isWorker || mode === 'explore_server' || isOneProcess;
  if (!isLate) require('internal/process/pre_execution').loadPreloads(mode);
  internalBinding('performance').markBootstrapComplete();
  require(`internal/main/${mode}`)();
}

module.exports = { start };
