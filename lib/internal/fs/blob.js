'use strict';

// openAsBlob(): a Blob whose bytes stay in their file until somebody wants them.

const {
  MathMax,
  MathMin,
  MathTrunc,
  Promise,
  PromisePrototypeThen,
  PromiseResolve,
  Uint8Array,
} = primordials;

const binding = internalBinding('fs');
const { Blob } = require('internal/blob');
const { TextDecoder } = require('internal/encoding');
const { FastBuffer } = require('internal/buffer');
const { codes: { ERR_INVALID_STATE } } = require('internal/errors');
const { kClone } = require('internal/structured_clone');
const { kEmptyObject, lazyDOMException } = require('internal/util');
const { validateObject, validateString } = require('internal/validators');
const { getValidatedPath } = require('internal/fs/utils');

const kChunk = 64 * 1024;

function unreadable() {
  return lazyDOMException('The blob could not be read', 'NotReadableError');
}

function clamp(position, size) {
  position = MathTrunc(position) || 0;
  return position < 0 ? MathMax(position + size, 0) : MathMin(position, size);
}

// The time of the last change, from the numbers of stat().
function changeOf(numbers) {
  return numbers[12] * 1_000_000_000n + numbers[13];
}

// The file as it was: when it was changed last, and how large it was.
class FileBlob extends Blob {
  #path;
  #changed;
  #whole;
  #start;
  #size;

  constructor(path, changed, whole, start, size, type) {
    super([], { type });
    this.#path = path;
    this.#changed = changed;
    this.#whole = whole;
    this.#start = start;
    this.#size = size;
  }

  get size() {
    return this.#size;
  }

  [kClone]() {
    throw new ERR_INVALID_STATE.TypeError('File-backed Blobs are not cloneable');
  }

  slice(start = 0, end = this.#size, contentType = '') {
    start = clamp(start, this.#size);
    end = clamp(end, this.#size);
    return new FileBlob(
      this.#path, this.#changed, this.#whole, this.#start + start, MathMax(end - start, 0), `${contentType}`);
  }

  // `length` bytes from `from` on, of the file as it was when the blob was made.
  #read(from, length) {
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

  bytes() {
    return this.#read(0, this.#size);
  }

  arrayBuffer() {
    return PromisePrototypeThen(this.bytes(), (bytes) => bytes.buffer);
  }

  text() {
    return PromisePrototypeThen(this.bytes(), (bytes) => new TextDecoder().decode(bytes));
  }

  stream() {
    const { ReadableStream } = require('stream/web');
    let at = 0;
    return new ReadableStream({
      type: 'bytes',
      pull: (controller) => {
        const length = MathMin(kChunk, this.#size - at);
        if (length === 0) {
          controller.close();
          controller.byobRequest?.respond(0);
          return undefined;
        }
        return PromisePrototypeThen(this.#read(at, length), (bytes) => {
          at += length;
          controller.enqueue(bytes);
        });
      },
    });
  }
}

function checkArguments(path, options) {
  validateObject(options, 'options');
  const type = options.type || '';
  validateString(type, 'options.type');
  path = getValidatedPath(path);
  // What the program does to the bytes of a path later does not matter.
  if (typeof path !== 'string') path = new FastBuffer(path);
  return { path, type };
}

function blobOf(path, type) {
  const numbers = binding.stat(path, true);
  const size = primordials.Number(numbers[8]);
  return new FileBlob(path, changeOf(numbers), numbers[8], 0, size, type);
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
