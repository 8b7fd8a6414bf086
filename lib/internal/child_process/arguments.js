'use strict';

// Normalization and validation of the arguments of child_process.

const {
  ArrayIsArray,
  ArrayPrototypeIncludes,
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  ArrayPrototypeUnshift,
  Boolean,
  ObjectPrototypeHasOwnProperty,
  StringPrototypeIncludes,
  TypedArrayPrototypeGetSymbolToStringTag,
} = primordials;

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE },
} = require('internal/errors');
const {
  validateBoolean,
  validateFunction,
  validateInteger,
  validateNumber,
  validateObject,
  validateString,
} = require('internal/validators');
const { convertToValidSignal, getDeprecationWarningEmitter, kEmptyObject } = require('internal/util');
const { toPathIfFileURL } = require('internal/url');

// Rejects null bytes, which would end the text early in a system call.
function checkNoZero(value, name) {
  if (typeof value === 'string' && StringPrototypeIncludes(value, '\u0000')) {
    throw new ERR_INVALID_ARG_VALUE(name, value, 'must be a string without null bytes');
  }
}

function checkAllNoZero(values, name) {
  for (let i = 0; i < values.length; i++) checkNoZero(values[i], `${name}[${i}]`);
}

// Returns a path as a string. Accepts a string, bytes or a file: URL.
function pathOf(value, name) {
  const path = toPathIfFileURL(value);
  const isBytes = TypedArrayPrototypeGetSymbolToStringTag(path) === 'Uint8Array';
  if (typeof path !== 'string' && !isBytes) throw new ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'URL'], path);
  const text = isBytes ? require('buffer').Buffer.from(path).toString() : path;
  if (StringPrototypeIncludes(text, '\u0000')) {
    throw new ERR_INVALID_ARG_VALUE(name, path, 'must be a string, Uint8Array, or URL without null bytes');
  }
  return text;
}

function checkOptional(value, name, check) {
  if (value !== undefined && value !== null) check(value, name);
}

// User and group ids are 32 bits wide.
const kLeastId = -(2 ** 31);
const kMostId = 2 ** 31 - 1;

function checkId(value, name) {
  validateInteger(value, name, kLeastId, kMostId);
}

function checkShell(value, name) {
  if (typeof value !== 'boolean' && typeof value !== 'string') {
    throw new ERR_INVALID_ARG_TYPE(name, ['boolean', 'string'], value);
  }
}

function checkText(value, name) {
  validateString(value, name);
  checkNoZero(value, name);
}

// Returns the environment as NAME=value strings. Inherited properties are included, as in Node.
function pairsOf(env) {
  const pairs = [];
  for (const key in env) {
    const value = env[key];
    if (value === undefined) continue;
    checkNoZero(key, `options.env['${key}']`);
    checkNoZero(value, `options.env['${key}']`);
    ArrayPrototypePush(pairs, `${key}=${value}`);
  }
  // Coverage of a program includes its child processes.
  const coverage = process.env.NODE_V8_COVERAGE;
  if (coverage !== undefined && env !== process.env && !ObjectPrototypeHasOwnProperty(env, 'NODE_V8_COVERAGE')) {
    ArrayPrototypePush(pairs, `NODE_V8_COVERAGE=${coverage}`);
  }
  return pairs;
}

// Returns undefined if the child inherits the environment unchanged: native code then uses its own copy. An IPC channel
// adds a variable.
function pairsOrNothing(env, stdio) {
  const hasChannel = ArrayIsArray(stdio) && ArrayPrototypeIncludes(stdio, 'ipc');
  return env === require('internal/process/env').env && !hasChannel ? undefined : pairsOf(env);
}

const warnOfConcatenation = getDeprecationWarningEmitter(
  'DEP0190',
  'Passing args to a child process with shell option true can lead to security vulnerabilities, as the arguments are not ' +
  'escaped, only concatenated.');

// Normalizes the options of spawn() and spawnSync(), with file, args, cwd and envPairs. args include argv[0].
function normalizeSpawnArguments(file, args, options) {
  checkText(file, 'file');
  if (file.length === 0) throw new ERR_INVALID_ARG_VALUE('file', file, 'cannot be empty');
  if (ArrayIsArray(args)) {
    args = ArrayPrototypeSlice(args);
  } else if (args === undefined || args === null) {
    args = [];
  } else if (typeof args !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('args', 'object', args);
  } else {
    options = args;
    args = [];
  }
  checkAllNoZero(args, 'args');
  if (options === undefined) {
    options = kEmptyObject;
  } else {
    validateObject(options, 'options');
  }
  options = { __proto__: null, ...options };
  let { cwd } = options;
  if (cwd !== undefined && cwd !== null) cwd = pathOf(cwd, 'options.cwd');
  checkOptional(options.detached, 'options.detached', validateBoolean);
  checkOptional(options.uid, 'options.uid', checkId);
  checkOptional(options.gid, 'options.gid', checkId);
  checkOptional(options.shell, 'options.shell', checkShell);
  checkOptional(options.argv0, 'options.argv0', checkText);
  checkOptional(options.windowsHide, 'options.windowsHide', validateBoolean);
  checkOptional(options.windowsVerbatimArguments, 'options.windowsVerbatimArguments', validateBoolean);
  if (options.shell) {
    checkNoZero(options.shell, 'options.shell');
    if (args.length > 0) warnOfConcatenation();
    const command = args.length === 0 ? file : `${file} ${ArrayPrototypeJoin(args, ' ')}`;
    file = typeof options.shell === 'string' ? options.shell : '/bin/sh';
    args = ['-c', command];
  }
  ArrayPrototypeUnshift(args, typeof options.argv0 === 'string' ? options.argv0 : file);
  return {
    // Programs may pass additional properties, which are ignored.
    __proto__: null,
    ...options,
    args,
    cwd,
    detached: Boolean(options.detached),
    envPairs: pairsOrNothing(options.env || process.env, options.stdio),
    file,
    windowsHide: Boolean(options.windowsHide),
    windowsVerbatimArguments: Boolean(options.windowsVerbatimArguments),
  };
}

// Signature: (file[, args][, options][, callback])
function normalizeExecFileArgs(file, args, options, callback) {
  if (ArrayIsArray(args)) {
    args = ArrayPrototypeSlice(args);
  } else if (args !== null && typeof args === 'object') {
    callback = options;
    options = args;
    args = null;
  } else if (typeof args === 'function') {
    callback = args;
    options = null;
    args = null;
  }
  args ??= [];
  if (typeof options === 'function') {
    callback = options;
  } else if (options !== undefined && options !== null) {
    validateObject(options, 'options');
  }
  options ??= kEmptyObject;
  checkOptional(callback, 'callback', validateFunction);
  checkOptional(options.argv0, 'options.argv0', checkText);
  checkOptional(options.shell, 'options.shell', checkShell);
  return { file, args, options, callback };
}

// Signature: (command[, options][, callback])
function normalizeExecArgs(command, options, callback) {
  checkText(command, 'command');
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  options = { __proto__: null, ...options };
  options.shell = typeof options.shell === 'string' ? options.shell : true;
  return { file: command, options, callback };
}

function validateTimeout(timeout) {
  if (timeout !== undefined && timeout !== null) validateInteger(timeout, 'timeout', 0);
}

function validateMaxBuffer(maxBuffer) {
  if (maxBuffer !== undefined && maxBuffer !== null) validateNumber(maxBuffer, 'options.maxBuffer', 0);
}

// Returns the number of the signal; undefined if none is set.
function sanitizeKillSignal(killSignal) {
  if (typeof killSignal === 'string' || typeof killSignal === 'number') return convertToValidSignal(killSignal);
  if (killSignal !== undefined && killSignal !== null) {
    throw new ERR_INVALID_ARG_TYPE('options.killSignal', ['string', 'number'], killSignal);
  }
  return undefined;
}

module.exports = {
  checkAllNoZero,
  checkNoZero,
  normalizeExecArgs,
  normalizeExecFileArgs,
  normalizeSpawnArguments,
  pathOf,
  sanitizeKillSignal,
  validateMaxBuffer,
  validateTimeout,
};
