'use strict';

// Splits a pattern in the form of a URL into the patterns of its components.

const { StringPrototypeSlice } = primordials;

const {
  kAsterisk, kChar, kClose, kEnd, kEscaped, kInvalid, kName, kOpen, kRegexp, tokenize,
} = require('internal/url/pattern/tokens');

const kInit = 'init';
const kAuthority = 'authority';
const kDone = 'done';

// The order of the components in a URL.
const order = ['protocol', kAuthority, 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash'];
const positionOf = { __proto__: null };
for (let i = 0; i < order.length; i++) positionOf[order[i]] = i;

class Parser {
  // `isSpecial(text)` is true if a pattern of a protocol matches a special scheme, such as http.
  constructor(input, isSpecial) {
    this.input = input;
    this.isSpecial = isSpecial;
    this.tokens = tokenize(input, true);
    this.result = { __proto__: null };
    this.start = 0;
    this.index = 0;
    this.step = 1;
    this.groupDepth = 0;
    this.bracketDepth = 0;
    this.matchesSpecial = false;
    this.state = kInit;
  }

  tokenAt(index) {
    return this.tokens[index] ?? this.tokens[this.tokens.length - 1];
  }

  is(value, index = this.index) {
    const token = this.tokenAt(index);
    return token.value === value && (token.type === kChar || token.type === kEscaped || token.type === kInvalid);
  }

  // True at a question mark that starts the query, and is not a modifier.
  isSearchPrefix() {
    if (this.is('?')) return true;
    if (this.tokenAt(this.index).value !== '?') return false;
    if (this.index === 0) return true;
    const { type } = this.tokenAt(this.index - 1);
    return type !== kName && type !== kRegexp && type !== kClose && type !== kAsterisk;
  }

  component() {
    return StringPrototypeSlice(this.input, this.tokenAt(this.start).index, this.tokenAt(this.index).index);
  }

  change(state, skip) {
    const { result } = this;
    if (this.state !== kInit && this.state !== kAuthority && this.state !== kDone) {
      result[this.state] = this.component();
    }
    if (this.state !== kInit && state !== kDone) {
      const from = positionOf[this.state];
      const to = positionOf[state];
      // Components that were skipped are empty, not wildcards.
      if (from < positionOf.hostname && to > positionOf.hostname) result.hostname ??= '';
      if (from < positionOf.pathname && to > positionOf.pathname) result.pathname ??= this.matchesSpecial ? '/' : '';
      if (from < positionOf.search && to > positionOf.search) result.search ??= '';
    }
    this.state = state;
    this.index += skip;
    this.start = this.index;
    this.step = 0;
  }

  rewind(state) {
    this.index = this.start;
    this.step = 0;
    this.state = state;
  }

  // Handles the end of the text. Returns false if the last component is complete.
  atEnd() {
    if (this.state === kInit) {
      this.rewind(kInit);
      if (this.is('#')) this.change('hash', 1);
      else if (this.isSearchPrefix()) this.change('search', 1);
      else this.change('pathname', 0);
      return true;
    }
    if (this.state === kAuthority) {
      this.rewind('hostname');
      return true;
    }
    this.change(kDone, 0);
    return false;
  }

  toPathOrLater() {
    if (this.is('/')) this.change('pathname', 0);
    else this.toSearchOrLater();
  }

  toSearchOrLater() {
    if (this.isSearchPrefix()) this.change('search', 1);
    else if (this.is('#')) this.change('hash', 1);
  }

  inProtocol() {
    if (!this.is(':')) return;
    this.matchesSpecial = this.isSpecial(this.component());
    if (this.is('/', this.index + 1) && this.is('/', this.index + 2)) this.change(kAuthority, 3);
    else this.change(this.matchesSpecial ? kAuthority : 'pathname', 1);
  }

  inHostname() {
    if (this.is('[')) this.bracketDepth++;
    else if (this.is(']')) this.bracketDepth--;
    else if (this.is(':') && this.bracketDepth === 0) this.change('port', 1);
    else this.toPathOrLater();
  }

  inState() {
    switch (this.state) {
      case kInit: return this.is(':') ? this.rewind('protocol') : undefined;
      case 'protocol': return this.inProtocol();
      case kAuthority:
        if (this.is('@')) return this.rewind('username');
        return this.is('/') || this.isSearchPrefix() || this.is('#') ? this.rewind('hostname') : undefined;
      case 'username':
        if (this.is(':')) return this.change('password', 1);
        return this.is('@') ? this.change('hostname', 1) : undefined;
      case 'password': return this.is('@') ? this.change('hostname', 1) : undefined;
      case 'hostname': return this.inHostname();
      case 'port': return this.toPathOrLater();
      case 'pathname': return this.toSearchOrLater();
      case 'search': return this.is('#') ? this.change('hash', 1) : undefined;
    }
  }

  run() {
    for (; this.index < this.tokens.length; this.index += this.step) {
      this.step = 1;
      const { type } = this.tokens[this.index];
      if (type === kEnd) {
        if (!this.atEnd()) break;
        continue;
      }
      if (type === kOpen) {
        this.groupDepth++;
        continue;
      }
      if (this.groupDepth > 0) {
        if (type !== kClose) continue;
        this.groupDepth--;
      }
      this.inState();
    }
    const { result } = this;
    if (result.hostname !== undefined) result.port ??= '';
    return result;
  }
}

function parseConstructorString(input, isSpecial) {
  return new Parser(input, isSpecial).run();
}

module.exports = { parseConstructorString };
