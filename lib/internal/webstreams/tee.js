'use strict';
// ReadableStream.prototype.tee(): two streams that read from one.
const {
  ArrayBufferPrototypeSlice,
  PromisePrototypeThen,
  PromiseResolve,
  PromiseWithResolvers,
  Uint8Array,
} = primordials;
const { structuredClone } = require('internal/structured_clone');
const { ByteSource, partsOf } = require('internal/webstreams/byte_source');
const { byobRequests } = require('internal/webstreams/readable_controllers');
const { DefaultSource, ReaderCore } = require('internal/webstreams/readable_core');
const { nop, resolved } = require('internal/webstreams/util');

function copyOf(view) {
  const { buffer, byteOffset, byteLength } = partsOf(view);
  return new Uint8Array(ArrayBufferPrototypeSlice(buffer, byteOffset, byteOffset + byteLength));
}

// The base of both kinds. The source is cancelled when both branches are.
class Tee {
  core;
  reader;
  branches = [];
  isCancelled = [false, false];
  reasons = [undefined, undefined];
  isReading = false;
  cancelled = PromiseWithResolvers();

  constructor(core) {
    this.core = core;
    this.reader = new ReaderCore(core, false);
  }

  start() {
    for (let i = 0; i < 2; i++) {
      this.branches[i] = this.makeBranch({ pull: () => this.pull(i), cancel: (reason) => this.cancel(i, reason) });
      this.branches[i].start(nop);
    }
    this.watchReader();
    return this.branches;
  }

  cancel(index, reason) {
    this.isCancelled[index] = true;
    this.reasons[index] = reason;
    if (this.isCancelled[1 - index]) this.cancelled.resolve(this.core.cancel(this.reasons));
    return this.cancelled.promise;
  }

  // The cancellation of the source need not be waited for any more.
  settle() {
    if (!this.isCancelled[0] || !this.isCancelled[1]) this.cancelled.resolve();
  }

  watchReader() {
    const { reader } = this;
    PromisePrototypeThen(reader.closed.promise, undefined, (error) => {
      // The reader of a byte stream is replaced by one of the other kind.
      if (reader !== this.reader) return;
      this.branches[0].error(error);
      this.branches[1].error(error);
      this.settle();
    });
  }

  // A chunk cannot be copied for both.
  fail(error) {
    this.branches[0].error(error);
    this.branches[1].error(error);
    this.cancelled.resolve(this.core.cancel(error));
  }

  forEachOpen(visit) {
    if (!this.isCancelled[0]) visit(this.branches[0]);
    if (!this.isCancelled[1]) visit(this.branches[1]);
  }
}

class DefaultTee extends Tee {
  // The second branch gets copies of the chunks.
  isCloning;

  constructor(core, isCloning) {
    super(core);
    this.isCloning = isCloning;
  }

  makeBranch(algorithms) {
    return new DefaultSource(algorithms, 1);
  }

  async pull() {
    if (this.isReading) return;
    this.isReading = true;
    this.core.read(this);
  }

  onChunk(chunk) {
    PromisePrototypeThen(resolved, () => {
      this.isReading = false;
      let second = chunk;
      if (this.isCloning && !this.isCancelled[1]) {
        try {
          second = structuredClone(chunk);
        } catch (error) {
          this.fail(error);
          return;
        }
      }
      if (!this.isCancelled[0]) this.branches[0].enqueue(chunk);
      if (!this.isCancelled[1]) this.branches[1].enqueue(second);
    });
  }

  // In a tick, as in Node.
  onClose() {
    process.nextTick(() => {
      this.isReading = false;
      this.forEachOpen((branch) => branch.close());
      this.settle();
    });
  }

  onError() {
    this.isReading = false;
  }
}

class ByteTee extends Tee {
  readsAgain = [false, false];

  makeBranch(algorithms) {
    return new ByteSource(algorithms, 0, undefined, byobRequests);
  }

  pull(index) {
    if (this.isReading) {
      this.readsAgain[index] = true;
    } else {
      this.isReading = true;
      const request = this.branches[index].byobRequest;
      if (request === null) this.readChunk();
      else this.readInto(request.view, index);
    }
    return PromiseResolve();
  }

  useReader(isBYOB) {
    if (this.reader.isBYOB === isBYOB) return;
    this.reader.release();
    this.reader = new ReaderCore(this.core, isBYOB);
    this.watchReader();
  }

  readChunk() {
    this.useReader(false);
    this.core.read(this);
  }

  onChunk(chunk) {
    PromisePrototypeThen(resolved, () => {
      this.readsAgain = [false, false];
      let second = chunk;
      if (!this.isCancelled[0] && !this.isCancelled[1]) {
        second = this.copy(chunk);
        if (second === undefined) return;
      }
      if (!this.isCancelled[0]) this.branches[0].enqueue(chunk);
      if (!this.isCancelled[1]) this.branches[1].enqueue(second);
      this.goOn();
    });
  }

  // A chunk for the other branch; undefined if there is no memory, which ends all.
  copy(chunk) {
    try {
      return copyOf(chunk);
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  goOn() {
    this.isReading = false;
    if (this.readsAgain[0]) this.pull(0);
    else if (this.readsAgain[1]) this.pull(1);
  }

  onClose() {
    this.isReading = false;
    this.forEachOpen((branch) => branch.close());
    for (let i = 0; i < 2; i++) if (this.branches[i].pending.length > 0) this.branches[i].respond(0);
    this.settle();
  }

  onError() {
    this.isReading = false;
  }

  // Reads into the memory that the reader of one branch brought.
  readInto(view, index) {
    this.useReader(true);
    const branch = this.branches[index];
    const other = this.branches[1 - index];
    this.core.readInto(view, 1, {
      onChunk: (chunk) => {
        PromisePrototypeThen(resolved, () => {
          this.readsAgain = [false, false];
          const isOther = !this.isCancelled[1 - index];
          const copied = isOther ? this.copy(chunk) : undefined;
          if (isOther && copied === undefined) return;
          if (!this.isCancelled[index]) branch.respondWithNewView(chunk);
          if (isOther) other.enqueue(copied);
          this.goOn();
        });
      },
      onClose: (chunk) => {
        this.isReading = false;
        if (!this.isCancelled[index]) branch.close();
        if (!this.isCancelled[1 - index]) other.close();
        if (chunk !== undefined) {
          if (!this.isCancelled[index]) branch.respondWithNewView(chunk);
          if (!this.isCancelled[1 - index] && other.pending.length > 0) other.respond(0);
        }
        this.settle();
      },
      onError: () => { this.isReading = false; },
    });
  }
}

function tee(core, isCloning) {
  return (core instanceof ByteSource ? new ByteTee(core) : new DefaultTee(core, isCloning)).start();
}

module.exports = { tee };
