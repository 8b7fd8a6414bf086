'use strict';
// The numbers of docs/TRACE-FORMAT.md. Like reader, model and rules this file uses only the language itself, because
// the viewer's page includes these files, and bindings do not exist there. format.test.js compares the numbers with
// those of C++. No user code runs where these files do, so they need no primordials.

const kHeaderSize = 4096;
const kRecordSize = 32;
const kVersion = 4;
const kOldestVersion = 2; // Older versions have fewer kinds.
const kMagic = 'RONDOTR1';

const kHasEnded = 1;
const kNamesUsedUp = 2;
const kIsVirtual = 4;
const kDiskFull = 8;

// Offsets of the fields of the header.
const headerFields = {
  version: 8,
  pid: 12,
  threadId: 16,
  flags: 20,
  namesRoom: 24,
  capacity: 32,
  written: 40,
  namesBytes: 48,
  namesCount: 56,
  startedAt: 64,
  startedAtMonotonic: 72,
  exitCode: 80,
  commandLineLength: 88,
  commandLine: 96,
};

const kinds = {
  turn: 1,
  phaseBegin: 2,
  phaseEnd: 3,
  loopCallbackBegin: 4,
  loopCallbackEnd: 5,
  callbackBegin: 6,
  callbackEnd: 7,
  tickDrainBegin: 8,
  tickDrainEnd: 9,
  tickBegin: 10,
  tickEnd: 11,
  microtaskDrainBegin: 12,
  microtaskDrainEnd: 13,
  microtaskBegin: 14,
  microtaskEnd: 15,
  schedule: 16,
  promiseMade: 17,
  promiseSettled: 18,
  over: 19,
  handleOpened: 20,
  handleClosed: 21,
  serves: 22,
  jobQueued: 23,
  jobStarted: 24,
  jobFinished: 25,
  pollWaits: 26,
  pollWoke: 27,
  gauge: 28,
  blocked: 29,
  uncaught: 30,
  exit: 31,
  refd: 32,
  touches: 33,
  turnCallbackBegin: 34,
  nextCallbackBegin: 35,
  innerCallbackBegin: 36,
  innerCallbackEnd: 37,
  requestBegin: 38,
  requestPart: 39,
  requestEnd: 40,
};
const kLastKind = 40;

const phaseNames = ['none', 'timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'closing'];
const phases = { none: 0, timers: 1, pending: 2, idle: 3, prepare: 4, poll: 5, check: 6, closing: 7 };

// The detail of a record of kind `touches`.
const touches = { reads: 0, writes: 1, closes: 2 };

const nameKinds = { text: 0, place: 1, stack: 2 };

// Details of records of requests.
const requestSides = { server: 0, client: 1 };
const kRequestFailed = 1; // The value of a `requestEnd`.

module.exports = {
  kHeaderSize,
  kRecordSize,
  kVersion,
  kOldestVersion,
  kMagic,
  kHasEnded,
  kNamesUsedUp,
  kDiskFull,
  kIsVirtual,
  headerFields,
  kinds,
  kLastKind,
  kRequestFailed,
  phaseNames,
  phases,
  nameKinds,
  requestSides,
  touches,
};
