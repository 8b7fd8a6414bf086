'use strict';
// Kinds of events of an asynchronous resource, for traces: the queues between callbacks, and the events of a handle.
// The default is a callback.

const { Symbol } = primordials;

module.exports = {
  kListener: Symbol('kListener'), // On a function of lib: returns the function of the program that it will call.
  kWhat: Symbol('kWhat'), // On a function of lib: its name in traces, or kOurs.
  kOurs: Symbol('kOurs'), // Value of kWhat for functions that traces leave out.
  kTick: 1,
  kMicrotask: 2,
  kData: 3,
  kEnd: 4,
  kClose: 5,
  kConnection: 6,
  kListens: 7,
  kMessage: 8,
};
