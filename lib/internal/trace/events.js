'use strict';
// What can happen to an asynchronous resource, for traces: a callback where nothing is said, one of the queues between
// callbacks, or one of several events of a handle.

module.exports = {
  kTick: 1,
  kMicrotask: 2,
  kData: 3,
  kEnd: 4,
  kClose: 5,
  kConnection: 6,
};
