'use strict';
// What every start reads from the environment and the command line, before any user code.
const { Error } = primordials;
const binding = internalBinding('process');
const { refreshOptions, getFlags, getFlag } = require('internal/options');
const { refreshWarnings } = require('internal/process/warnings');
const { initializeDebugEnv } = require('internal/util/debuglog');

const state = { source: '' };

function refreshProcess() {
  const info = binding.info();
  refreshOptions(info.flags);
  process.execPath = info.execPath;
  process.execArgv = info.execArgv;
  process.argv0 = info.argv0;
  process.pid = info.pid;
  process.argv = [info.execPath, ...info.args];
  state.source = info.source;
  const limit = getFlag('stack-trace-limit');
  if (limit !== undefined) Error.stackTraceLimit = +limit;
  const title = getFlag('title');
  if (title !== undefined) process.title = title;
  refreshWarnings();
  initializeDebugEnv(process.env.NODE_DEBUG);
  if (process.env.NODE_CHANNEL_FD !== undefined) require('internal/child_process/parent').refreshChannel();
}

function loadPreloads() {
  const required = getFlags('require');
  const imported = getFlags('import');
  if (required.length === 0 && imported.length === 0) return;
  require('internal/modules/run_main').loadPreload(required, imported);
}

module.exports = { refreshProcess, loadPreloads, state };
