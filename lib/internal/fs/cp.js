'use strict';
// fs.cp(): copies trees. One generator walks the tree for all three forms: it yields the results of its operations,
// which are plain values in cpSync() and promises otherwise. The asynchronous forms run the same jobs on the pool as
// Node, including redundant ones, so that callbacks run in the same order.

const {
  ArrayPrototypeEvery,
  ArrayPrototypeFilter,
  Boolean,
  Error,
  Number,
  Promise,
  PromisePrototypeThen,
  SafePromiseAllReturnArrayLike,
  StringPrototypeSplit,
} = primordials;

const binding = internalBinding('fs');
const { kUsePromises } = binding;
const { UV_EEXIST, UV_EINVAL, UV_EISDIR, UV_ENOTDIR } = internalBinding('uv');
const {
  codedError,
  codes: {
    ERR_FS_CP_DIR_TO_NON_DIR,
    ERR_FS_CP_EEXIST,
    ERR_FS_CP_EINVAL,
    ERR_FS_CP_FIFO_PIPE,
    ERR_FS_CP_NON_DIR_TO_DIR,
    ERR_FS_CP_SOCKET,
    ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY,
    ERR_FS_CP_UNKNOWN,
    ERR_FS_EISDIR,
    ERR_INCOMPATIBLE_OPTION_PAIR,
    ERR_INVALID_RETURN_VALUE,
  },
  uvException,
} = require('internal/errors');
const { bindCallback } = require('internal/async_hooks');
const { getStats, getValidatedPath } = require('internal/fs/utils');
const { isPromise } = require('internal/util/types');
const { nextTick } = require('internal/process/task_queues');
const {
  validateBoolean,
  validateFunction,
  validateInteger,
  validateNumber,
  validateObject,
} = require('internal/validators');
const { dirname, isAbsolute, join, parse, resolve, sep } = require('path');
const { op0, op1, op2, settler } = require('internal/fs/operations');

const defaultOptions = {
  dereference: false,
  errorOnExist: false,
  filter: undefined,
  force: true,
  preserveTimestamps: false,
  recursive: false,
  verbatimSymlinks: false,
};

function validateCpOptions(options) {
  if (options === undefined) return { ...defaultOptions, mode: 0 };
  validateObject(options, 'options');
  options = { ...defaultOptions, ...options };
  validateBoolean(options.dereference, 'options.dereference');
  validateBoolean(options.errorOnExist, 'options.errorOnExist');
  validateBoolean(options.force, 'options.force');
  validateBoolean(options.preserveTimestamps, 'options.preserveTimestamps');
  validateBoolean(options.recursive, 'options.recursive');
  validateBoolean(options.verbatimSymlinks, 'options.verbatimSymlinks');
  options.mode = copyMode(options.mode);
  if (options.dereference && options.verbatimSymlinks) {
    throw new ERR_INCOMPATIBLE_OPTION_PAIR('dereference', 'verbatimSymlinks');
  }
  if (options.filter !== undefined) validateFunction(options.filter, 'options.filter');
  return options;
}

function copyMode(mode) {
  if (mode === undefined || mode === null) return 0;
  validateNumber(mode, 'mode');
  validateInteger(mode, 'mode', 0, 7);
  return mode;
}

// The file system operations of the generator.
const syncOperations = {
  isSync: true,
  stat: (path) => getStats(binding.stat(path, true)),
  lstat: (path) => getStats(binding.lstat(path, true)),
  mkdir: (path) => binding.mkdir(path, 0o777),
  mkdirs: (path) => binding.mkdirAll(path, 0o777),
  copyFile: (src, dest, mode) => binding.copyFile(src, dest, mode),
  chmod: (path, mode) => binding.chmod(path, mode),
  utimes: (path, atime, mtime) => binding.utimes(path, atime, mtime),
  readlink: (path) => binding.readlink(path, false),
  symlink: (target, path) => binding.symlink(target, path),
  unlink: (path) => binding.unlink(path),
};

const asyncOperations = {
  isSync: false,
  stat: (path) => op1(binding.stat, path, true, getStats),
  lstat: (path) => op1(binding.lstat, path, true, getStats),
  mkdir: (path) => op1(binding.mkdir, path, 0o777),
  mkdirs: (path) => op1(binding.mkdirAll, path, 0o777),
  copyFile: (src, dest, mode) => op2(binding.copyFile, src, dest, mode),
  chmod: (path, mode) => op1(binding.chmod, path, mode),
  utimes: (path, atime, mtime) => op2(binding.utimes, path, atime, mtime),
  readlink: (path) => op1(binding.readlink, path, false),
  symlink: (target, path) => op1(binding.symlink, target, path),
  unlink: (path) => op0(binding.unlink, path),
};

function copyTree(src, dest, mode, keepsLinks) {
  return new Promise((resolve, reject) => {
    binding.copyTree(src, dest, mode, keepsLinks,
      settler((error) => (error !== null ? reject(error) : resolve())), kUsePromises);
  });
}

// Returns the statistics of an existing destination, or undefined.
function targetOf(promise) {
  return PromisePrototypeThen(promise, undefined, (error) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

function runSync(steps) {
  let step = steps.next();
  while (!step.done) step = steps.next(step.value);
  return step.value;
}

// Throws errors of operations into the generator at its yield, where it can catch them.
async function runAsync(steps) {
  let step = steps.next();
  while (!step.done) {
    let value;
    try {
      value = await step.value;
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(value);
  }
  return step.value;
}

function problem(Class, code, errno, path, message) {
  return new Class({ message, path, syscall: 'cp', errno, code });
}

function invalid(path, message) {
  return problem(ERR_FS_CP_EINVAL, 'EINVAL', -UV_EINVAL, path, message);
}

function isSame(left, right) {
  return right.ino !== 0n && right.dev !== 0n && left.ino === right.ino && left.dev === right.dev;
}

function partsOf(path) {
  return ArrayPrototypeFilter(StringPrototypeSplit(resolve(path), sep), Boolean);
}

// Compares names only. True if `inner` is `outer` or below it.
function isBelow(outer, inner) {
  const innerParts = partsOf(inner);
  return ArrayPrototypeEvery(partsOf(outer), (part, i) => innerParts[i] === part);
}

function refuse(code, message) {
  throw codedError(Error, code, message);
}

// As in Node, these checks follow a link at the source even if the link itself is copied.
function checkRootSync(src, source, dest, target, { recursive }) {
  const from = source.isSymbolicLink() ? statOrUndefined(src) ?? source : source;
  if (target !== undefined) {
    const to = statOrUndefined(dest);
    if (to !== undefined && isSame(from, to)) refuse('ERR_FS_CP_EINVAL', `src and dest cannot be the same ${dest}`);
    if (from.isDirectory() && !target.isDirectory()) {
      refuse('ERR_FS_CP_DIR_TO_NON_DIR', `Cannot overwrite non-directory ${dest} with directory ${src}`);
    }
    if (!from.isDirectory() && target.isDirectory()) {
      refuse('ERR_FS_CP_NON_DIR_TO_DIR', `Cannot overwrite directory ${dest} with non-directory ${src}`);
    }
  }
  if (!from.isDirectory()) return;
  if (source.isDirectory() && isBelow(src, dest)) {
    refuse('ERR_FS_CP_EINVAL', `Cannot copy ${src}/ to a subdirectory of self ${dest}`);
  }
  // A source that is a directory itself is rejected later, after its parents were checked.
  if (!recursive && !source.isDirectory()) refuseDirectory(src);
}

function refuseDirectory(src) {
  refuse('ERR_FS_EISDIR', `Recursive option not enabled, cannot copy a directory: ${src}/`);
}

function statOrUndefined(path) {
  try {
    return getStats(binding.stat(path, true));
  } catch {
    return undefined;
  }
}

class Copy {
  #ops;
  #options;
  #isRoot = false; // True for the first pair of cpSync(), whose error messages differ from those below it.

  constructor(ops, options) {
    this.#ops = ops;
    this.#options = options;
  }

  *run(src, dest) {
    this.#isRoot = this.#ops.isSync;
    const seen = yield* this.#look(src, dest);
    if (seen === null) return;
    yield* this.#checkParents(src, seen.source, dest);
    yield* this.#makeParent(dest);
    yield* this.#copy(src, seen, dest);
  }

  *#lookAt(stat, src, dest) {
    if (!this.#ops.isSync) return yield SafePromiseAllReturnArrayLike([stat(src), targetOf(stat(dest))]);
    const source = stat(src);
    try {
      return [source, stat(dest)];
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
      return [source, undefined];
    }
  }

  // Returns the statistics of source and destination, or null if the filter rejects the pair.
  *#look(src, dest) {
    const { filter, dereference } = this.#options;
    if (filter !== undefined) {
      const answer = filter(src, dest);
      if (this.#ops.isSync && isPromise(answer)) throw new ERR_INVALID_RETURN_VALUE('boolean', 'filter', answer);
      if (!(yield answer)) return null;
    }
    const stat = dereference ? this.#ops.stat : this.#ops.lstat;
    const { 0: source, 1: target } = yield* this.#lookAt(stat, src, dest);
    if (this.#isRoot) checkRootSync(src, source, dest, target, this.#options);
    this.#isRoot = false;
    this.#checkPair(src, source, dest, target);
    return { source, target };
  }

  #checkPair(src, source, dest, target) {
    if (target !== undefined) {
      if (isSame(source, target)) throw invalid(dest, 'src and dest cannot be the same');
      if (source.isDirectory() && !target.isDirectory()) {
        throw problem(ERR_FS_CP_DIR_TO_NON_DIR, 'EISDIR', -UV_EISDIR, dest,
          `cannot overwrite non-directory ${dest} with directory ${src}`);
      }
      if (!source.isDirectory() && target.isDirectory()) {
        throw problem(ERR_FS_CP_NON_DIR_TO_DIR, 'ENOTDIR', -UV_ENOTDIR, dest,
          `cannot overwrite directory ${dest} with non-directory ${src}`);
      }
    }
    if (source.isDirectory() && isBelow(src, dest)) {
      throw invalid(dest, `cannot copy ${src} to a subdirectory of self ${dest}`);
    }
  }

  // Rejects a destination whose parents lead into the source through links, because the copy would never end.
  *#checkParents(src, source, dest) {
    const isDirectory = source.isDirectory();
    if (this.#ops.isSync && !isDirectory) return;
    // Synchronous, because Node has no job for it.
    const real = isDirectory ? binding.realpath(src, false) : undefined;
    const sourceParent = resolve(dirname(src));
    let parent = resolve(dirname(dest));
    while (parent !== sourceParent && parent !== parse(parent).root) {
      let stats;
      try {
        stats = yield this.#ops.stat(parent);
      } catch (error) {
        if (error.code === 'ENOENT') return;
        throw error;
      }
      if (isSame(source, stats) || (isDirectory && isBelow(real, binding.realpath(parent, false)))) {
        throw invalid(dest, `cannot copy ${src} to a subdirectory of self ${dest}`);
      }
      parent = resolve(dirname(parent));
    }
  }

  *#makeParent(dest) {
    const parent = dirname(dest);
    try {
      yield this.#ops.stat(parent);
    } catch {
      yield this.#ops.mkdirs(parent);
    }
  }

  *#copy(src, { source, target }, dest) {
    if (!this.#ops.isSync) source = yield (this.#options.dereference ? this.#ops.stat : this.#ops.lstat)(src);
    if (source.isDirectory()) {
      if (!this.#options.recursive) {
        if (this.#ops.isSync) refuseDirectory(src);
        throw problem(ERR_FS_EISDIR, 'EISDIR', -UV_EISDIR, src,
          `${src} is a directory (not copied)`);
      }
      yield* this.#copyDirectory(src, source, dest, target);
    } else if (source.isFile() || source.isCharacterDevice() || source.isBlockDevice()) {
      yield* this.#copyFile(src, source, dest, target);
    } else if (source.isSymbolicLink()) {
      yield* this.#copyLink(src, dest, target);
    } else if (source.isSocket()) {
      throw problem(ERR_FS_CP_SOCKET, 'EINVAL', -UV_EINVAL, dest, `cannot copy a socket file: ${dest}`);
    } else if (source.isFIFO()) {
      throw problem(ERR_FS_CP_FIFO_PIPE, 'EINVAL', -UV_EINVAL, dest, `cannot copy a FIFO pipe: ${dest}`);
    } else {
      throw problem(ERR_FS_CP_UNKNOWN, 'EINVAL', -UV_EINVAL, dest, `cannot copy an unknown file type: ${dest}`);
    }
  }

  *#copyFile(src, source, dest, target) {
    const { errorOnExist, force, mode, preserveTimestamps } = this.#options;
    if (target !== undefined) {
      if (!force) {
        if (!errorOnExist) return;
        throw problem(ERR_FS_CP_EEXIST, 'EEXIST', -UV_EEXIST, dest, `${dest} already exists`);
      }
      yield this.#ops.unlink(dest);
    }
    yield this.#ops.copyFile(src, dest, mode);
    const permissions = Number(source.mode) & 0o7777;
    if (!preserveTimestamps) {
      if (!this.#ops.isSync) yield this.#ops.chmod(dest, permissions);
      return;
    }
    // Setting the times needs write permission.
    const isReadOnly = (permissions & 0o200) === 0;
    if (isReadOnly) yield this.#ops.chmod(dest, permissions | 0o200);
    // Read again: copying may have changed the access time.
    const now = yield this.#ops.stat(src);
    yield this.#ops.utimes(dest, Number(now.atimeNs) / 1e9, Number(now.mtimeNs) / 1e9);
    if (isReadOnly || !this.#ops.isSync) yield this.#ops.chmod(dest, permissions);
  }

  *#copyEntry(name, src, dest) {
    const from = join(src, name);
    const to = join(dest, name);
    const seen = yield* this.#look(from, to);
    if (seen !== null) yield* this.#copy(from, seen, to);
  }

  *#copyEntries(src, dest) {
    if (this.#ops.isSync) {
      const names = binding.readdir(src, false, false);
      for (let i = 0; i < names.length; i++) yield* this.#copyEntry(names[i], src, dest);
      return;
    }
    const directory = yield require('internal/fs/dir').opendirPromise(src);
    try {
      for (let entry = yield directory.read(); entry !== null; entry = yield directory.read()) {
        yield* this.#copyEntry(entry.name, src, dest);
      }
    } finally {
      yield directory.close();
    }
  }

  // As in Node 26, a tree is copied to a new destination in one job if no special options are set.
  #isOneJob() {
    const { dereference, filter, force, preserveTimestamps } = this.#options;
    return !this.#ops.isSync && force && filter === undefined && !dereference && !preserveTimestamps;
  }

  // Copies the tree in one native job and returns whether that succeeded. On failure the caller copies step by step,
  // which reports the error as Node does. If the destination has been created meanwhile, for example by another cp(),
  // nothing was copied, and the error is that of mkdir().
  *#copyInOneJob(src, dest) {
    const { mode, verbatimSymlinks } = this.#options;
    try {
      yield copyTree(src, dest, mode, verbatimSymlinks);
      return true;
    } catch (error) {
      if (error.code !== 'EEXIST' || error.syscall !== 'mkdir') return false;
      throw uvException({ errno: UV_EEXIST, syscall: 'mkdir', path: dest });
    }
  }

  *#makeDirectory(src, dest) {
    const isOneJob = this.#isOneJob();
    if (isOneJob && (yield* this.#copyInOneJob(src, dest))) return true;
    try {
      yield this.#ops.mkdir(dest);
    } catch (error) {
      if (!isOneJob || error.code !== 'EEXIST') throw error;
    }
    return false;
  }

  *#copyDirectory(src, source, dest, target) {
    const { errorOnExist, force } = this.#options;
    if (target !== undefined && !this.#ops.isSync && errorOnExist && !force) {
      throw problem(ERR_FS_CP_EEXIST, 'EEXIST', -UV_EEXIST, dest, `${dest} already exists`);
    }
    if (target === undefined && (yield* this.#makeDirectory(src, dest))) return;
    yield* this.#copyEntries(src, dest);
    // Last, because the mode may forbid writing into the directory.
    if (target === undefined) yield this.#ops.chmod(dest, Number(source.mode) & 0o7777);
  }

  *#copyLink(src, dest, target) {
    let to = yield this.#ops.readlink(src);
    if (!this.#options.verbatimSymlinks && !isAbsolute(to)) to = resolve(dirname(src), to);
    if (target === undefined) {
      yield this.#ops.symlink(to, dest);
      return;
    }
    let old;
    try {
      old = yield this.#ops.readlink(dest);
    } catch (error) {
      // The destination is not a link: symlink() reports the error.
      if (error.code !== 'EINVAL' && error.code !== 'UNKNOWN') throw error;
      yield this.#ops.symlink(to, dest);
      return;
    }
    if (!isAbsolute(old)) old = resolve(dirname(dest), old);
    // A link must not replace a link to a directory above or below its own target.
    const behind = yield this.#ops.stat(src);
    if (behind.isDirectory() && isBelow(to, old)) {
      throw invalid(dest, `cannot copy ${to} to a subdirectory of self ${old}`);
    }
    if (behind.isDirectory() && isBelow(old, to)) {
      throw problem(ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY, 'EINVAL', -UV_EINVAL, dest,
        `cannot overwrite ${old} with ${to}`);
    }
    yield this.#ops.unlink(dest);
    yield this.#ops.symlink(to, dest);
  }
}

function paths(src, dest) {
  src = getValidatedPath(src, 'src');
  dest = getValidatedPath(dest, 'dest');
  // Strings, because the walk joins names to them.
  return [typeof src === 'string' ? src : `${src}`, typeof dest === 'string' ? dest : `${dest}`];
}

function cpSync(src, dest, options) {
  options = validateCpOptions(options);
  const { 0: from, 1: to } = paths(src, dest);
  runSync(new Copy(syncOperations, options).run(from, to));
}

async function cpPromise(src, dest, options) {
  options = validateCpOptions(options);
  const { 0: from, 1: to } = paths(src, dest);
  return runAsync(new Copy(asyncOperations, options).run(from, to));
}

function cp(src, dest, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  validateFunction(callback, 'cb');
  callback = bindCallback('FSREQCALLBACK', callback);
  options = validateCpOptions(options);
  const { 0: from, 1: to } = paths(src, dest);
  // In a tick: in a promise reaction an exception of the callback would become a rejection.
  PromisePrototypeThen(runAsync(new Copy(asyncOperations, options).run(from, to)),
    () => nextTick(callback, null, undefined), (error) => nextTick(callback, error));
}

module.exports = { cp, cpPromise, cpSync };
