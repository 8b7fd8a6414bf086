'use strict';

// When V8 writes the snapshot it decides how many fields the objects of each constructor hold in themselves: as many as
// those had that are alive at that moment. Of what only lived while the snapshot was made nothing is alive, and each
// object that a program makes later would have all its fields in an array beside it, which grows three at a time. So
// one of each kind that programs make many of stays, for as long as they run.

const { Float64Array } = primordials;

const { AbortController } = require('internal/abort_controller');
const EventEmitter = require('events');
const { EventTarget } = require('internal/event_target');
const { statsFromNumbers } = require('internal/fs/stats');
const { Duplex, PassThrough, Readable, Transform, Writable } = require('stream');

// With numbers as they will be: to learn later that a time is no small integer would cost V8 a new shape.
const kSomeTime = 1700000000000.5;
const numbers = new Float64Array(18);
for (let i = 0; i < 10; i++) numbers[i] = i + 1;
for (let i = 10; i < 14; i++) numbers[i] = kSomeTime;

function read() {}

module.exports = [
  new AbortController(),
  new Duplex({ read }),
  new Duplex(),
  new EventEmitter(),
  new EventTarget(),
  new PassThrough(),
  new Readable({ read }),
  new Readable(),
  new Transform(),
  new Writable(),
  statsFromNumbers(numbers),
];
