'use strict';
// What can happen to an asynchronous resource, for traces: a callback where nothing is said, one of the queues between
// callbacks, or one of several events of a handle.

const { Symbol } = primordials;

module.exports = {
  kListener: Symbol('kListener'), // On a function of ours: gives that of the program that it will call.
  kWhat: Symbol('kWhat'), // And what to call it;
  kOurs: Symbol('kOurs'), // or that it is not to be told of.
  kTick: 1,
  kMicrotask: 2,
  kData: 3,
  kEnd: 4,
  kClose: 5,
  kConnection: 6,
  kListens: 7,
};
