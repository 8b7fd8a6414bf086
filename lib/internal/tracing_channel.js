'use strict';

// diagnostics_channel.boundedChannel() and tracingChannel(): groups of channels for one operation. They publish its
// start, end and error, and for an asynchronous operation asyncStart and asyncEnd.

const {
  ArrayPrototypeAt,
  ArrayPrototypeSplice,
  ObjectDefineProperty,
  ObjectGetPrototypeOf,
  PromisePrototype,
  PromisePrototypeThen,
  ReflectApply,
} = primordials;

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { SymbolDispose, kEmptyObject } = require('internal/util');
const { isPromise } = require('internal/util/types');
const { validateFunction } = require('internal/validators');

const boundedKinds = ['start', 'end'];

function warnOfNonThenable(fn) {
  process.emitWarning(
    `tracePromise was called with the function '${fn.name || '<anonymous>'}', which returned a non-thenable.`);
}

function define(channel, Channel) {
  function channelFrom(nameOrChannels, kind, className) {
    if (typeof nameOrChannels === 'string') return channel(`tracing:${nameOrChannels}:${kind}`);
    if (typeof nameOrChannels === 'object' && nameOrChannels !== null) {
      const given = nameOrChannels[kind];
      if (!(given instanceof Channel)) throw new ERR_INVALID_ARG_TYPE(`nameOrChannels.${kind}`, ['Channel'], given);
      return given;
    }
    throw new ERR_INVALID_ARG_TYPE('nameOrChannels', ['string', 'object', className], nameOrChannels);
  }

  // Publishes the start of an operation, and its end when disposed.
  class BoundedChannelScope {
    #context;
    #end;
    #scope;

    constructor(bounded, context) {
      if (!bounded.hasSubscribers) return;
      const { start, end } = bounded;
      this.#context = context;
      this.#end = end;
      this.#scope = start.withStoreScope(context);
    }

    [SymbolDispose]() {
      if (this.#scope === undefined) return;
      this.#end.publish(this.#context);
      this.#scope[SymbolDispose]();
      this.#scope = undefined;
    }
  }

  class BoundedChannel {
    constructor(nameOrChannels) {
      for (let i = 0; i < boundedKinds.length; i++) {
        const value = channelFrom(nameOrChannels, boundedKinds[i], 'BoundedChannel');
        ObjectDefineProperty(this, boundedKinds[i], { __proto__: null, value });
      }
    }

    get hasSubscribers() {
      return this.start.hasSubscribers || this.end.hasSubscribers;
    }

    subscribe(handlers) {
      for (let i = 0; i < boundedKinds.length; i++) {
        if (handlers[boundedKinds[i]]) this[boundedKinds[i]].subscribe(handlers[boundedKinds[i]]);
      }
    }

    // Returns true if all of the handlers had been subscribed.
    unsubscribe(handlers) {
      let done = true;
      for (let i = 0; i < boundedKinds.length; i++) {
        if (handlers[boundedKinds[i]] && !this[boundedKinds[i]].unsubscribe(handlers[boundedKinds[i]])) done = false;
      }
      return done;
    }

    withScope(context = kEmptyObject) {
      return new BoundedChannelScope(this, context);
    }

    run(context, fn, thisArg, ...args) {
      const scope = this.withScope(context ?? {});
      try {
        return ReflectApply(fn, thisArg, args);
      } finally {
        scope[SymbolDispose]();
      }
    }
  }

  class TracingChannel {
    #call;
    #continuation;

    constructor(nameOrChannels) {
      if (typeof nameOrChannels === 'string') {
        this.#call = new BoundedChannel(nameOrChannels);
        this.#continuation = new BoundedChannel({
          start: channel(`tracing:${nameOrChannels}:asyncStart`),
          end: channel(`tracing:${nameOrChannels}:asyncEnd`),
        });
      } else if (typeof nameOrChannels === 'object') {
        this.#call = new BoundedChannel({ start: nameOrChannels.start, end: nameOrChannels.end });
        this.#continuation = new BoundedChannel({ start: nameOrChannels.asyncStart, end: nameOrChannels.asyncEnd });
      }
      const value = channelFrom(nameOrChannels, 'error', 'TracingChannel');
      ObjectDefineProperty(this, 'error', { __proto__: null, value });
    }

    get start() {
      return this.#call.start;
    }

    get end() {
      return this.#call.end;
    }

    get asyncStart() {
      return this.#continuation.start;
    }

    get asyncEnd() {
      return this.#continuation.end;
    }

    get hasSubscribers() {
      return this.#call.hasSubscribers || this.#continuation.hasSubscribers || this.error.hasSubscribers;
    }

    subscribe(handlers) {
      this.#call.subscribe(handlers);
      this.#continuation.subscribe({ start: handlers.asyncStart, end: handlers.asyncEnd });
      if (handlers.error) this.error.subscribe(handlers.error);
    }

    unsubscribe(handlers) {
      let done = this.#call.unsubscribe(handlers);
      if (!this.#continuation.unsubscribe({ start: handlers.asyncStart, end: handlers.asyncEnd })) done = false;
      if (handlers.error && !this.error.unsubscribe(handlers.error)) done = false;
      return done;
    }

    // Calls `fn` between `start` and `end`. An exception is published to `error` before `end`, then rethrown.
    #run(context, fn) {
      const scope = this.#call.withScope(context);
      try {
        return fn();
      } catch (error) {
        context.error = error;
        this.error.publish(context);
        throw error;
      } finally {
        scope[SymbolDispose]();
      }
    }

    traceSync(fn, context = { __proto__: null }, thisArg, ...args) {
      if (!this.hasSubscribers) return ReflectApply(fn, thisArg, args);
      return this.#run(context, () => {
        const result = ReflectApply(fn, thisArg, args);
        context.result = result;
        return result;
      });
    }

    tracePromise(fn, context = { __proto__: null }, thisArg, ...args) {
      if (!this.hasSubscribers) {
        const result = ReflectApply(fn, thisArg, args);
        if (typeof result?.then !== 'function') warnOfNonThenable(fn);
        return result;
      }
      const onRejected = (error) => {
        context.error = error;
        this.error.publish(context);
        this.#continuation.withScope(context)[SymbolDispose]();
      };
      const onFulfilled = (result) => {
        context.result = result;
        this.#continuation.withScope(context)[SymbolDispose]();
        return result;
      };
      return this.#run(context, () => {
        const result = ReflectApply(fn, thisArg, args);
        if (typeof result?.then !== 'function') {
          warnOfNonThenable(fn);
          context.result = result;
          return result;
        }
        if (isPromise(result) && ObjectGetPrototypeOf(result) === PromisePrototype) {
          return PromisePrototypeThen(result, onFulfilled, (error) => {
            onRejected(error);
            throw error;
          });
        }
        // Other thenables are returned unchanged, because the caller may use more of their methods than then().
        result.then(onFulfilled, onRejected);
        return result;
      });
    }

    // `position` is the index of the callback in the arguments; negative values count from the end.
    traceCallback(fn, position = -1, context = kEmptyObject, thisArg, ...args) {
      if (!this.hasSubscribers) return ReflectApply(fn, thisArg, args);
      const errorChannel = this.error;
      const continuation = this.#continuation;
      const callback = ArrayPrototypeAt(args, position);
      validateFunction(callback, 'callback');
      function traced(error, result) {
        if (error) {
          context.error = error;
          errorChannel.publish(context);
        } else {
          context.result = result;
        }
        const scope = continuation.withScope(context);
        try {
          return ReflectApply(callback, this, arguments);
        } finally {
          scope[SymbolDispose]();
        }
      }
      ArrayPrototypeSplice(args, position, 1, traced);
      return this.#run(context, () => ReflectApply(fn, thisArg, args));
    }
  }

  return { BoundedChannel, TracingChannel };
}

module.exports = define;
