'use strict';

// openAsBlob(): a Blob whose bytes remain in their file until they are read.

const {
  Number,
  Promise,
  PromiseResolve,
  Uint8Array,
} = primordials;

const binding = internalBinding('fs');
const { makeFileBlob } = require('internal/blob');
const { FastBuffer } = require('internal/buffer');
const { kEmptyObject, lazyDOMException } = require('internal/util');
const { validateObject, validateString } = require('internal/validators');
const { getValidatedPath } = require('internal/fs/utils');

function unreadable() {
  return lazyDOMException('The blob could not be read', 'NotReadableError');
}

// The time of the last change, from the numbers of stat().
function changeOf(numbers) {
  return numbers[12] * 1_000_000_000n + numbers[13];
}

// A range of a file, with the size and modification time that the file had when the blob was created.
class FilePart {
  #path;
  #changed;
  #whole;
  #start;

  constructor(path, changed, whole, start, size) {
    this.#path = path;
    this.#changed = changed;
    this.#whole = whole;
    this.#start = start;
    this.size = size;
  }

  slice(start, end) {
    return new FilePart(this.#path, this.#changed, this.#whole, this.#start + start, end - start);
  }

  // Reads `length` bytes from `from` on. Rejects if the file has changed since the blob was created.
  read(from, length) {
    return new Promise((resolve, reject) => {
      const fail = () => reject(unreadable());
      binding.open(this.#path, 0, 0, (error, fd) => {
        if (error !== null) return fail();
        const finish = (bytes) => binding.close(fd, () => (bytes === undefined ? fail() : resolve(bytes)));
        binding.fstat(fd, true, (failure, numbers) => {
          if (failure !== null || changeOf(numbers) !== this.#changed || numbers[8] !== this.#whole) return finish();
          const bytes = new Uint8Array(length);
          if (length === 0) return finish(bytes);
          let at = 0;
          const next = (problem, count) => {
            if (problem !== null) return finish();
            at += count;
            if (at === length) return finish(bytes);
            if (count === 0) return finish();
            binding.read(fd, bytes, at, length - at, this.#start + from + at, next);
          };
          binding.read(fd, bytes, 0, length, this.#start + from, next);
        });
      });
    });
  }
}

function checkArguments(path, options) {
  validateObject(options, 'options');
  const type = options.type || '';
  validateString(type, 'options.type');
  path = getValidatedPath(path);
  // Copied, because the program may modify the bytes of the path later.
  if (typeof path !== 'string') path = new FastBuffer(path);
  return { path, type };
}

function blobOf(path, type) {
  const numbers = binding.stat(path, true);
  const size = Number(numbers[8]);
  return makeFileBlob(new FilePart(path, changeOf(numbers), numbers[8], 0, size), type);
}

// Errors are thrown, as in Node: the promise never rejects.
function openAsBlob(path, options = kEmptyObject) {
  return PromiseResolve(openAsBlobSync(path, options));
}

function openAsBlobSync(path, options = kEmptyObject) {
  const { path: validPath, type } = checkArguments(path, options);
  return blobOf(validPath, type);
}

module.exports = { openAsBlob, openAsBlobSync };
