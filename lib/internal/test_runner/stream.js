'use strict';
// The events of a test run as a readable stream, for reporters and callers of run().

const { ArrayPrototypePush, ArrayPrototypeShift, ArrayPrototypeSlice } = primordials;
const Readable = require('stream').Readable;

function resultOf({ name, nesting, testNumber, testId, parent, tags, location }, details, directive, classname) {
  const data = {
    __proto__: null, name, nesting, testNumber, testId, parentId: parent.testId, details,
    tags: ArrayPrototypeSlice(tags),
  };
  if (classname !== undefined) data.classname = classname;
  return { __proto__: null, ...data, ...location, ...directive };
}

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

  fail(test, details, directive) {
    this.emitEvent('test:fail', resultOf(test, details, directive, details.classname));
  }

  ok(test, details, directive) {
    this.emitEvent('test:pass', resultOf(test, details, directive, details.classname));
  }

  complete(test, details, directive) {
    this.emitEvent('test:complete', resultOf(test, details, directive, undefined));
  }

  plan(nesting, location, count) {
    this.emitEvent('test:plan', { __proto__: null, nesting, count, ...location });
  }

  enqueue({ nesting, name, testId, parent, tags, location }, type) {
    this.emitEvent('test:enqueue', {
      __proto__: null, nesting, name, type, testId, parentId: parent.testId, tags: ArrayPrototypeSlice(tags),
      ...location,
    });
  }

  dequeue({ nesting, name, testId, parent, tags, location }, type) {
    this.emitEvent('test:dequeue', {
      __proto__: null, nesting, name, type, testId, parentId: parent.testId, tags: ArrayPrototypeSlice(tags),
      ...location,
    });
  }

  start({ nesting, name, testId, parent, tags, location }) {
    this.emitEvent('test:start', {
      __proto__: null, nesting, name, testId, parentId: parent.testId, tags: ArrayPrototypeSlice(tags), ...location,
    });
  }

  log({ name, nesting, testId, parent, location }, message, data) {
    this.emitEvent('test:log', {
      __proto__: null, name, nesting, testId, parentId: parent?.testId, message, data, ...location,
    });
  }

  diagnostic(nesting, location, message, level = 'info') {
    this.emitEvent('test:diagnostic', { __proto__: null, nesting, message, level, ...location });
  }

  coverage(nesting, location, summary) {
    this.emitEvent('test:coverage', { __proto__: null, nesting, summary, ...location });
  }

  summary(file, success, counts, duration) {
    this.emitEvent('test:summary', { __proto__: null, success, counts, duration_ms: duration, file });
  }

  getXFail(label = undefined) {
    return { __proto__: null, expectFailure: label ?? true };
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
    this.#tryPush({ type, data });
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
