'use strict';
// The controllers of ReadableStreams, by which a program's source gives chunks, and the requests for bytes.
const { ArrayBufferPrototypeGetByteLength, ArrayBufferPrototypeGetDetached } = primordials;
const {
  codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE, ERR_INVALID_THIS },
} = require('internal/errors');
const { isSharedArrayBuffer } = require('internal/util/types');
const { validateBuffer } = require('internal/validators');
const { partsOf } = require('internal/webstreams/byte_source');
const { finishClass, isObject, kInternal } = require('internal/webstreams/util');

class ReadableStreamDefaultController {
  #core;

  constructor(key = undefined, core = undefined) {
    if (key !== kInternal) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this.#core = core;
  }

  static #coreOf(value) {
    if (!isObject(value) || !(#core in value)) throw new ERR_INVALID_THIS('ReadableStreamDefaultController');
    return value.#core;
  }

  get desiredSize() {
    return ReadableStreamDefaultController.#coreOf(this).desiredSize;
  }

  close() {
    const core = ReadableStreamDefaultController.#coreOf(this);
    if (!core.isOpen) throw new ERR_INVALID_STATE.TypeError('Controller is already closed');
    core.close();
  }

  enqueue(chunk = undefined) {
    const core = ReadableStreamDefaultController.#coreOf(this);
    if (!core.isOpen) throw new ERR_INVALID_STATE.TypeError('Controller is already closed');
    core.enqueue(chunk);
  }

  error(error = undefined) {
    ReadableStreamDefaultController.#coreOf(this).error(error);
  }
}
finishClass(ReadableStreamDefaultController, ['desiredSize', 'close', 'enqueue', 'error'], () => ({}));

class ReadableByteStreamController {
  #core;

  constructor(key = undefined, core = undefined) {
    if (key !== kInternal) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this.#core = core;
  }

  static #coreOf(value) {
    if (!isObject(value) || !(#core in value)) throw new ERR_INVALID_THIS('ReadableByteStreamController');
    return value.#core;
  }

  static #checkIsOpen(core) {
    if (core.isCloseRequested) throw new ERR_INVALID_STATE.TypeError('Controller is already closed');
    if (core.state !== 'readable') throw new ERR_INVALID_STATE.TypeError('ReadableStream is already closed');
  }

  get byobRequest() {
    return ReadableByteStreamController.#coreOf(this).byobRequest;
  }

  get desiredSize() {
    return ReadableByteStreamController.#coreOf(this).desiredSize;
  }

  close() {
    const core = ReadableByteStreamController.#coreOf(this);
    ReadableByteStreamController.#checkIsOpen(core);
    core.close();
  }

  enqueue(chunk) {
    const core = ReadableByteStreamController.#coreOf(this);
    validateBuffer(chunk);
    const { buffer, byteLength } = partsOf(chunk);
    if (isSharedArrayBuffer(buffer)) {
      throw new ERR_INVALID_ARG_VALUE('chunk', chunk, 'must not be backed by a SharedArrayBuffer');
    }
    if (byteLength === 0 || ArrayBufferPrototypeGetByteLength(buffer) === 0) {
      throw new ERR_INVALID_STATE.TypeError('chunk ArrayBuffer is zero-length or detached');
    }
    ReadableByteStreamController.#checkIsOpen(core);
    core.enqueue(chunk);
  }

  error(error = undefined) {
    ReadableByteStreamController.#coreOf(this).error(error);
  }
}
finishClass(ReadableByteStreamController, ['byobRequest', 'desiredSize', 'close', 'enqueue', 'error'], () => ({}));

let makeRequest;
let invalidateRequest;
let describeRequest;

class ReadableStreamBYOBRequest {
  #core;
  #view;

  static {
    makeRequest = (core, view) => new ReadableStreamBYOBRequest(kInternal, core, view);
    invalidateRequest = (request) => {
      request.#core = undefined;
      request.#view = null;
    };
    describeRequest = (request) => ({ view: request.view, controller: request.#core?.controller });
  }

  constructor(key = undefined, core = undefined, view = undefined) {
    if (key !== kInternal) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this.#core = core;
    this.#view = view;
  }

  static #check(value) {
    if (!isObject(value) || !(#core in value)) throw new ERR_INVALID_THIS('ReadableStreamBYOBRequest');
  }

  static #coreOf(value) {
    ReadableStreamBYOBRequest.#check(value);
    if (value.#core === undefined) throw new ERR_INVALID_STATE.TypeError('This BYOB request has been invalidated');
    return value.#core;
  }

  get view() {
    ReadableStreamBYOBRequest.#check(this);
    return this.#view;
  }

  respond(bytesWritten) {
    const core = ReadableStreamBYOBRequest.#coreOf(this);
    if (ArrayBufferPrototypeGetDetached(partsOf(this.#view).buffer)) {
      throw new ERR_INVALID_STATE.TypeError('Viewed ArrayBuffer is detached');
    }
    core.respond(bytesWritten);
  }

  respondWithNewView(view) {
    const core = ReadableStreamBYOBRequest.#coreOf(this);
    validateBuffer(view, 'view');
    if (ArrayBufferPrototypeGetDetached(partsOf(view).buffer)) {
      throw new ERR_INVALID_STATE.TypeError('Viewed ArrayBuffer is detached');
    }
    core.respondWithNewView(view);
  }
}
finishClass(ReadableStreamBYOBRequest, ['view', 'respond', 'respondWithNewView'],
  (request) => describeRequest(request));

// For ByteSource, which is below this file.
const byobRequests = { __proto__: null, make: makeRequest, invalidate: invalidateRequest };

module.exports = {
  ReadableByteStreamController,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
  byobRequests,
};
