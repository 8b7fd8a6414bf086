'use strict';
// An in-memory connection with a chosen division into chunks, and texts for what a program sees of messages.
const { createHash } = require('node:crypto');
const { Duplex } = require('node:stream');

// The end of a connection that belongs to the program. What it writes is in `sent`.
class Wire extends Duplex {
  constructor(events) {
    super({ allowHalfOpen: true, autoDestroy: true });
    this.events = events;
    this.sent = '';
    this.hasEnded = false;
    this.on('error', (error) => events.push(`wire error ${error.code}`));
    this.on('close', () => events.push('wire close'));
  }

  receive(data) {
    if (this.hasEnded) return;
    this.hasEnded = data === null;
    this.push(data);
  }

  _read() {}

  _write(data, encoding, callback) {
    this.sent += data.toString('latin1');
    setImmediate(callback);
  }

  _final(callback) {
    this.events.push('wire final');
    callback();
  }

  setTimeout() { return this; }
  setNoDelay() { return this; }
  setKeepAlive() { return this; }
  ref() { return this; }
  unref() { return this; }
}

function digest(bytes) {
  if (bytes.length < 40) return JSON.stringify(bytes.toString('latin1'));
  return `${bytes.length} bytes ${createHash('sha1').update(bytes).digest('hex').slice(0, 12)}`;
}

function describe(value) {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

// Several turns: what was received has had all of its effects.
async function finishTicks() {
  for (let i = 0; i < 4; i++) await new Promise(setImmediate);
}

const withoutDate = (text) => JSON.stringify(text).replace(/Date: [^\\]*/g, 'Date: now');

module.exports = { Wire, describe, digest, finishTicks, withoutDate };
