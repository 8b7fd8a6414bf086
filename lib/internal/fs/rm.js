'use strict';
// fs.rm(): checks and retries. The removal itself is one operation of the binding.

const { Promise, SafeSet } = primordials;

const binding = internalBinding('fs_tree');
const files = internalBinding('fs');
const { UV_EBUSY, UV_EISDIR, UV_EMFILE, UV_ENFILE, UV_ENOTEMPTY, UV_EPERM } = internalBinding('uv');
const { bindCallback } = require('internal/async_hooks');
const { UVException, codes: { ERR_FS_EISDIR } } = require('internal/errors');
const { defaultRmOptions, getStats, getValidatedPath, validateRmdirOptions } = require('internal/fs/utils');
const { sleep } = require('internal/util');
const { validateBoolean } = require('internal/validators');

// Errors that may be temporary.
const passing = new SafeSet([UV_EBUSY, UV_EMFILE, UV_ENFILE, UV_ENOTEMPTY, UV_EPERM]);

function removalError(errno, syscall, path) {
  return new UVException({ errno, code: undefined, syscall, path });
}

function validateRmOptions(options) {
  options = validateRmdirOptions(options, defaultRmOptions);
  validateBoolean(options.force, 'options.force');
  return options;
}

function isDirectoryError(path) {
  return new ERR_FS_EISDIR({ code: 'EISDIR', message: 'is a directory', path, syscall: 'rm', errno: -UV_EISDIR });
}

// Tries once and retries up to maxRetries times. Each delay is longer than the one before.
function rimraf(path, options, callback) {
  let tries = 0;
  const attempt = () => {
    binding.remove(path, (errno, syscall, where) => {
      if (errno === 0) {
        callback(null);
      } else if (tries < options.maxRetries && passing.has(errno)) {
        tries++;
        require('timers').setTimeout(attempt, tries * options.retryDelay);
      } else {
        callback(removalError(errno, syscall, where));
      }
    });
  };
  attempt();
}

function rimrafSync(path, options) {
  for (let tries = 1; ; tries++) {
    const failure = binding.removeSync(path);
    if (failure === undefined) return;
    const { 0: errno, 1: syscall, 2: where } = failure;
    if (tries > options.maxRetries || !passing.has(errno)) throw removalError(errno, syscall, where);
    if (options.retryDelay > 0) sleep(tries * options.retryDelay);
  }
}

// Calls back with null if the path may be removed, otherwise with an error.
function check(path, options, callback) {
  files.lstat(path, false, (error, numbers) => {
    if (error !== null) {
      callback(options.force && error.code === 'ENOENT' ? null : error);
    } else if (!options.recursive && getStats(numbers).isDirectory()) {
      callback(isDirectoryError(path));
    } else {
      callback(null);
    }
  });
}

function checkSync(path, options) {
  const numbers = files.lstat(path, false, !options.force);
  if (numbers !== undefined && !options.recursive && getStats(numbers).isDirectory()) throw isDirectoryError(path);
}

function rm(path, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  path = getValidatedPath(path);
  options = validateRmOptions(options);
  // As in Node, a callback that is not a function only fails when it is called.
  const bound = typeof callback === 'function' ? bindCallback('FSREQCALLBACK', callback) : callback;
  check(path, options, (error) => {
    if (error) bound(error);
    else rimraf(path, options, bound);
  });
}

function rmSync(path, options) {
  path = getValidatedPath(path);
  options = validateRmOptions(options);
  checkSync(path, options);
  rimrafSync(path, options);
}

async function rmPromise(path, options) {
  path = getValidatedPath(path);
  options = validateRmOptions(options);
  return new Promise((resolve, reject) => {
    const done = (error) => (error ? reject(error) : resolve());
    check(path, options, (error) => {
      if (error) done(error);
      else rimraf(path, options, done);
    });
  });
}

module.exports = { rimraf, rimrafSync, rm, rmPromise, rmSync, validateRmOptions };
