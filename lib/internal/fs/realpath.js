'use strict';

// realpath() resolves a path part by part, as Node does: each part is a job of the pool, and an error names the first
// part that failed. realpathSync() calls realpath(3), and only walks if that fails, for the error.

const {
  ArrayPrototypeShift,
  Number,
  ObjectDefineProperty,
  SafeMap,
  SafeSet,
  StringPrototypeSplit,
  StringPrototypeStartsWith,
} = primordials;

const binding = internalBinding('fs');
const { Buffer } = require('buffer');
const { resolve } = require('path');
const { validateFunction } = require('internal/validators');
const { bindCallback } = require('internal/async_hooks');
const { nextTick } = require('internal/process/task_queues');
const { toPathIfFileURL } = require('internal/url');
const {
  decodeName,
  getOptions,
  getValidatedPath,
  validatePath,
  wantsBytes,
} = require('internal/fs/utils');

function encode(path, encoding) {
  if (!wantsBytes(encoding)) return path;
  const bytes = Buffer.from(path);
  return encoding === 'buffer' ? bytes : bytes.toString(encoding);
}

function absolute(path) {
  path = toPathIfFileURL(path);
  if (typeof path !== 'string') path += '';
  validatePath(path);
  return resolve(path);
}

// The resolved beginning of a path, and the remaining parts.
class Walk {
  constructor(path) {
    this.start(path);
  }

  start(path) {
    this.path = path;
    this.parts = StringPrototypeSplit(path, '/');
    this.at = '';
    this.here = '';
  }

  // Returns the path up to the next part, or undefined at the end.
  next() {
    while (this.parts.length > 0) {
      const part = ArrayPrototypeShift(this.parts);
      if (part === '') continue;
      this.here = `${this.at}/${part}`;
      return this.here;
    }
    return undefined;
  }

  enter() {
    this.at = this.here;
  }

  follow(target) {
    let rest = '';
    for (let i = 0; i < this.parts.length; i++) rest += `/${this.parts[i]}`;
    const base = StringPrototypeStartsWith(target, '/') ? target : `${this.at}/${target}`;
    this.start(resolve(`${base}${rest}`));
  }

  result() {
    return this.at === '' ? '/' : this.at;
  }
}

// The statistics may be numbers or BigInts.
const formatOf = (numbers) => Number(numbers[1]) & 0o170000;
const isLink = (numbers) => formatOf(numbers) === 0o120000;

// True for pipes and sockets. Links to them in /proc/self/fd have targets that are not paths, such as `pipe:[123]`.
const isNameless = (numbers) => formatOf(numbers) === 0o010000 || formatOf(numbers) === 0o140000;

// As in Node, stops at the first known part after a link to a pipe or socket.
function walkSync(path) {
  const walk = new Walk(path);
  const plain = new SafeSet();
  let nameless = false;
  for (let here = walk.next(); here !== undefined; here = walk.next()) {
    if (plain.has(here)) {
      if (nameless) return walk.path;
      walk.enter();
    } else if (!isLink(binding.lstat(here, false))) {
      plain.add(here);
      walk.enter();
    } else {
      nameless = isNameless(binding.stat(here, false)); // Throws ELOOP for a cycle of links.
      walk.follow(binding.readlink(here, false));
    }
  }
  return walk.result();
}

// Each step starts in a tick. Parts that are not links are remembered, and so are the targets of links.
function walkLater(path, callback) {
  const walk = new Walk(path);
  const plain = new SafeSet();
  const targets = new SafeMap();
  let nameless = false;
  function step() {
    const here = walk.next();
    if (here === undefined) {
      callback(null, walk.result());
    } else if (plain.has(here)) {
      if (nameless) {
        callback(null, walk.path);
        return;
      }
      walk.enter();
      nextTick(step);
    } else {
      binding.lstat(here, true, look);
    }
  }
  function look(error, numbers) {
    const { here } = walk;
    if (error !== null) return callback(error);
    if (!isLink(numbers)) {
      plain.add(here);
      walk.enter();
      return nextTick(step);
    }
    const id = `${numbers[0]}:${numbers[7]}`;
    const known = targets.get(id);
    if (known !== undefined) return follow(known);
    binding.stat(here, false, (failure, status) => {
      if (failure !== null) return callback(failure);
      nameless = isNameless(status);
      binding.readlink(here, false, (later, target) => {
        if (later !== null) return callback(later);
        targets.set(id, target);
        follow(target);
      });
    });
  }
  function follow(target) {
    walk.follow(target);
    nextTick(step);
  }
  nextTick(step);
}

function realpathSync(p, options) {
  const { encoding } = getOptions(options);
  const path = absolute(p);
  let real;
  try {
    real = binding.realpath(path, false);
  } catch {
    real = walkSync(path);
  }
  return encode(real, encoding);
}

function realpath(p, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  validateFunction(callback, 'cb');
  const { encoding } = getOptions(options);
  const path = absolute(p);
  const bound = bindCallback('FSREQCALLBACK', callback);
  const done = (error, real) => {
    if (error !== null) bound(error);
    else bound(null, encode(real, encoding));
  };
  walkLater(path, done);
}

// realpath(3) with its own errors.
function nativeSync(path, options) {
  const { encoding } = getOptions(options);
  path = getValidatedPath(path);
  return decodeName(binding.realpath(path, wantsBytes(encoding)), encoding);
}

function native(path, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  validateFunction(callback, 'cb');
  const { encoding } = getOptions(options);
  path = getValidatedPath(path);
  const bound = bindCallback('FSREQCALLBACK', callback);
  binding.realpath(path, wantsBytes(encoding), (error, name) => {
    if (error !== null) bound(error);
    else bound(null, decodeName(name, encoding));
  });
}

function addNative(fn, value) {
  ObjectDefineProperty(value, 'name', { __proto__: null, value: '', configurable: true });
  fn.native = value;
}
addNative(realpathSync, nativeSync);
addNative(realpath, native);

module.exports = { realpath, realpathSync };
