'use strict';

// The parts of a parsed URL.

const { StringPrototypeCharCodeAt } = primordials;

class Record {
  constructor(scheme, special) {
    this.scheme = scheme;
    this.special = special;
    this.username = '';
    this.password = '';
    this.host = null; // Serialized. Null if there is none, which differs from an empty host.
    this.port = -1; // -1: the default port of the scheme.
    this.path = ''; // Each segment has a slash before it. Unchanged text if `opaque`.
    this.opaque = false;
    this.query = null;
    this.fragment = null;
    this.href = '';
  }

  serialize() {
    let out = `${this.scheme}:`;
    if (this.host !== null) {
      out += '//';
      if (this.username !== '' || this.password !== '') {
        out += this.username;
        if (this.password !== '') out += `:${this.password}`;
        out += '@';
      }
      out += this.host;
      if (this.port !== -1) out += `:${this.port}`;
    } else if (!this.opaque && StringPrototypeCharCodeAt(this.path, 1) === 47 && this.path.length > 1) {
      // Without '/.' the path would be parsed as a host.
      out += '/.';
    }
    out += this.path;
    if (this.query !== null) out += `?${this.query}`;
    if (this.fragment !== null) out += `#${this.fragment}`;
    this.href = out;
    return out;
  }
}

module.exports = { Record };
