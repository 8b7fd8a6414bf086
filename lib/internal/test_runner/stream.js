'use strict';
// What happens in a test run, as a stream of events. Reporters read it, and so do those who call run().

const { ArrayPrototypePush, ArrayPrototypeShift } = primordials;
const Readable = require('stream').Readable;

class TestsStream extends Readable {
  #waiting = [];
  #canPush = true;

  constructor() {
    super({ __proto__: null, objectMode: true, highWaterMark: 2 ** 31 - 1 });
  }

  _read() {
    this.#canPush = true;
    while (this.#waiting.length > 0) {
      if (!this.#push(ArrayPrototypeShift(this.#waiting))) return;
    }
  }

  fail(nesting, location, testNumber, name, details, directive) {
    this.emitEvent('test:fail', { __proto__: null, name, nesting, testNumber, details, ...location, ...directive });
  }

  ok(nesting, location, testNumber, name, details, directive) {
    this.emitEvent('test:pass', { __proto__: null, name, nesting, testNumber, details, ...location, ...directive });
  }

  complete(nesting, location, testNumber, name, details, directive) {
    this.emitEvent('test:complete', { __proto__: null, name, nesting, testNumber, details, ...location, ...directive });
  }

  plan(nesting, location, count) {
    this.emitEvent('test:plan', { __proto__: null, nesting, count, ...location });
  }

  enqueue(nesting, location, name) {
    this.emitEvent('test:enqueue', { __proto__: null, nesting, name, ...location });
  }

  dequeue(nesting, location, name) {
    this.emitEvent('test:dequeue', { __proto__: null, nesting, name, ...location });
  }

  start(nesting, location, name) {
    this.emitEvent('test:start', { __proto__: null, nesting, name, ...location });
  }

  diagnostic(nesting, location, message) {
    this.emitEvent('test:diagnostic', { __proto__: null, nesting, message, ...location });
  }

  getSkip(reason = undefined) {
    return { __proto__: null, skip: reason ?? true };
  }

  getTodo(reason = undefined) {
    return { __proto__: null, todo: reason ?? true };
  }

  end() {
    this.#tryPush(null);
  }

  // Both ways to listen: by the name of the event, and as a stream.
  emitEvent(type, data) {
    this.emit(type, data);
    this.#tryPush({ __proto__: null, type, data });
  }

  #tryPush(message) {
    if (this.#canPush) return this.#push(message);
    ArrayPrototypePush(this.#waiting, message);
    return false;
  }

  #push(message) {
    this.#canPush = this.push(message);
    return this.#canPush;
  }
}

module.exports = { TestsStream };
