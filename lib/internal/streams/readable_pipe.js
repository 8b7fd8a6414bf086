'use strict';
// Readable.prototype.pipe() and unpipe().
const { ArrayPrototypeIncludes, ArrayPrototypeIndexOf, ArrayPrototypeSplice, SafeSet } = primordials;
const { errorOrDestroy } = require('internal/streams/destroy');
const { prependListener } = require('internal/streams/legacy');

// Connects a source and a destination. The listeners are closures, because they are removed by identity.
function pipe(dest, options) {
  const src = this;
  const state = this._readableState;
  if (state.pipes.length === 1 && !state.multiAwaitDrain) {
    state.multiAwaitDrain = true;
    state.awaitDrainWriters = new SafeSet(state.awaitDrainWriters ? [state.awaitDrainWriters] : []);
  }
  state.pipes[state.pipes.length] = dest;

  let onDrain;
  let isCleanedUp = false;

  function unpipe() {
    src.unpipe(dest);
  }

  function onEnd() {
    dest.end();
  }

  function onUnpipe(readable, info) {
    if (readable !== src || info?.hasUnpiped !== false) return;
    info.hasUnpiped = true;
    cleanUp();
  }

  function cleanUp() {
    dest.removeListener('close', onClose);
    dest.removeListener('finish', onFinish);
    if (onDrain !== undefined) dest.removeListener('drain', onDrain);
    dest.removeListener('error', onError);
    dest.removeListener('unpipe', onUnpipe);
    src.removeListener('end', onEnd);
    src.removeListener('end', unpipe);
    src.removeListener('data', onData);
    isCleanedUp = true;
    // The source must not wait for a destination that has been removed.
    if (onDrain !== undefined && state.awaitDrainWriters) onDrain();
  }

  function hold() {
    if (!isCleanedUp) {
      if (state.pipes.length === 1 && state.pipes[0] === dest) {
        state.awaitDrainWriters = dest;
        state.multiAwaitDrain = false;
      } else if (state.pipes.length > 1 && ArrayPrototypeIncludes(state.pipes, dest)) {
        state.awaitDrainWriters.add(dest);
      }
      src.pause();
    }
    if (onDrain === undefined) {
      onDrain = makeOnDrain(src, dest);
      dest.on('drain', onDrain);
    }
  }

  function onData(chunk) {
    try {
      if (dest.write(chunk) === false) hold();
    } catch (error) {
      dest.destroy(error);
    }
  }

  function onError(error) {
    unpipe();
    dest.removeListener('error', onError);
    if (dest.listenerCount('error') !== 0) return;
    const other = dest._writableState || dest._readableState;
    // Without another listener, the error is thrown.
    if (other && !other.errorEmitted) errorOrDestroy(dest, error);
    else dest.emit('error', error);
  }

  function onClose() {
    dest.removeListener('finish', onFinish);
    unpipe();
  }

  function onFinish() {
    dest.removeListener('close', onClose);
    unpipe();
  }

  const endsDest = (!options || options.end !== false) && dest !== process.stdout && dest !== process.stderr;
  const atEnd = endsDest ? onEnd : unpipe;
  if (state.endEmitted) process.nextTick(atEnd);
  else src.once('end', atEnd);
  dest.on('unpipe', onUnpipe);
  src.on('data', onData);
  prependListener(dest, 'error', onError);
  dest.once('close', onClose);
  dest.once('finish', onFinish);
  dest.emit('pipe', src);
  if (dest.writableNeedDrain === true) hold();
  else if (!state.flowing) src.resume();
  return dest;
}

function makeOnDrain(src, dest) {
  return function onDrain() {
    const state = src._readableState;
    if (state.awaitDrainWriters === dest) state.awaitDrainWriters = null;
    else if (state.multiAwaitDrain) state.awaitDrainWriters.delete(dest);
    if ((!state.awaitDrainWriters || state.awaitDrainWriters.size === 0) && src.listenerCount('data') > 0) src.resume();
  };
}

function unpipe(dest) {
  const state = this._readableState;
  if (state.pipes.length === 0) return this;
  if (!dest) {
    const all = state.pipes;
    state.pipes = [];
    this.pause();
    for (let i = 0; i < all.length; i++) all[i].emit('unpipe', this, { hasUnpiped: false });
    return this;
  }
  const index = ArrayPrototypeIndexOf(state.pipes, dest);
  if (index === -1) return this;
  ArrayPrototypeSplice(state.pipes, index, 1);
  if (state.pipes.length === 0) this.pause();
  dest.emit('unpipe', this, { hasUnpiped: false });
  return this;
}

module.exports = { pipe, unpipe };
