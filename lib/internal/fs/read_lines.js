'use strict';
// FileHandle.readLines(): the lines of a file, one after the other.

const { RegExpPrototypeExec, StringPrototypeSlice, SymbolAsyncIterator } = primordials;

const EventEmitter = require('events');
const { hasBuiltin } = require('internal/bootstrap/realm');

// What is needed of readline's Interface where there is no module of that name.
class Lines extends EventEmitter {
  #input;
  #rest = '';
  #isClosed = false;
  #endsInReturn = false;

  constructor(input) {
    super();
    this.#input = input;
    input.setEncoding('utf8');
    input.on('data', (text) => this.#take(text));
    input.on('end', () => {
      if (this.#rest !== '') this.emit('line', this.#rest);
      this.close();
    });
    input.on('error', (error) => this.emit('error', error));
  }

  #take(text) {
    // A line end of two characters may be cut in half.
    if (this.#endsInReturn && text[0] === '\n') text = StringPrototypeSlice(text, 1);
    this.#endsInReturn = text[text.length - 1] === '\r';
    const ends = /\r\n|\n|\r|\u2028|\u2029/g;
    let from = 0;
    let end;
    while ((end = RegExpPrototypeExec(ends, text)) !== null) {
      const line = this.#rest + StringPrototypeSlice(text, from, end.index);
      this.#rest = '';
      from = ends.lastIndex;
      this.emit('line', line);
    }
    this.#rest += StringPrototypeSlice(text, from);
  }

  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.emit('close');
  }

  pause() {
    this.#input.pause();
    return this;
  }

  resume() {
    this.#input.resume();
    return this;
  }

  async* [SymbolAsyncIterator]() {
    const { on } = EventEmitter;
    try {
      for await (const event of on(this, 'line', {
        close: ['close'], highWaterMark: 1024, lowWaterMark: 1,
      })) yield event[0];
    } finally {
      this.close();
      this.#input.destroy();
    }
  }
}

function readLines(input) {
  if (!hasBuiltin('readline')) return new Lines(input);
  return require('readline').createInterface({ input, crlfDelay: Infinity });
}

module.exports = { readLines };
