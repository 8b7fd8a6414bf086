'use strict';
// Moves web streams to another thread, or through structuredClone(). The stream that stays behind is piped through a
// message port to or from the stream that arrives. Messages: { type: 'chunk' | 'pull' | 'close' | 'error', value }.
const { FunctionPrototypeCall, PromisePrototypeThen, PromiseWithResolvers } = primordials;
const { DOMException } = require('internal/domexception');
const { makeDataCloneError } = require('internal/structured_clone');
const { ReadableStream, WritableStream } = require('internal/webstreams/classes');
const { joinStreams } = require('internal/webstreams/transform');
const { MessageChannel } = require('internal/worker/port');

const { pipeTo } = ReadableStream.prototype;

// An end of a transferred stream. `isRefLater`: the port keeps the process alive from the first use of the stream on.
class End {
  constructor(port, isRefLater) {
    this.port = port;
    this.isRefLater = isRefLater;
    this.controller = undefined;
    this.isDone = false;
    port.on('message', (message) => {
      if (!this.isDone) this.onMessage(message);
    });
    port.on('messageerror', () => {
      if (this.isDone) return;
      const error = new DOMException('Internal transferred ReadableStream error', 'DataCloneError');
      this.post('error', error);
      this.finish();
      this.onError(error);
    });
    port.unref();
  }

  start(controller) {
    this.controller = controller;
  }

  post(type, value) {
    this.port.postMessage({ type, value });
  }

  // Reports `reason` to the other end; a reason that cannot be cloned is replaced by the error that says so.
  postError(reason) {
    try {
      this.post('error', reason);
    } catch (error) {
      this.post('error', error);
      throw error;
    } finally {
      this.finish();
    }
  }

  use() {
    if (!this.isRefLater) return;
    this.isRefLater = false;
    this.port.ref();
  }

  finish() {
    this.isDone = true;
    this.port.close();
  }
}

// Source of a ReadableStream whose chunks come from a port.
class PortSource extends End {
  onMessage({ type, value }) {
    if (type === 'chunk') {
      this.controller.enqueue(value);
    } else if (type === 'close') {
      this.finish();
      this.controller.close();
    } else if (type === 'error') {
      this.finish();
      this.onError(value);
    }
  }

  onError(error) {
    this.controller.error(error);
  }

  async pull() {
    this.use();
    this.post('pull');
  }

  async cancel(reason) {
    this.postError(reason);
  }
}

// Sink of a WritableStream whose chunks go to a port. A chunk is sent when the other end has pulled for it.
class PortSink extends End {
  constructor(port, isRefLater) {
    super(port, isRefLater);
    this.pulled = PromiseWithResolvers();
  }

  onMessage({ type, value }) {
    if (type === 'error') this.onError(value);
    else if (type === 'pull') this.pulled.resolve();
  }

  onError(error) {
    this.controller.error(error);
    this.pulled.resolve();
  }

  async write(chunk) {
    this.use();
    await this.pulled.promise;
    this.pulled = PromiseWithResolvers();
    try {
      this.post('chunk', chunk);
    } catch (error) {
      this.post('error', error);
      this.finish();
      throw error;
    }
  }

  close() {
    this.post('close');
    this.finish();
  }

  abort(reason) {
    this.postError(reason);
  }
}

const makeReadable = (port, isRefLater, strategy) => new ReadableStream(new PortSource(port, isRefLater), strategy);
const makeWritable = (port, isRefLater) => new WritableStream(new PortSink(port, isRefLater));

function checkIsFree(stream, name) {
  if (stream.locked) throw makeDataCloneError(`Cannot transfer a locked ${name}`);
}

function pipe(readable, writable) {
  // Both streams report their errors themselves.
  PromisePrototypeThen(FunctionPrototypeCall(pipeTo, readable, writable), undefined, () => {});
}

// Each returns the port for the other side.
function sendReadable(stream) {
  const { port1, port2 } = new MessageChannel();
  pipe(stream, makeWritable(port1, false));
  return port2;
}

function sendWritable(stream) {
  const { port1, port2 } = new MessageChannel();
  pipe(makeReadable(port1, false), stream);
  return port2;
}

const id = 'internal/webstreams/transfer';

function transferReadable(stream) {
  checkIsFree(stream, 'ReadableStream');
  const readable = sendReadable(stream);
  return { id, data: { readable }, ports: [readable] };
}

function transferWritable(stream) {
  checkIsFree(stream, 'WritableStream');
  const writable = sendWritable(stream);
  return { id, data: { writable }, ports: [writable] };
}

function transferTransform(stream) {
  checkIsFree(stream.readable, 'ReadableStream');
  checkIsFree(stream.writable, 'WritableStream');
  const readable = sendReadable(stream.readable);
  const writable = sendWritable(stream.writable);
  return { id, data: { readable, writable }, ports: [readable, writable] };
}

function readClone({ readable, writable }) {
  const readableStream = readable && makeReadable(readable, true, { __proto__: null, highWaterMark: 0 });
  const writableStream = writable && makeWritable(writable, true);
  if (!writable) return readableStream;
  if (!readable) return writableStream;
  return joinStreams(readableStream, writableStream);
}

module.exports = { readClone, transferReadable, transferTransform, transferWritable };
