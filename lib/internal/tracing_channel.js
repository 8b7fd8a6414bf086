'use strict';

// diagnostics_channel.tracingChannel(): five channels that follow one operation: its start and end, and for one that goes
// on afterwards its asyncStart and asyncEnd, and its error.

const {
  ArrayPrototypeAt,
  ArrayPrototypeSplice,
  ObjectDefineProperty,
  Promise,
  PromisePrototypeThen,
  PromiseReject,
  PromiseResolve,
  ReflectApply,
} = primordials;

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateFunction } = require('internal/validators');

const kinds = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];

function define(channel, Channel) {
  function channelFrom(nameOrChannels, kind) {
    if (typeof nameOrChannels === 'string') return channel(`tracing:${nameOrChannels}:${kind}`);
    if (typeof nameOrChannels === 'object' && nameOrChannels !== null) {
      const given = nameOrChannels[kind];
      if (!(given instanceof Channel)) throw new ERR_INVALID_ARG_TYPE(`nameOrChannels.${kind}`, ['Channel'], given);
      return given;
    }
    throw new ERR_INVALID_ARG_TYPE('nameOrChannels', ['string', 'object', 'TracingChannel'], nameOrChannels);
  }

  return class TracingChannel {
    constructor(nameOrChannels) {
      for (let i = 0; i < kinds.length; i++) {
        ObjectDefineProperty(this, kinds[i], { __proto__: null, value: channelFrom(nameOrChannels, kinds[i]) });
      }
    }

    get hasSubscribers() {
      return this.start.hasSubscribers || this.end.hasSubscribers || this.asyncStart.hasSubscribers ||
        this.asyncEnd.hasSubscribers || this.error.hasSubscribers;
    }

    subscribe(handlers) {
      for (let i = 0; i < kinds.length; i++) {
        if (handlers[kinds[i]]) this[kinds[i]].subscribe(handlers[kinds[i]]);
      }
    }

    // True if all of them had been subscribed.
    unsubscribe(handlers) {
      let done = true;
      for (let i = 0; i < kinds.length; i++) {
        if (handlers[kinds[i]] && !this[kinds[i]].unsubscribe(handlers[kinds[i]])) done = false;
      }
      return done;
    }

    traceSync(fn, context = {}, thisArg, ...args) {
      if (!this.hasSubscribers) return ReflectApply(fn, thisArg, args);
      return this.start.runStores(context, () => {
        try {
          const result = ReflectApply(fn, thisArg, args);
          context.result = result;
          return result;
        } catch (error) {
          context.error = error;
          this.error.publish(context);
          throw error;
        } finally {
          this.end.publish(context);
        }
      });
    }

    tracePromise(fn, context = {}, thisArg, ...args) {
      if (!this.hasSubscribers) return ReflectApply(fn, thisArg, args);
      const onRejected = (error) => {
        context.error = error;
        this.error.publish(context);
        this.asyncStart.publish(context);
        // Whoever runs after this has no place in the operation any more.
        this.asyncEnd.publish(context);
        return PromiseReject(error);
      };
      const onFulfilled = (result) => {
        context.result = result;
        this.asyncStart.publish(context);
        this.asyncEnd.publish(context);
        return result;
      };
      return this.start.runStores(context, () => {
        try {
          let promise = ReflectApply(fn, thisArg, args);
          if (!(promise instanceof Promise)) promise = PromiseResolve(promise);
          return PromisePrototypeThen(promise, onFulfilled, onRejected);
        } catch (error) {
          context.error = error;
          this.error.publish(context);
          throw error;
        } finally {
          this.end.publish(context);
        }
      });
    }

    // `position` says which argument the callback is; from the end if negative.
    traceCallback(fn, position = -1, context = {}, thisArg, ...args) {
      if (!this.hasSubscribers) return ReflectApply(fn, thisArg, args);
      const { asyncStart, asyncEnd, error: errorChannel } = this;
      const callback = ArrayPrototypeAt(args, position);
      validateFunction(callback, 'callback');
      function traced(error, result) {
        if (error) {
          context.error = error;
          errorChannel.publish(context);
        } else {
          context.result = result;
        }
        const callbackArguments = arguments;
        asyncStart.runStores(context, () => {
          try {
            return ReflectApply(callback, this, callbackArguments);
          } finally {
            asyncEnd.publish(context);
          }
        });
      }
      ArrayPrototypeSplice(args, position, 1, traced);
      return this.start.runStores(context, () => {
        try {
          return ReflectApply(fn, thisArg, args);
        } catch (error) {
          context.error = error;
          errorChannel.publish(context);
          throw error;
        } finally {
          this.end.publish(context);
        }
      });
    }
  };
}

module.exports = define;
