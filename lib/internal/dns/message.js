'use strict';

// Parses the messages of name servers (RFC 1035). They are untrusted: every length and pointer must be checked.
// Malformed messages throw BadMessage; missing parts are left out.

const {
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  Error,
  NumberPrototypeToString,
  StringFromCharCode,
  StringPrototypePadStart,
  TypedArrayPrototypeSlice,
  Uint8Array,
} = primordials;

const types = {
  __proto__: null, A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33, NAPTR: 35,
  TLSA: 52, ANY: 255, CAA: 257,
};

const kHeader = 12;
const kInternet = 1;
// A name has at most 255 bytes, and so fewer labels than this; more labels or pointers mean a loop.
const kMostJumps = 128;
const kMostName = 255;

class BadMessage extends Error {}

class Reader {
  constructor(buffer) {
    this.bytes = new Uint8Array(buffer);
    this.at = 0;
    this.end = this.bytes.length;
  }

  need(count) {
    if (count > this.end - this.at) throw new BadMessage();
  }

  u8() {
    this.need(1);
    return this.bytes[this.at++];
  }

  u16() {
    this.need(2);
    const { bytes, at } = this;
    this.at += 2;
    return bytes[at] << 8 | bytes[at + 1];
  }

  u32() {
    const high = this.u16();
    return high * 65536 + this.u16();
  }

  // Reads text of `length` bytes, one character per byte: its encoding is unknown, and Node does not decode it either.
  latin1(length) {
    this.need(length);
    let text = '';
    for (let i = 0; i < length; i++) text += StringFromCharCode(this.bytes[this.at + i]);
    this.at += length;
    return text;
  }

  // Reads text that is preceded by its length.
  string() {
    return this.latin1(this.u8());
  }

  // Reads a name: a list of labels, which may end with a pointer to an earlier part of the message.
  name(isHost) {
    const labels = [];
    const { bytes } = this;
    let at = this.at;
    let after = -1;
    let length = 0;
    for (let jumps = 0; ; jumps++) {
      if (jumps > kMostJumps || at >= bytes.length) throw new BadMessage();
      const size = bytes[at++];
      if (size === 0) break;
      if ((size & 0xC0) === 0xC0) {
        if (at >= bytes.length) throw new BadMessage();
        if (after === -1) after = at + 1;
        at = (size & 0x3F) << 8 | bytes[at];
        continue;
      }
      if (size > 63 || at + size > bytes.length) throw new BadMessage();
      length += size + 1;
      if (length > kMostName) throw new BadMessage();
      ArrayPrototypePush(labels, readLabel(bytes, at, size, isHost));
      at += size;
    }
    this.at = after === -1 ? at : after;
    if (this.at > this.end) throw new BadMessage();
    return ArrayPrototypeJoin(labels, '.');
  }
}

// Accepts letters, digits and - _ / *. Other characters in a host name could be an injection into a shell or a page.
function isHostCode(code) {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) ||
    code === 45 || code === 95 || code === 47 || code === 42;
}

// Escapes dots inside a label and unprintable characters as in zone files.
function readLabel(bytes, at, size, isHost) {
  let text = '';
  for (let i = at; i < at + size; i++) {
    const code = bytes[i];
    if (isHost && !isHostCode(code)) throw new BadMessage();
    if (code < 33 || code > 126) {
      text += `\\${StringPrototypePadStart(NumberPrototypeToString(code, 10), 3, '0')}`;
    } else if (code === 46 || code === 92 || code === 34 || code === 59 || code === 36 || code === 40 || code === 41 ||
               code === 64) {
      text += `\\${StringFromCharCode(code)}`;
    } else {
      text += StringFromCharCode(code);
    }
  }
  return text;
}

function readIPv4(reader) {
  return `${reader.u8()}.${reader.u8()}.${reader.u8()}.${reader.u8()}`;
}

// Formats an address as in RFC 5952: the longest run of two or more zero groups is omitted, the first if there are
// several.
function readIPv6(reader) {
  const groups = [];
  for (let i = 0; i < 8; i++) ArrayPrototypePush(groups, reader.u16());
  let best = -1;
  let longest = 1;
  for (let i = 0; i < 8; i++) {
    let run = 0;
    while (i + run < 8 && groups[i + run] === 0) run++;
    if (run > longest) {
      best = i;
      longest = run;
    }
    i += run;
  }
  // Addresses that represent an IPv4 address end with it.
  if (best === 0 && (longest === 6 || (longest === 5 && groups[5] === 0xFFFF))) {
    const tail = `${groups[6] >> 8}.${groups[6] & 255}.${groups[7] >> 8}.${groups[7] & 255}`;
    return longest === 6 ? `::${tail}` : `::ffff:${tail}`;
  }
  let text = '';
  for (let i = 0; i < 8; i++) {
    if (i === best) {
      text += '::';
      i += longest - 1;
      continue;
    }
    if (text !== '' && text[text.length - 1] !== ':') text += ':';
    text += NumberPrototypeToString(groups[i], 16);
  }
  return text;
}

function readTxt(reader) {
  const chunks = [];
  while (reader.at < reader.end) ArrayPrototypePush(chunks, reader.string());
  return chunks;
}

function readCaa(reader) {
  const critical = reader.u8();
  const tag = reader.latin1(reader.u8());
  if (tag === '') throw new BadMessage();
  return { critical, type: 'CAA', [tag]: reader.latin1(reader.end - reader.at) };
}

function readTlsa(reader) {
  const certUsage = reader.u8();
  const selector = reader.u8();
  const match = reader.u8();
  const { buffer } = TypedArrayPrototypeSlice(reader.bytes, reader.at, reader.end);
  return { certUsage, selector, match, data: buffer };
}

// Decodes the data of a record into the form in which Node returns it.
function readData(type, reader) {
  switch (type) {
    case types.A: return readIPv4(reader);
    case types.AAAA: return readIPv6(reader);
    case types.NS: case types.CNAME: case types.PTR: return reader.name(true);
    case types.MX: {
      const priority = reader.u16();
      return { exchange: reader.name(true), priority, type: 'MX' };
    }
    case types.TXT: return readTxt(reader);
    case types.SRV: {
      const priority = reader.u16();
      const weight = reader.u16();
      const port = reader.u16();
      return { name: reader.name(true), port, priority, weight, type: 'SRV' };
    }
    case types.NAPTR: {
      const order = reader.u16();
      const preference = reader.u16();
      const flags = reader.string();
      const service = reader.string();
      const regexp = reader.string();
      return { flags, service, regexp, replacement: reader.name(false), order, preference };
    }
    case types.SOA: {
      const nsname = reader.name(true);
      const hostmaster = reader.name(false);
      const serial = reader.u32();
      const refresh = reader.u32();
      const retry = reader.u32();
      const expire = reader.u32();
      return { nsname, hostmaster, serial, refresh, retry, expire, minttl: reader.u32() };
    }
    case types.CAA: return readCaa(reader);
    case types.TLSA: return readTlsa(reader);
    default: return undefined;
  }
}

// Returns the records of the answer section with known types: [{ type, ttl, data }]. Throws BadMessage.
function readAnswers(buffer) {
  const reader = new Reader(buffer);
  reader.need(kHeader);
  reader.at = 4;
  let questions = reader.u16();
  let answers = reader.u16();
  reader.at = kHeader;
  for (; questions > 0; questions--) {
    reader.name(false);
    reader.need(4);
    reader.at += 4;
  }
  const records = [];
  const wholeEnd = reader.end;
  for (; answers > 0; answers--) {
    reader.name(false);
    const type = reader.u16();
    const recordClass = reader.u16();
    const ttl = reader.u32();
    const size = reader.u16();
    reader.need(size);
    const next = reader.at + size;
    if (recordClass === kInternet) {
      reader.end = next;
      const data = readData(type, reader);
      reader.end = wholeEnd;
      if (data !== undefined) ArrayPrototypePush(records, { type, ttl, data });
    }
    reader.at = next;
  }
  return records;
}

module.exports = { BadMessage, readAnswers, types };
