'use strict';

// The positions of the components in a URL, which inspect() shows with `showHidden`, as in Node.

const { Symbol } = primordials;

const kContext = Symbol('context');
const kAbsent = 0xffff_ffff;
const schemeTypes = { __proto__: null, http: 0, https: 2, ws: 3, ftp: 4, wss: 5, file: 6 };
const kNotSpecial = 1;

class URLContext {
  constructor(record) {
    const { scheme, username, password, host, port, path, query, fragment, href } = record;
    let at = scheme.length + 1;
    this.href = href;
    this.protocol_end = at;
    if (host !== null) at += 2;
    at += username.length;
    this.username_end = at;
    if (password !== '') at += 1 + password.length;
    this.host_start = at;
    if (username !== '' || password !== '') at++;
    at += host?.length ?? 0;
    this.host_end = at;
    const end = href.length - (fragment === null ? 0 : fragment.length + 1);
    const pathEnd = end - (query === null ? 0 : query.length + 1);
    this.pathname_start = pathEnd - path.length;
    this.search_start = query === null ? kAbsent : pathEnd;
    this.hash_start = fragment === null ? kAbsent : end;
    this.port = port === -1 ? kAbsent : port;
    this.scheme_type = schemeTypes[scheme] ?? kNotSpecial;
  }

  get hasPort() {
    return this.port !== kAbsent;
  }

  get hasSearch() {
    return this.search_start !== kAbsent;
  }

  get hasHash() {
    return this.hash_start !== kAbsent;
  }
}

module.exports = { URLContext, kContext };
