'use strict';
// process.execve(): replaces this process with another program.

const {
  ArrayPrototypePush,
  Error,
  ObjectEntries,
  StringPrototypeIncludes,
  StringPrototypeSlice,
  StringPrototypeToUpperCase,
} = primordials;
const binding = internalBinding('process');
const {
  codes: { ERR_INVALID_ARG_VALUE, ERR_WORKER_UNSUPPORTED_OPERATION },
} = require('internal/errors');
const { emitExperimentalWarning } = require('internal/util');
const { validateArray, validateObject, validateString } = require('internal/validators');
const { channel } = require('diagnostics_channel');

const execveChannel = channel('process.execve');

function isPlain(value) {
  return typeof value === 'string' && !StringPrototypeIncludes(value, '\0');
}

function execve(execPath, args = [], env = process.env) {
  emitExperimentalWarning('process.execve');
  if (!require('worker_threads').isMainThread) throw new ERR_WORKER_UNSUPPORTED_OPERATION('Calling process.execve');
  validateString(execPath, 'execPath');
  validateArray(args, 'args');
  for (let i = 0; i < args.length; i++) {
    if (!isPlain(args[i])) {
      throw new ERR_INVALID_ARG_VALUE(`args[${i}]`, args[i], 'must be a string without null bytes');
    }
  }
  validateObject(env, 'env');
  const environment = [];
  const entries = ObjectEntries(env);
  for (let i = 0; i < entries.length; i++) {
    const { 0: name, 1: value } = entries[i];
    if (!isPlain(name) || !isPlain(value)) {
      throw new ERR_INVALID_ARG_VALUE('env', env, 'must be an object with string keys and values without null bytes');
    }
    ArrayPrototypePush(environment, `${name}=${value}`);
  }
  if (execveChannel.hasSubscribers) execveChannel.publish({ execPath, args, env: environment });
  throw failure(-binding.execve(execPath, args, environment), execPath);
}

// As in Node, uses the error texts of the C library.
function failure(errno, path) {
  const { getSystemErrorMap } = require('util');
  const { 0: code, 1: message } = getSystemErrorMap().get(-errno) ?? ['UNKNOWN', 'unknown error'];
  const sentence = `${StringPrototypeToUpperCase(message[0])}${StringPrototypeSlice(message, 1)}`;
  const error = new Error(`${code}, ${sentence} '${path}'`);
  error.errno = errno;
  error.code = code;
  error.syscall = 'execve';
  error.path = path;
  return error;
}

module.exports = { execve };
