'use strict';
// The source of a byte stream. Reads of a program that bring their own memory are filled from the queue, or given to
// the program's pull() as a request.
const {
  ArrayBuffer,
  ArrayBufferPrototypeGetByteLength,
  ArrayBufferPrototypeGetDetached,
  ArrayBufferPrototypeSlice,
  ArrayBufferPrototypeTransfer,
  ArrayPrototypePush,
  DataView,
  DataViewPrototypeGetBuffer,
  DataViewPrototypeGetByteLength,
  DataViewPrototypeGetByteOffset,
  MathMin,
  TypedArrayPrototypeGetBuffer,
  TypedArrayPrototypeGetByteLength,
  TypedArrayPrototypeGetByteOffset,
  TypedArrayPrototypeSet,
  Uint8Array,
} = primordials;
const { Buffer } = require('buffer');
const { codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE } } = require('internal/errors');
const { isDataView } = require('internal/util/types');
const { ReadableCore } = require('internal/webstreams/readable_core');
const { Fifo, kNothing } = require('internal/webstreams/util');

// The memory of a view, whatever the program made of the properties.
function partsOf(view) {
  return isDataView(view) ? {
    buffer: DataViewPrototypeGetBuffer(view),
    byteOffset: DataViewPrototypeGetByteOffset(view),
    byteLength: DataViewPrototypeGetByteLength(view),
  } : {
    buffer: TypedArrayPrototypeGetBuffer(view),
    byteOffset: TypedArrayPrototypeGetByteOffset(view),
    byteLength: TypedArrayPrototypeGetByteLength(view),
  };
}

// A read that waits for bytes. `kind`: 'default' and 'byob' for the two kinds of readers, 'none' when the reader
// has released its lock.
class PendingRead {
  kind;
  buffer;
  bufferLength;
  byteOffset;
  byteLength;
  View;
  elementSize;
  minimum;
  filled = 0;

  constructor(kind, { buffer, byteOffset, byteLength }, View, elementSize, minimum) {
    this.kind = kind;
    this.buffer = buffer;
    this.bufferLength = ArrayBufferPrototypeGetByteLength(buffer);
    this.byteOffset = byteOffset;
    this.byteLength = byteLength;
    this.View = View;
    this.elementSize = elementSize;
    this.minimum = minimum;
  }

  moveBuffer(buffer = this.buffer) {
    this.buffer = ArrayBufferPrototypeTransfer(buffer);
  }

  // The filled part, as a view of the class that was given.
  result() {
    const { View, byteOffset } = this;
    const length = this.filled / this.elementSize;
    this.moveBuffer();
    return View === Buffer ? Buffer.from(this.buffer, byteOffset, length) : new View(this.buffer, byteOffset, length);
  }
}

class ByteSource extends ReadableCore {
  // Of { buffer, byteOffset, byteLength }.
  queue = new Fifo();
  queueTotal = 0;
  pending = new Fifo();
  // The request of the program for the first pending read, with the functions that make and invalidate it.
  request = null;
  requests;
  autoAllocateChunkSize;

  constructor(algorithms, highWaterMark, autoAllocateChunkSize, requests) {
    super(algorithms, highWaterMark);
    this.autoAllocateChunkSize = autoAllocateChunkSize;
    this.requests = requests;
  }

  // ---- Reading

  take() {
    if (this.queueTotal === 0) return kNothing;
    const { buffer, byteOffset, byteLength } = this.queue.shift();
    this.queueTotal -= byteLength;
    this.onTaken();
    return new Uint8Array(buffer, byteOffset, byteLength);
  }

  onTaken() {
    if (this.queueTotal === 0 && this.isCloseRequested) {
      this.clearAlgorithms();
      this.finish();
    } else {
      this.pullIfNeeded();
    }
  }

  park(request) {
    const size = this.autoAllocateChunkSize;
    if (size !== undefined) {
      let buffer;
      try {
        buffer = new ArrayBuffer(size);
      } catch (error) {
        request.onError(error);
        return;
      }
      this.pending.push(new PendingRead('default', { buffer, byteOffset: 0, byteLength: size }, Uint8Array, 1, 1));
    }
    this.reader.requests.push(request);
    this.pullIfNeeded();
  }

  // Reads at least `min` elements into `view`.
  readInto(view, min, request) {
    this.isDisturbed = true;
    if (this.state === 'errored') {
      request.onError(this.storedError);
      return;
    }
    const View = isDataView(view) ? DataView : view.constructor;
    const elementSize = View === DataView ? 1 : View.BYTES_PER_ELEMENT;
    const parts = partsOf(view);
    try {
      parts.buffer = ArrayBufferPrototypeTransfer(parts.buffer);
    } catch (error) {
      request.onError(error);
      return;
    }
    const read = new PendingRead('byob', parts, View, elementSize, min * elementSize);
    if (this.pending.length > 0) {
      this.pending.push(read);
      this.reader.requests.push(request);
      return;
    }
    if (this.state === 'closed') {
      request.onClose(new View(read.buffer, read.byteOffset, 0));
      return;
    }
    if (this.queueTotal > 0) {
      if (this.fill(read)) {
        const result = read.result();
        this.onTaken();
        request.onChunk(result);
        return;
      }
      if (this.isCloseRequested) {
        const error = new ERR_INVALID_STATE.TypeError('ReadableStream closed');
        this.error(error);
        request.onError(error);
        return;
      }
    }
    this.pending.push(read);
    this.reader.requests.push(request);
    this.pullIfNeeded();
  }

  // Copies from the queue. Returns true if the read is complete.
  fill(read) {
    const most = MathMin(this.queueTotal, read.byteLength - read.filled);
    const end = read.filled + most;
    const wholeEnd = end - end % read.elementSize;
    const isReady = wholeEnd >= read.minimum;
    let rest = isReady ? wholeEnd - read.filled : most;
    while (rest > 0) {
      const first = this.queue.peek();
      const count = MathMin(rest, first.byteLength);
      TypedArrayPrototypeSet(
        new Uint8Array(read.buffer, read.byteOffset + read.filled, count),
        new Uint8Array(first.buffer, first.byteOffset, count));
      if (first.byteLength === count) {
        this.queue.shift();
      } else {
        first.byteOffset += count;
        first.byteLength -= count;
      }
      this.queueTotal -= count;
      read.filled += count;
      rest -= count;
    }
    return isReady;
  }

  // Fills pending reads from the queue. Their results are delivered later, because that may run any code.
  fillPending() {
    const done = [];
    while (this.pending.length > 0 && this.queueTotal > 0) {
      const read = this.pending.peek();
      if (!this.fill(read)) continue;
      this.pending.shift();
      ArrayPrototypePush(done, read);
    }
    return done;
  }

  answer(reads) {
    for (let i = 0; i < reads.length; i++) {
      const isLast = this.state === 'closed';
      const result = reads[i].result();
      const request = this.reader.requests.shift();
      if (isLast) request.onClose(result);
      else request.onChunk(result);
    }
  }

  release() {
    if (this.pending.length === 0) return;
    const first = this.pending.peek();
    first.kind = 'none';
    this.pending.clear();
    this.pending.push(first);
  }

  // ---- The program's side

  get byobRequest() {
    if (this.request === null && this.pending.length > 0) {
      const { buffer, byteLength, byteOffset, filled } = this.pending.peek();
      this.request = this.requests.make(this, new Uint8Array(buffer, byteOffset + filled, byteLength - filled));
    }
    return this.request;
  }

  dropRequest() {
    if (this.request === null) return;
    this.requests.invalidate(this.request);
    this.request = null;
  }

  addBytes(buffer, byteOffset, byteLength) {
    this.queue.push({ buffer, byteOffset, byteLength });
    this.queueTotal += byteLength;
  }

  // The bytes of a read whose reader has released its lock belong to the next read.
  keepBytes(read) {
    if (read.filled > 0) {
      let copy;
      try {
        copy = ArrayBufferPrototypeSlice(read.buffer, read.byteOffset, read.byteOffset + read.filled);
      } catch (error) {
        this.error(error);
        throw error;
      }
      this.addBytes(copy, 0, read.filled);
    }
    this.pending.shift();
  }

  enqueue(chunk) {
    if (!this.isOpen) return;
    const { buffer, byteOffset, byteLength } = partsOf(chunk);
    const moved = ArrayBufferPrototypeTransfer(buffer);
    if (this.pending.length > 0) {
      const first = this.pending.peek();
      if (ArrayBufferPrototypeGetDetached(first.buffer)) {
        throw new ERR_INVALID_STATE.TypeError('Destination ArrayBuffer is detached');
      }
      this.dropRequest();
      first.moveBuffer();
      if (first.kind === 'none') this.keepBytes(first);
    }
    const { reader } = this;
    if (reader === undefined) {
      this.addBytes(moved, byteOffset, byteLength);
    } else if (reader.isBYOB) {
      this.addBytes(moved, byteOffset, byteLength);
      this.answer(this.fillPending());
    } else {
      this.giveToDefault(reader, moved, byteOffset, byteLength);
    }
    this.pullIfNeeded();
  }

  giveToDefault(reader, buffer, byteOffset, byteLength) {
    const { requests } = reader;
    while (requests.length > 0 && this.queueTotal > 0) requests.shift().onChunk(this.take());
    if (requests.length === 0) {
      this.addBytes(buffer, byteOffset, byteLength);
      return;
    }
    if (this.pending.length > 0) this.pending.shift();
    requests.shift().onChunk(new Uint8Array(buffer, byteOffset, byteLength));
  }

  close() {
    if (!this.isOpen) return;
    if (this.queueTotal > 0) {
      this.isCloseRequested = true;
      return;
    }
    if (this.pending.length > 0) {
      const { elementSize, filled } = this.pending.peek();
      if (filled % elementSize !== 0) {
        const error = new ERR_INVALID_STATE.TypeError('Partial read');
        this.error(error);
        throw error;
      }
    }
    this.clearAlgorithms();
    this.finish();
  }

  respond(count) {
    const first = this.pending.peek();
    if (this.state === 'closed') {
      if (count !== 0) throw new ERR_INVALID_ARG_VALUE('bytesWritten', count);
    } else if (!count) {
      throw new ERR_INVALID_ARG_VALUE('bytesWritten', count);
    } else if (first.filled + count > first.byteLength) {
      throw new ERR_INVALID_ARG_VALUE.RangeError('bytesWritten', count);
    }
    first.moveBuffer();
    this.onResponse(first, count);
  }

  respondWithNewView(view) {
    const first = this.pending.peek();
    const { buffer, byteOffset, byteLength } = partsOf(view);
    if (this.state === 'closed') {
      if (byteLength !== 0) throw new ERR_INVALID_STATE.TypeError('View is not zero-length');
    } else if (byteLength === 0) {
      throw new ERR_INVALID_STATE.TypeError('View is zero-length');
    }
    if (first.byteOffset + first.filled !== byteOffset || first.filled + byteLength > first.byteLength ||
        first.bufferLength !== ArrayBufferPrototypeGetByteLength(buffer)) {
      throw new ERR_INVALID_ARG_VALUE.RangeError('view', view);
    }
    first.moveBuffer(buffer);
    this.onResponse(first, byteLength);
  }

  onResponse(first, count) {
    this.dropRequest();
    if (this.state === 'closed') this.onLastResponse(first);
    else this.onBytes(first, count);
    this.pullIfNeeded();
  }

  onLastResponse(first) {
    if (first.kind === 'none') this.pending.shift();
    if (!this.reader?.isBYOB) return;
    const reads = [];
    const { length } = this.reader.requests;
    for (let i = 0; i < length; i++) ArrayPrototypePush(reads, this.pending.shift());
    this.answer(reads);
  }

  onBytes(first, count) {
    first.filled += count;
    if (first.kind === 'none') {
      this.keepBytes(first);
      this.answer(this.fillPending());
      return;
    }
    if (first.filled < first.minimum) return;
    this.pending.shift();
    // Bytes that make no whole element stay for the next read.
    const extra = first.filled % first.elementSize;
    if (extra > 0) {
      const end = first.byteOffset + first.filled;
      this.addBytes(ArrayBufferPrototypeSlice(first.buffer, end - extra, end), 0, extra);
    }
    first.filled -= extra;
    const others = this.fillPending();
    this.answer([first]);
    this.answer(others);
  }

  clear() {
    this.dropRequest();
    this.pending.clear();
    this.queue.clear();
    this.queueTotal = 0;
  }
}

module.exports = { ByteSource, partsOf };
