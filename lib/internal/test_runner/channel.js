'use strict';
// The channels tracing:node.test:start, end and error of diagnostics_channel: each test and suite publishes there.

const { ReflectApply } = primordials;

const { AsyncResource } = require('async_hooks');
const { tracingChannel } = require('diagnostics_channel');

let channels;

class Publisher {
  #context;
  // In the context of the stores that subscribers bound to `start`.
  #end = (context) => channels.end.publish(context);
  #error = (context) => channels.error.publish(context);

  constructor({ entryFile, name, nesting, type }) {
    channels ??= tracingChannel('node.test');
    this.#context = { __proto__: null, name, nesting, file: entryFile, type };
  }

  // Wraps `fn` so that its calls are published. Returns `fn` itself if there are no subscribers.
  wrap(fn) {
    if (!channels.start.hasSubscribers) return fn;
    const publisher = this;
    return function(...args) {
      return channels.start.runStores(publisher.#context, () => {
        publisher.#end = AsyncResource.bind(publisher.#end);
        publisher.#error = AsyncResource.bind(publisher.#error);
        return ReflectApply(fn, this, args);
      });
    };
  }

  error(error) {
    if (channels.error.hasSubscribers) this.#error({ __proto__: null, ...this.#context, error });
  }

  end() {
    if (channels.end.hasSubscribers) this.#end(this.#context);
  }
}

module.exports = { Publisher };
