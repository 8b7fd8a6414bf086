'use strict';
// Node's older name for parts of `http`.

const { ObjectDefineProperty } = primordials;

const { Agent, getGlobalAgent, setGlobalAgent } = require('internal/http/agent');

module.exports = { Agent };

ObjectDefineProperty(module.exports, 'globalAgent', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get: getGlobalAgent,
  set: setGlobalAgent,
});
