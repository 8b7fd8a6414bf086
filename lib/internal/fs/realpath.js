'use strict';

// realpath(): the system resolves the path in one call. What fails is walked through once more, part by part, as programs
// know the error from Node: it names the first part that cannot be looked at.

const {
  ArrayPrototypeShift,
  ObjectDefineProperty,
  StringPrototypeSplit,
  StringPrototypeStartsWith,
} = primordials;

const binding = internalBinding('fs');
const { Buffer } = require('buffer');
const { resolve } = require('path');
const { validateFunction } = require('internal/validators');
const { bindCallback } = require('internal/async_hooks');
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

// The parts of a path that are still to be looked at, and where we are.
class Walk {
  constructor(path) {
    this.start(path);
  }

  start(path) {
    this.parts = StringPrototypeSplit(path, '/');
    this.at = '';
    this.here = '';
  }

  // The next part, or undefined at the end.
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

const isLink = (numbers) => (numbers[1] & 0o170000) === 0o120000;

function walkSync(path) {
  const walk = new Walk(path);
  for (let here = walk.next(); here !== undefined; here = walk.next()) {
    if (!isLink(binding.lstat(here, false))) {
      walk.enter();
      continue;
    }
    binding.stat(here, false); // Ends what goes round in circles.
    walk.follow(binding.readlink(here, false));
  }
  return walk.result();
}

function walkLater(path, callback) {
  const walk = new Walk(path);
  function step() {
    const here = walk.next();
    if (here === undefined) return callback(null, walk.result());
    binding.lstat(here, false, (error, numbers) => {
      if (error !== null) return callback(error);
      if (!isLink(numbers)) {
        walk.enter();
        return step();
      }
      binding.stat(here, false, (failure) => {
        if (failure !== null) return callback(failure);
        binding.readlink(here, false, (later, target) => {
          if (later !== null) return callback(later);
          walk.follow(target);
          step();
        });
      });
    });
  }
  step();
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
  binding.realpath(path, false, (error, real) => {
    if (error !== null) walkLater(path, done);
    else done(null, real);
  });
}

// Straight from the system, errors too.
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
