'use strict';
// Writes traces as in docs/TRACE-FORMAT.md, byte by byte: valid and invalid ones for tests of readers.

class TraceWriter {
  constructor({ capacity = 1024, namesRoom = 65536, threadId = 0, commandLine = ['rondo', 'app.js'] } = {}) {
    Object.assign(this, { capacity, namesRoom, threadId, commandLine });
    this.names = [];
    this.records = [];
    this.exitCode = 0;
    this.flags = 1;
    this.time = 0;
  }

  entry(kind, content) {
    const bytes = Buffer.alloc(8 + content.length + (-content.length & 3));
    bytes.writeUInt32LE(content.length, 0);
    bytes.writeUInt32LE(kind, 4);
    content.copy(bytes, 8);
    return this.names.push(bytes);
  }

  text(string) {
    return this.entry(0, Buffer.from(string));
  }

  numbers(kind, list) {
    const content = Buffer.alloc(4 * list.length);
    list.forEach((number, i) => content.writeUInt32LE(number, 4 * i));
    return this.entry(kind, content);
  }

  place(functionName, file, line, column) {
    return this.numbers(1, [functionName === '' ? 0 : this.text(functionName), this.text(file), line, column]);
  }

  stack(places) {
    return this.numbers(2, places);
  }

  // Time advances by a microsecond per record unless it is given.
  add(kind, { time, phase = 0, detail = 0, name = 0, id = 0, value = 0, first, second } = {}) {
    const bytes = Buffer.alloc(32);
    this.time = time ?? this.time + 1000;
    bytes.writeDoubleLE(this.time, 0);
    bytes[8] = kind;
    bytes[9] = phase;
    bytes.writeUInt16LE(detail, 10);
    bytes.writeUInt32LE(name, 12);
    bytes.writeDoubleLE(id, 16);
    if (first === undefined && second === undefined) {
      bytes.writeDoubleLE(value, 24);
    } else {
      bytes.writeUInt32LE(first ?? 0, 24);
      bytes.writeUInt32LE(second ?? 0, 28);
    }
    this.records.push(bytes);
    return this;
  }

  // The header alone; `change` is a function that may damage it.
  header(change = () => {}) {
    const names = Buffer.concat(this.names);
    const bytes = Buffer.alloc(4096);
    const words = Buffer.from(JSON.stringify(this.commandLine));
    bytes.write('RONDOTR1', 'latin1');
    bytes.writeUInt32LE(3, 8);
    bytes.writeUInt32LE(4711, 12);
    bytes.writeUInt32LE(this.threadId, 16);
    bytes.writeUInt32LE(this.flags, 20);
    bytes.writeDoubleLE(this.namesRoom, 24);
    bytes.writeDoubleLE(this.capacity, 32);
    bytes.writeDoubleLE(this.records.length, 40);
    bytes.writeDoubleLE(names.length, 48);
    bytes.writeDoubleLE(this.names.length, 56);
    bytes.writeDoubleLE(1.7e12, 64);
    bytes.writeDoubleLE(5e9, 72);
    bytes.writeDoubleLE(this.exitCode, 80);
    bytes.writeUInt32LE(words.length, 88);
    words.copy(bytes, 96);
    change(bytes);
    return bytes;
  }

  bytes(change) {
    const all = Buffer.alloc(4096 + this.namesRoom + 32 * this.capacity);
    this.header(change).copy(all);
    Buffer.concat(this.names).copy(all, 4096);
    this.records.forEach((bytes, i) => bytes.copy(all, 4096 + this.namesRoom + 32 * (i % this.capacity)));
    return all;
  }
}

module.exports = { TraceWriter };
