'use strict';

// Metadata of files: statistics, access checks, modes, owners and times.

const { ObjectDefineProperty, Promise } = primordials;

const binding = internalBinding('fs');
const { parseFileMode, validateFunction, validateInteger } = require('internal/validators');
const { bindCallback } = require('internal/async_hooks');
const { promisify } = require('internal/util');
const {
  getStats,
  getValidMode,
  getValidatedFd,
  getValidatedPath,
  makeCallback,
  makeQuietStatsCallback,
  makeStatsCallback,
  statFsFromNumbers,
  statsFromBigNumbers,
  statsFromNumbers,
  toUnixTimestamp,
} = require('internal/fs/utils');

const kMaxUserId = 2 ** 32 - 1;
const { AbortError } = require('internal/errors');

const F_OK = 0;

// ---- Statistics

const plainOptions = { bigint: false };
const plainSyncOptions = { bigint: false, throwIfNoEntry: true };

function stat(path, options = plainOptions, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = plainOptions;
  } else if (options === null || typeof options !== 'object') {
    options = plainOptions;
  }
  callback = options.throwIfNoEntry === false ? makeQuietStatsCallback(callback) : makeStatsCallback(callback);
  path = getValidatedPath(path);
  if (options.signal?.aborted) {
    callback(new AbortError(undefined, { cause: options.signal.reason }));
    return;
  }
  binding.stat(path, options.bigint === true, callback);
}

function lstat(path, options = plainOptions, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = plainOptions;
  }
  callback = makeStatsCallback(callback);
  path = getValidatedPath(path);
  binding.lstat(path, options.bigint === true, callback);
}

function fstat(fd, options = plainOptions, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = plainOptions;
  }
  callback = makeStatsCallback(callback);
  binding.fstat(getValidatedFd(fd), options.bigint === true, callback);
}

function statSync(path, options = plainSyncOptions) {
  path = getValidatedPath(path);
  const isBig = options.bigint === true;
  const numbers = binding.stat(path, isBig, options.throwIfNoEntry !== false);
  if (numbers === undefined) return undefined;
  return isBig ? statsFromBigNumbers(numbers) : statsFromNumbers(numbers);
}

function lstatSync(path, options = plainSyncOptions) {
  path = getValidatedPath(path);
  const isBig = options.bigint === true;
  const numbers = binding.lstat(path, isBig, options.throwIfNoEntry !== false);
  if (numbers === undefined) return undefined;
  return isBig ? statsFromBigNumbers(numbers) : statsFromNumbers(numbers);
}

function fstatSync(fd, options = plainOptions) {
  fd = getValidatedFd(fd);
  return getStats(binding.fstat(fd, options.bigint === true));
}

function statfs(path, options = plainOptions, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = plainOptions;
  }
  validateFunction(callback, 'cb');
  path = getValidatedPath(path);
  const bound = bindCallback('FSREQCALLBACK', callback);
  binding.statfs(path, options.bigint === true, (error, numbers) => {
    if (error !== null) bound(error);
    else bound(null, statFsFromNumbers(numbers));
  });
}

function statfsSync(path, options = plainOptions) {
  path = getValidatedPath(path);
  return statFsFromNumbers(binding.statfs(path, options.bigint === true));
}

// ---- Access

function access(path, mode, callback) {
  if (typeof mode === 'function') {
    callback = mode;
    mode = F_OK;
  }
  path = getValidatedPath(path);
  callback = makeCallback(callback);
  binding.access(path, getValidMode(mode), callback);
}

function accessSync(path, mode) {
  path = getValidatedPath(path);
  binding.access(path, getValidMode(mode));
}

function exists(path, callback) {
  validateFunction(callback, 'cb');
  try {
    path = getValidatedPath(path);
  } catch {
    // Called asynchronously, like every other result.
    process.nextTick(callback, false);
    return;
  }
  const bound = bindCallback('FSREQCALLBACK', callback);
  binding.access(path, F_OK, (error) => bound(error === null));
}

ObjectDefineProperty(exists, promisify.custom, {
  __proto__: null,
  value: function exists(path) {
    return new Promise((resolve) => module.exports.exists(path, resolve));
  },
});

let warnedOfExists = false;

function existsSync(path) {
  try {
    path = getValidatedPath(path);
  } catch (error) {
    if (!warnedOfExists && error?.code === 'ERR_INVALID_ARG_TYPE') {
      warnedOfExists = true;
      process.emitWarning(
        'Passing invalid argument types to fs.existsSync is deprecated', 'DeprecationWarning', 'DEP0187');
    }
    return false;
  }
  return binding.exists(path);
}

// ---- Modes and owners

function chmod(path, mode, callback) {
  path = getValidatedPath(path);
  mode = parseFileMode(mode, 'mode');
  binding.chmod(path, mode, makeCallback(callback));
}

function chmodSync(path, mode) {
  path = getValidatedPath(path);
  binding.chmod(path, parseFileMode(mode, 'mode'));
}

function fchmod(fd, mode, callback) {
  mode = parseFileMode(mode, 'mode');
  callback = makeCallback(callback);
  binding.fchmod(getValidatedFd(fd), mode, callback);
}

function fchmodSync(fd, mode) {
  mode = parseFileMode(mode, 'mode');
  binding.fchmod(getValidatedFd(fd), mode);
}

function validateOwner(uid, gid) {
  validateInteger(uid, 'uid', -1, kMaxUserId);
  validateInteger(gid, 'gid', -1, kMaxUserId);
}

function chown(path, uid, gid, callback) {
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  validateOwner(uid, gid);
  binding.chown(path, uid, gid, callback);
}

function chownSync(path, uid, gid) {
  path = getValidatedPath(path);
  validateOwner(uid, gid);
  binding.chown(path, uid, gid);
}

function fchown(fd, uid, gid, callback) {
  validateOwner(uid, gid);
  callback = makeCallback(callback);
  binding.fchown(getValidatedFd(fd), uid, gid, callback);
}

function fchownSync(fd, uid, gid) {
  validateOwner(uid, gid);
  binding.fchown(getValidatedFd(fd), uid, gid);
}

function lchown(path, uid, gid, callback) {
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  validateOwner(uid, gid);
  binding.lchown(path, uid, gid, callback);
}

function lchownSync(path, uid, gid) {
  path = getValidatedPath(path);
  validateOwner(uid, gid);
  binding.lchown(path, uid, gid);
}

// ---- Times

function utimes(path, atime, mtime, callback) {
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  binding.utimes(path, toUnixTimestamp(atime), toUnixTimestamp(mtime), callback);
}

function utimesSync(path, atime, mtime) {
  path = getValidatedPath(path);
  binding.utimes(path, toUnixTimestamp(atime), toUnixTimestamp(mtime));
}

function futimes(fd, atime, mtime, callback) {
  atime = toUnixTimestamp(atime, 'atime');
  mtime = toUnixTimestamp(mtime, 'mtime');
  callback = makeCallback(callback);
  binding.futimes(getValidatedFd(fd), atime, mtime, callback);
}

function futimesSync(fd, atime, mtime) {
  atime = toUnixTimestamp(atime, 'atime');
  mtime = toUnixTimestamp(mtime, 'mtime');
  binding.futimes(getValidatedFd(fd), atime, mtime);
}

function lutimes(path, atime, mtime, callback) {
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  binding.lutimes(path, toUnixTimestamp(atime), toUnixTimestamp(mtime), callback);
}

function lutimesSync(path, atime, mtime) {
  path = getValidatedPath(path);
  binding.lutimes(path, toUnixTimestamp(atime), toUnixTimestamp(mtime));
}

module.exports = {
  access,
  accessSync,
  chmod,
  chmodSync,
  chown,
  chownSync,
  exists,
  existsSync,
  fchmod,
  fchmodSync,
  fchown,
  fchownSync,
  fstat,
  fstatSync,
  futimes,
  futimesSync,
  lchown,
  lchownSync,
  lstat,
  lstatSync,
  lutimes,
  lutimesSync,
  stat,
  statSync,
  statfs,
  statfsSync,
  utimes,
  utimesSync,
};
