'use strict';
// Stream: the base of all streams, with pipe() for old streams, which only emit 'data', 'end' and 'close'.
const {
  ArrayIsArray,
  ArrayPrototypeConcat,
  ArrayPrototypeFilter,
  ArrayPrototypeIncludes,
  ArrayPrototypeUnshift,
  FunctionPrototypeCall,
  ObjectSetPrototypeOf,
} = primordials;
const EventEmitter = require('events');

function Stream(options) {
  FunctionPrototypeCall(EventEmitter, this, options);
}
ObjectSetPrototypeOf(Stream.prototype, EventEmitter.prototype);
ObjectSetPrototypeOf(Stream, EventEmitter);

Stream.prototype.pipe = function(dest, options) {
  const source = this;
  const listeners = [];
  const listen = (emitter, event, listener) => {
    emitter.on(event, listener);
    listeners[listeners.length] = { emitter, event, listener };
  };
  const cleanUp = () => {
    for (let i = 0; i < listeners.length; i++) {
      listeners[i].emitter.removeListener(listeners[i].event, listeners[i].listener);
    }
    listeners.length = 0;
  };

  listen(source, 'data', (chunk) => {
    if (dest.writable && dest.write(chunk) === false && source.pause) source.pause();
  });
  listen(dest, 'drain', () => {
    if (source.readable && source.resume) source.resume();
  });
  if (!dest._isStdio && options?.end !== false) {
    // Only the first of the two events ends the destination.
    let isDone = false;
    const finish = (method) => {
      if (isDone) return;
      isDone = true;
      if (method === 'end' || typeof dest.destroy === 'function') dest[method]();
    };
    listen(source, 'end', () => finish('end'));
    listen(source, 'close', () => finish('destroy'));
  }
  // Added as the first listener, so that the pipe is removed before the others run. An error without another listener
  // is thrown.
  function onError(error) {
    cleanUp();
    if (this.listenerCount?.('error') === 0) this.emit('error', error);
  }
  const listenFirst = (emitter, event, listener) => {
    prependListener(emitter, event, listener);
    listeners[listeners.length] = { emitter, event, listener };
  };
  listenFirst(source, 'error', onError);
  listenFirst(dest, 'error', onError);
  listen(source, 'end', cleanUp);
  listen(source, 'close', cleanUp);
  listen(dest, 'close', cleanUp);
  dest.emit('pipe', source);
  return dest;
};

// Events that streams list first, regardless of when listeners were added, as in Node.
const firstOfReadable = ['close', 'error', 'data', 'end', 'readable'];
const firstOfWritable = ['close', 'error', 'prefinish', 'finish', 'drain'];
const firstOfDuplex = ['close', 'error', 'prefinish', 'finish', 'drain', 'data', 'end', 'readable'];
Stream.prototype.eventNames = function eventNames() {
  const names = FunctionPrototypeCall(EventEmitter.prototype.eventNames, this);
  if (!this._readableState && !this._writableState) return names;
  const order = !this._writableState ? firstOfReadable : !this._readableState ? firstOfWritable : firstOfDuplex;
  const first = ArrayPrototypeFilter(order, (name) => ArrayPrototypeIncludes(names, name));
  const rest = ArrayPrototypeFilter(names, (name) => !ArrayPrototypeIncludes(order, name));
  return ArrayPrototypeConcat(first, rest);
};

// Emitters of other packages may lack the method.
function prependListener(emitter, event, listener) {
  if (typeof emitter.prependListener === 'function') {
    emitter.prependListener(event, listener);
    return;
  }
  const present = emitter._events?.[event];
  if (!present) emitter.on(event, listener);
  else if (ArrayIsArray(present)) ArrayPrototypeUnshift(present, listener);
  else emitter._events[event] = [listener, present];
}

module.exports = { Stream, prependListener };
