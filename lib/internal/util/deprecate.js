'use strict';

// Warnings about deprecated and experimental features. Each is emitted once.

const {
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectSetPrototypeOf,
  ReflectApply,
  ReflectConstruct,
  SafeSet,
} = primordials;

const { validateString } = require('internal/validators');

const codesWarned = new SafeSet();
const experimentsWarned = new SafeSet();

const noDeprecation = () => globalThis.process?.noDeprecation === true;

function isPendingDeprecation() {
  return require('internal/options').getOptionValue('--pending-deprecation') && !noDeprecation();
}

// A function that warns when it is first called. Warnings that share a code are given once among all of them.
// `shouldEmit` is called each time until it returns true.
function getDeprecationWarningEmitter(code, message, deprecated, shouldEmit = () => true) {
  let warned = false;
  return () => {
    if (warned || !shouldEmit()) return;
    warned = true;
    if (code === undefined) {
      process.emitWarning(message, 'DeprecationWarning', deprecated);
    } else if (!codesWarned.has(code)) {
      codesWarned.add(code);
      process.emitWarning(message, 'DeprecationWarning', code, deprecated);
    }
  };
}

function wrap(fn, warn, box, modifyPrototype) {
  function deprecated(...args) {
    if (!noDeprecation()) warn();
    return new.target ? ReflectConstruct(fn, args, new.target) : ReflectApply(fn, this, args);
  }
  box.deprecated = deprecated;
  if (!modifyPrototype) return deprecated;
  // Static members and the prototype of a class stay those of the original.
  ObjectSetPrototypeOf(deprecated, fn);
  if (fn.prototype) deprecated.prototype = fn.prototype;
  const length = ObjectGetOwnPropertyDescriptor(fn, 'length');
  if (length !== undefined) ObjectDefineProperty(deprecated, 'length', { __proto__: null, ...length });
  return deprecated;
}

// Wraps `fn` so that its first call warns with `message`.
function deprecate(fn, message, code, modifyPrototype = true) {
  if (code !== undefined) validateString(code, 'code');
  const box = { deprecated: undefined };
  let emit;
  const warn = () => {
    emit ??= getDeprecationWarningEmitter(code, message, box.deprecated);
    emit();
  };
  return wrap(fn, warn, box, modifyPrototype);
}

// deprecate() for planned deprecations: warns only with --pending-deprecation.
function pendingDeprecate(fn, message, code) {
  const box = { deprecated: undefined };
  let emit;
  const warn = () => {
    emit ??= getDeprecationWarningEmitter(code, message, box.deprecated, isPendingDeprecation);
    emit();
  };
  return wrap(fn, warn, box, true);
}

// For a class that was called without `new`.
function deprecateInstantiation(Class, code, ...args) {
  getDeprecationWarningEmitter(
    code, `Instantiating ${Class.name} without the 'new' keyword has been deprecated.`, Class)();
  return ReflectConstruct(Class, args);
}

function emitExperimentalWarning(feature) {
  if (experimentsWarned.has(feature)) return;
  experimentsWarned.add(feature);
  process.emitWarning(`${feature} is an experimental feature and might change at any time`, 'ExperimentalWarning');
}

module.exports = {
  deprecate,
  deprecateInstantiation,
  emitExperimentalWarning,
  getDeprecationWarningEmitter,
  isPendingDeprecation,
  pendingDeprecate,
};
