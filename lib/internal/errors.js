'use strict';

// The coded errors of the built-in modules. `codes.ERR_X` is a class; `new ERR_X(...)` builds the message from its
// arguments. For user code such an error is a plain TypeError (or the class of the code) with a property `code`; only
// its stack and its string form show the code after the name.

const {
  AggregateError,
  ArrayIsArray,
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  Boolean,
  Error,
  ErrorCaptureStackTrace,
  ErrorPrototypeToString,
  FunctionPrototypeCall,
  MathMax,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectIsExtensible,
  ObjectKeys,
  ObjectPrototypeHasOwnProperty,
  ReflectApply,
  SafeArrayIterator,
  SafeWeakMap,
  String,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  Symbol,
  SymbolFor,
  TypeError,
} = primordials;

const {
  determineSpecificType,
  formatList,
  inspectWithNoCustomRetry,
  lazyInspect,
} = require('internal/errors/describe');
const composed = require('internal/errors/composed');
const sentences = require('internal/errors/sentences');
const system = require('internal/errors/system');
const { uvErrmapGet } = require('internal/errors/uv');

const kIsNodeError = Symbol('kIsNodeError');
const kEnhanceStackBeforeInspector = Symbol('kEnhanceStackBeforeInspector');

const codes = { __proto__: null };

// Replaces each %s in a sentence. Only values that are not simple need the full formatter.
function fillIn(sentence, args) {
  let result = '';
  let from = 0;
  for (let i = 0; i < args.length; i++) {
    const at = StringPrototypeIndexOf(sentence, '%s', from);
    if (at === -1) break;
    const value = args[i];
    const type = typeof value;
    const text = type === 'string' ? value :
      type === 'object' || type === 'function' || type === 'bigint' || type === 'number' ?
        lazyInspect().format('%s', value) :
        String(value);
    result += `${StringPrototypeSlice(sentence, from, at)}${text}`;
    from = at + 2;
  }
  return from === 0 ? sentence : `${result}${StringPrototypeSlice(sentence, from)}`;
}

function makeMessage(message, args) {
  return typeof message === 'string' ? fillIn(message, args) : ReflectApply(message, undefined, args);
}

function toCodedString() {
  return `${this.name} [${this.code}]: ${this.message}`;
}

function defineHidden(object, key, value) {
  ObjectDefineProperty(object, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
}

function makeNodeError(Base, code, message) {
  const addProperties = composed.properties[code];
  class NodeError extends Base {
    constructor(...args) {
      super(makeMessage(message, args));
      this.code = code;
      if (addProperties !== undefined) addProperties(this, args);
    }

    get [kIsNodeError]() {
      return true;
    }
  }
  defineHidden(NodeError.prototype, 'constructor', Base);
  defineHidden(NodeError.prototype, 'toString', toCodedString);
  // The same class, because hideStackFrames works on any error.
  NodeError.HideStackFramesError = NodeError;
  return NodeError;
}

// The class of ERR_SYSTEM_ERROR and similar codes, which report a failed system call. The context is { code, message,
// syscall, errno, path }.
class SystemError extends Error {
  constructor(code, start, context) {
    super(system.systemMessage(start, context));
    this.code = code;
    system.defineSystemProperties(this, context);
  }

  get [kIsNodeError]() {
    return true;
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  // Shows the values of the properties, which are accessors.
  [SymbolFor('nodejs.util.inspect.custom')](depth, options) {
    return lazyInspect().inspect(this, { ...options, getters: true, customInspect: false });
  }
}

function makeSystemError(code, start) {
  class NodeError extends SystemError {
    constructor(context) {
      super(code, start, context);
    }
  }
  NodeError.HideStackFramesError = NodeError;
  return NodeError;
}

// Creates the class of an error code on first access, because a program uses few of them.
function defineLazily(code, make) {
  ObjectDefineProperty(codes, code, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      const value = make();
      ObjectDefineProperty(codes, code, {
        __proto__: null, value, configurable: true, enumerable: true, writable: true,
      });
      return value;
    },
    set(value) {
      ObjectDefineProperty(codes, code, {
        __proto__: null, value, configurable: true, enumerable: true, writable: true,
      });
    },
  });
}

// Defines a code: its message (a sentence with %s, or a function of the arguments), its class, and alternative base
// classes.
function E(code, message, Base, ...others) {
  defineLazily(code, () => {
    const Main = makeNodeError(Base, code, message);
    for (let i = 0; i < others.length; i++) Main[others[i].name] = makeNodeError(others[i], code, message);
    return Main;
  });
}

function addTable(table) {
  const names = ObjectKeys(table);
  for (let i = 0; i < names.length; i++) {
    const { 0: message, 1: Base, 2: second, 3: third } = table[names[i]];
    if (third !== undefined) {
      E(names[i], message, Base, second, third);
    } else if (second !== undefined) {
      E(names[i], message, Base, second);
    } else {
      E(names[i], message, Base);
    }
  }
}
addTable(sentences);
addTable(composed.messages);
for (const code of new SafeArrayIterator(ObjectKeys(system.systemErrors))) {
  defineLazily(code, () => makeSystemError(code, system.systemErrors[code]));
}

// Wraps a checking function so that the stacks of its errors begin at its caller. The unwrapped function is available
// to callers that are wrapped themselves.
function hideStackFrames(fn) {
  function wrappedFn(...args) {
    try {
      return ReflectApply(fn, this, args);
    } catch (error) {
      if (error?.[kIsNodeError] === true && Error.stackTraceLimit) ErrorCaptureStackTrace(error, wrappedFn);
      throw error;
    }
  }
  wrappedFn.withoutStackTrace = fn;
  return wrappedFn;
}

// Throws `error` with a stack that begins at the caller of `from`. Unlike hideStackFrames, this costs nothing without
// an error.
function throwFrom(from, error) {
  ErrorCaptureStackTrace(error, from);
  throw error;
}

function isErrorStackTraceLimitWritable() {
  const descriptor = ObjectGetOwnPropertyDescriptor(Error, 'stackTraceLimit');
  if (descriptor === undefined) return ObjectIsExtensible(Error);
  return ObjectPrototypeHasOwnProperty(descriptor, 'writable') ? descriptor.writable : descriptor.set !== undefined;
}

class AbortError extends Error {
  constructor(message = 'The operation was aborted', options = undefined) {
    if (options !== undefined && typeof options !== 'object') {
      throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
    }
    super(message, options);
    this.code = 'ABORT_ERR';
    this.name = 'AbortError';
  }
}

class NodeAggregateError extends AggregateError {
  constructor(errors, message) {
    super(new SafeArrayIterator(errors), message);
    this.code = errors[0]?.code;
  }

  get [kIsNodeError]() {
    return true;
  }
}

defineHidden(NodeAggregateError.prototype, 'constructor', AggregateError);

// Combines two errors, if the second occurred while the first was handled.
function aggregateTwoErrors(inner, outer) {
  if (!inner || !outer || inner === outer) return inner || outer;
  if (ArrayIsArray(outer.errors)) {
    ArrayPrototypePush(outer.errors, inner);
    return outer;
  }
  const error = new AggregateError(new SafeArrayIterator([outer, inner]), outer.message);
  error.code = outer.code;
  ErrorCaptureStackTrace(error, aggregateTwoErrors);
  return error;
}

function genericNodeError(message, properties) {
  const error = new Error(message);
  ObjectAssign(error, properties);
  return error;
}

// Creates an error with a code that its stack does not show, like those of Node's native code and Web IDL conversions.
function codedError(Class, code, message) {
  const error = new Class(message);
  error.code = code;
  return error;
}

function codedTypeError(code, message) {
  return codedError(TypeError, code, message);
}

function isErrorLike(value) {
  return typeof value === 'object' && value !== null && ObjectPrototypeHasOwnProperty(value, 'stack');
}

// The name and message of V8's stack overflow error, which are determined by causing one.
let overflowName;
let overflowMessage;
function isStackOverflowError(error) {
  if (overflowMessage === undefined) {
    try {
      const recurse = () => recurse();
      recurse();
    } catch (overflow) {
      overflowName = overflow.name;
      overflowMessage = overflow.message;
    }
  }
  return Boolean(error) && error.name === overflowName && error.message === overflowMessage;
}

// Errors that format their own stack, once: `overrideStackTrace.set(error, (error, callSites) => anything)`.
const overrideStackTrace = new SafeWeakMap();
let internalPrepareStackTrace = defaultPrepareStackTrace;

function setInternalPrepareStackTrace(callback) {
  internalPrepareStackTrace = callback;
}

function headline(error) {
  if (typeof error === 'object' && error !== null && kIsNodeError in error) {
    return `${error.name} [${error.code}]: ${error.message}`;
  }
  return ErrorPrototypeToString(error);
}

function defaultPrepareStackTrace(globalThis, error, trace) {
  let first;
  try {
    first = headline(error);
  } catch {
    first = '<error>';
  }
  return trace.length === 0 ? first : `${first}\n    at ${ArrayPrototypeJoin(trace, '\n    at ')}`;
}

// Called by the engine when the stack of an error is first read. Returns the value of `stack`.
function prepareStackTraceCallback(globalThis, error, trace) {
  const override = overrideStackTrace.get(error);
  if (override !== undefined) {
    overrideStackTrace.delete(error);
    return override(error, trace);
  }
  const userError = globalThis.Error;
  const userPrepare = userError?.prepareStackTrace;
  if (typeof userPrepare === 'function') return FunctionPrototypeCall(userPrepare, userError, error, trace);
  return internalPrepareStackTrace(globalThis, error, trace);
}

// Removes the runtime's own frames from the bottom of a stack that is about to be printed.
function hideInternalStackFrames(error) {
  overrideStackTrace.set(error, (error, trace) => {
    const kept = [];
    for (let i = 0; i < trace.length; i++) {
      const file = trace[i].getFileName();
      if (file === null || file === undefined || StringPrototypeSlice(file, 0, 14) !== 'node:internal/') {
        ArrayPrototypePush(kept, trace[i]);
      }
    }
    const frames = kept.length === 0 ? trace : kept;
    return internalPrepareStackTrace(globalThis, error, frames);
  });
}

// Rewrites the stack in the report of an uncaught exception: before the inspector sees it (only if the error has a
// method for this), and afterwards (for example with colours).
const fatalExceptionStackEnhancers = {
  beforeInspector(error) {
    if (typeof error?.[kEnhanceStackBeforeInspector] !== 'function') return error?.stack;
    try {
      // Only once, although the error may be reported more than once.
      const stack = error[kEnhanceStackBeforeInspector]();
      delete error[kEnhanceStackBeforeInspector];
      error.stack = stack;
      return stack;
    } catch {
      return error.stack;
    }
  },
  afterInspector(error) {
    const { inspect } = lazyInspect();
    try {
      const depth = MathMax(inspect.defaultOptions.depth, 5);
      return inspect(error, { colors: lazyColours(), customInspect: false, depth });
    } catch {
      return error.stack;
    }
  },
};

function lazyColours() {
  const stream = process.stderr;
  return Boolean(stream?.isTTY && stream.hasColors?.());
}

module.exports = {
  ...system,
  AbortError,
  E,
  NodeAggregateError,
  SystemError,
  aggregateTwoErrors,
  codedError,
  codedTypeError,
  codes,
  defaultPrepareStackTrace,
  determineSpecificType,
  fatalExceptionStackEnhancers,
  formatList,
  genericNodeError,
  hideInternalStackFrames,
  hideStackFrames,
  inspectWithNoCustomRetry,
  isErrorLike,
  isErrorStackTraceLimitWritable,
  isStackOverflowError,
  kEnhanceStackBeforeInspector,
  kIsNodeError,
  overrideStackTrace,
  prepareStackTraceCallback,
  setInternalPrepareStackTrace,
  throwFrom,
  uvErrmapGet,
};
