'use strict';
// A reader of Perfetto's packets, for tests: it parses the fields that a viewer of track events uses.

// The fields of a message, as [number, value]: numbers for varints, Buffers for the rest.
function decode(bytes) {
  const fields = [];
  let at = 0;
  const varint = () => {
    let number = 0;
    let scale = 1;
    for (;;) {
      if (at >= bytes.length) throw new Error('the message ends within a number');
      const byte = bytes[at++];
      number += (byte & 0x7f) * scale;
      scale *= 128;
      if (byte < 0x80) return number;
    }
  };
  const take = (size) => {
    if (at + size > bytes.length) throw new Error('the message ends within a field');
    at += size;
    return bytes.subarray(at - size, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const field = Math.floor(tag / 8);
    switch (tag % 8) {
      case 0: fields.push([field, varint()]); break;
      case 1: fields.push([field, take(8)]); break;
      case 2: fields.push([field, take(varint())]); break;
      case 5: fields.push([field, take(4)]); break;
      default: throw new Error(`a field of type ${tag % 8}`);
    }
  }
  return fields;
}

function all(fields, number) {
  return fields.filter((field) => field[0] === number).map((field) => field[1]);
}

function one(fields, number) {
  return all(fields, number)[0];
}

function text(fields, number) {
  return one(fields, number)?.toString();
}

function readTrack(bytes) {
  const fields = decode(bytes);
  const track = { uuid: one(fields, 1), name: text(fields, 2), parent: one(fields, 5),
    isCounter: one(fields, 8) !== undefined };
  const process = one(fields, 3);
  if (process !== undefined) track.process = { pid: one(decode(process), 1), name: text(decode(process), 6) };
  const thread = one(fields, 4);
  if (thread !== undefined) {
    track.thread = { pid: one(decode(thread), 1), tid: one(decode(thread), 2), name: text(decode(thread), 5) };
  }
  return track;
}

// Packets in order, with the names that they refer to by number.
function packetsOf(bytes) {
  const sequences = new Map();
  return all(decode(bytes), 1).map((content) => {
    const fields = decode(content);
    const packet = { time: one(fields, 8), sequence: one(fields, 10) };
    const flags = one(fields, 13) ?? 0;
    if (flags & 1) sequences.set(packet.sequence, { 1: new Map(), 2: new Map(), 3: new Map(), 29: new Map() });
    const tables = sequences.get(packet.sequence);
    if (flags & 2 && tables === undefined) throw new Error('names are referred to before the sequence has begun');
    for (const [table, entry] of one(fields, 12) === undefined ? [] : decode(one(fields, 12))) {
      const id = one(decode(entry), 1);
      if (tables[table].has(id)) throw new Error('a name is defined twice');
      tables[table].set(id, text(decode(entry), 2));
    }
    const look = (table, id) => {
      if (id !== undefined && !tables[table].has(id)) throw new Error(`name ${id} of table ${table} was never defined`);
      return id === undefined ? '' : tables[table].get(id);
    };
    if (one(fields, 60) !== undefined) packet.track = readTrack(one(fields, 60));
    if (one(fields, 11) !== undefined) {
      const event = decode(one(fields, 11));
      packet.event = {
        type: one(event, 9),
        track: one(event, 11),
        name: look(2, one(event, 10)),
        category: look(1, one(event, 3)),
        counter: one(event, 44)?.readDoubleLE(),
        flows: all(event, 47).map((flow) => flow.readBigUInt64LE()),
        endingFlows: all(event, 48).map((flow) => flow.readBigUInt64LE()),
        details: Object.fromEntries(all(event,
          4).map((item) => [look(3, one(decode(item), 1)), look(29, one(decode(item), 17))])),
      };
    }
    return packet;
  });
}

module.exports = { decode, packetsOf };
