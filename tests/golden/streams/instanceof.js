'use strict';
// The relations between the classes, and what the module exports.
const EventEmitter = require('node:events');
const stream = require('node:stream');
const { Duplex, PassThrough, Readable, Stream, Transform, Writable } = stream;

console.log(Object.keys(stream).join(' '));
console.log(stream === Stream, require('stream') === stream, stream.promises === require('node:stream/promises'));
console.log(Object.keys(stream.promises).join(' '), Object.keys(require('node:stream/consumers')).join(' '));

const samples = {
  Stream: new Stream(),
  Readable: new Readable(),
  Writable: new Writable(),
  Duplex: new Duplex(),
  Transform: new Transform(),
  PassThrough: new PassThrough(),
};
const classes = { EventEmitter, Stream, Readable, Writable, Duplex, Transform, PassThrough };
for (const [name, value] of Object.entries(samples)) {
  const relations = Object.entries(classes).map(([key, Class]) => (value instanceof Class ? key : '-'));
  console.log(name.padEnd(12), value.constructor.name.padEnd(12), relations.join(' '));
}
console.log(Object.getPrototypeOf(Readable) === Stream, Object.getPrototypeOf(Duplex) === Readable);
console.log(Readable() instanceof Readable);
for (const Class of Object.values(classes)) console.log(Class.name, Class.length);
const [left, right] = stream.duplexPair();
console.log(left instanceof Duplex, right.constructor.name);
