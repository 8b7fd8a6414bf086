'use strict';
// Keys of the async ids on promises and user resources. The descriptions are those that util.inspect shows in Node.

const { Symbol } = primordials;

module.exports = {
  kAsyncId: Symbol('async_id_symbol'),
  kTriggerId: Symbol('trigger_async_id_symbol'),
};
