'use strict';

// Scripts of vm. The frames of this file are not in stacks, those of the public vm are.

const { ObjectDefineProperties, ReflectApply, TypeError } = primordials;

const { FastBuffer } = require('internal/buffer/fast');
const { kEmptyObject, kEnumerableProperty } = require('internal/util');
const { validateBoolean, validateObject, validateUint32 } = require('internal/validators');
const { compileScript } = require('internal/vm');

const scripts = internalBinding('vm_scripts');

// The prototype of vm.Script; its methods check no arguments.
class ContextifyScript {
  #box;

  constructor(code, filename, line, column, cachedData, produceCachedData, parsingContext, importOption) {
    const { 0: box, 1: rejected, 2: cache, 3: sourceURL, 4: sourceMapURL } =
      compileScript(code, filename, line, column, cachedData, produceCachedData, parsingContext, importOption);
    this.#box = box;
    if (rejected !== undefined) this.cachedDataRejected = rejected;
    if (cache !== undefined) {
      this.cachedData = new FastBuffer(cache);
      this.cachedDataProduced = true;
    }
    this.sourceURL = sourceURL;
    this.sourceMapURL = sourceMapURL;
  }

  static #boxOf(script) {
    if (!(#box in script)) throw new TypeError('Illegal invocation');
    return script.#box;
  }

  createCachedData() {
    return new FastBuffer(scripts.createCachedData(ContextifyScript.#boxOf(this)));
  }

  runInContext(context, { timeout, displayErrors, breakOnSigint }) {
    return scripts.runScript(ContextifyScript.#boxOf(this), context, timeout, displayErrors, breakOnSigint);
  }
}

// As in Node, where they are native functions.
ObjectDefineProperties(ContextifyScript.prototype, {
  createCachedData: kEnumerableProperty,
  runInContext: kEnumerableProperty,
});

const { runInContext: runUnchecked } = ContextifyScript.prototype;

function readRunOptions(options = kEmptyObject) {
  validateObject(options, 'options');
  const { timeout = -1 } = options;
  if (options.timeout !== undefined) validateUint32(timeout, 'options.timeout', true);
  const { displayErrors = true, breakOnSigint = false } = options;
  validateBoolean(displayErrors, 'options.displayErrors');
  validateBoolean(breakOnSigint, 'options.breakOnSigint');
  return { __proto__: null, timeout, displayErrors, breakOnSigint };
}

function run(script, context, options) {
  const settings = readRunOptions(options);
  if (settings.breakOnSigint && process.listenerCount('SIGINT') > 0) {
    return withoutSigintListeners(() => ReflectApply(runUnchecked, script, [context, settings]));
  }
  return ReflectApply(runUnchecked, script, [context, settings]);
}

// While the script runs, SIGINT ends it; afterwards the listeners receive it again.
function withoutSigintListeners(call) {
  const listeners = process.rawListeners('SIGINT');
  process.removeAllListeners('SIGINT');
  try {
    return call();
  } finally {
    // The public method emits 'newListener', which starts to watch the signal.
    for (let i = 0; i < listeners.length; i++) process.addListener('SIGINT', listeners[i]);
  }
}

module.exports = { ContextifyScript, run };
