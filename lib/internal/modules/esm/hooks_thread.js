'use strict';

// The thread on which the hooks of module.register() and --experimental-loader run. It answers the requests of
// esm/hooks_client. Its own modules are loaded with the hooks registered so far.

const {
  AtomicsAdd,
  AtomicsNotify,
  ReflectApply,
  SafeSet,
} = primordials;

const chains = require('internal/modules/esm/hook_chains');
const customize = require('internal/modules/esm/customize');
const { formatException } = require('internal/process/execution');
const { getFlags } = require('internal/options');
const { serializeError } = require('internal/worker/errors');

let port;
let lock; // The parent thread may be blocked on it.
const open = new SafeSet(); // Pending requests

function post(message) {
  try {
    port.postMessage(message);
  } catch (error) {
    port.postMessage({ id: message.id, error: serializeError(error) });
  }
  AtomicsAdd(lock, 0, 1);
  AtomicsNotify(lock, 0);
}

function answer(id, message) {
  if (!open.delete(id)) return;
  // While there are no requests, the port keeps the thread alive.
  if (open.size === 0) port.ref();
  post(message);
}

async function register(specifier, parentURL, data) {
  const { importFrom } = require('internal/modules/esm/host');
  await chains.addHooks(specifier, await importFrom(specifier, parentURL, []), data);
}

const methods = { __proto__: null, load: chains.load, register, resolve: chains.resolve };

async function onQuestion({ id, method, args }) {
  open.add(id);
  // From here on only pending operations of the hooks keep the thread alive.
  port.unref();
  let message;
  try {
    message = { id, value: await ReflectApply(methods[method], undefined, args) };
  } catch (error) {
    message = { id, error: serializeError(error) };
  }
  answer(id, message);
}

// The loop is empty, so the pending requests will never be answered: report them as lost.
function onBeforeExit() {
  open.forEach((id) => answer(id, { id, isLost: true }));
}

function start(data) {
  ({ port, lock } = data);
  customize.useChains(chains, register);
  process.on('uncaughtExceptionMonitor', (error) => process._rawDebug(formatException(error)));
  process.on('beforeExit', onBeforeExit);
  process.on('exit', (code) => post({ id: 0, exitCode: code }));
  require('internal/modules/run_main').loadPreload(getFlags('require'));
  port.on('message', onQuestion);
}

module.exports = { start };
