'use strict';
// The dispatcher of the process, unless the program sets another one: undici's Agent. fetch() uses it only for requests
// that internal/fetch/fetch does not send itself.

const { ObjectDefineProperty } = primordials;

const { internals: { Agent, symbols: { kClose, kDestroy } } } = require('vendor/undici');

let endPools;

class FetchAgent extends Agent {
  // The original function, to detect that the program has replaced it.
  #dispatch;

  constructor(options) {
    super(options);
    this.#dispatch = this.dispatch;
  }

  static isUnchanged(object) {
    return typeof object === 'object' && object !== null && #dispatch in object &&
      object.dispatch === object.#dispatch && !object.closed && !object.destroyed && object._eventsCount === 0;
  }

  [kClose]() {
    endPools?.();
    return super[kClose]();
  }

  [kDestroy](error) {
    endPools?.(error);
    return super[kDestroy](error);
  }
}
const { isUnchanged } = FetchAgent;
delete FetchAgent.isUnchanged;
ObjectDefineProperty(FetchAgent, 'name', { __proto__: null, value: 'Agent', configurable: true });

function createAgent() {
  return new FetchAgent();
}

// Without an error the connections end after their requests.
function onAgentEnd(callback) {
  endPools = callback;
}

module.exports = { createAgent, isUnchanged, onAgentEnd };
