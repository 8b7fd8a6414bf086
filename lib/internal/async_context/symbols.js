'use strict';
// Where promises and resources of the user keep their ids; the names are the ones util.inspect shows.

const { Symbol } = primordials;

module.exports = {
  kAsyncId: Symbol('async_id_symbol'),
  kTriggerId: Symbol('trigger_async_id_symbol'),
};
