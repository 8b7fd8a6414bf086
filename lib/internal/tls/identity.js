'use strict';
// checkServerIdentity(): whether a certificate is for a host (RFC 6125).

const {
  ArrayIsArray,
  ArrayPrototypeIncludes,
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  ArrayPrototypeSome,
  JSONParse,
  RegExpPrototypeExec,
  RegExpPrototypeSymbolReplace,
  StringFromCharCode,
  StringPrototypeCharCodeAt,
  StringPrototypeEndsWith,
  StringPrototypeIncludes,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeSplit,
  StringPrototypeStartsWith,
} = primordials;

const { canonicalAddress } = internalBinding('tls_details');
const { codes: { ERR_TLS_CERT_ALTNAME_FORMAT, ERR_TLS_CERT_ALTNAME_INVALID } } = require('internal/errors');
const { isIP } = require('internal/net');
const { domainToASCII } = require('internal/url');

// A string in JSON, with which names that contain separators are quoted.
const quoted = /^"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/;
const unusual = /[^\u0021-\u007F]/u;

function withoutFinalDot(name) {
  return StringPrototypeEndsWith(name, '.') ? StringPrototypeSlice(name, 0, -1) : name;
}

// Only A to Z: other letters depend on the language.
function toLowerCase(text) {
  return RegExpPrototypeSymbolReplace(/[A-Z]/g, text,
    (letter) => StringFromCharCode(32 + StringPrototypeCharCodeAt(letter, 0)));
}

function labelsOf(name) {
  return StringPrototypeSplit(toLowerCase(withoutFinalDot(name)), '.');
}

// The first label of a pattern may contain one `*`, unless it is in Punycode or only one label follows.
function matchesFirstLabel(label, pattern, labels) {
  const { 0: before, 1: after, length } = StringPrototypeSplit(pattern, '*');
  if (length === 1 || StringPrototypeIncludes(pattern, 'xn--')) return label === pattern;
  return length === 2 && labels > 2 && before.length + after.length <= label.length &&
    StringPrototypeStartsWith(label, before) && StringPrototypeEndsWith(label, after);
}

function matches(host, pattern) {
  if (!pattern) return false;
  const labels = labelsOf(pattern);
  if (labels.length !== host.length || ArrayPrototypeIncludes(labels, '') ||
      ArrayPrototypeSome(labels, (label) => RegExpPrototypeExec(unusual, label) !== null)) {
    return false;
  }
  for (let i = 1; i < labels.length; i++) {
    if (labels[i] !== host[i]) return false;
  }
  return matchesFirstLabel(host[0], labels[0], labels.length);
}

// "DNS:a.example, DNS:\"b, c\"" as ["DNS:a.example", "DNS:b, c"]
function splitNames(text) {
  if (!StringPrototypeIncludes(text, '"')) return StringPrototypeSplit(text, ', ');
  const names = [];
  let name = '';
  let rest = text;
  while (rest !== '') {
    const comma = StringPrototypeIndexOf(rest, ',');
    const quote = StringPrototypeIndexOf(rest, '"');
    if (quote !== -1 && (comma === -1 || quote < comma)) {
      const match = RegExpPrototypeExec(quoted, StringPrototypeSlice(rest, quote));
      if (match === null) throw new ERR_TLS_CERT_ALTNAME_FORMAT();
      name += StringPrototypeSlice(rest, 0, quote) + JSONParse(match[0]);
      rest = StringPrototypeSlice(rest, quote + match[0].length);
    } else if (comma !== -1) {
      ArrayPrototypePush(names, name + StringPrototypeSlice(rest, 0, comma));
      name = '';
      rest = StringPrototypeSlice(rest, comma + 2);
    } else {
      name += rest;
      rest = '';
    }
  }
  ArrayPrototypePush(names, name);
  return names;
}

// Returns why the certificate is not valid for this host; undefined if it is.
function problemWith(host, { subject, subjectaltname: altNames }) {
  const dnsNames = [];
  const addresses = [];
  const names = altNames ? splitNames(altNames) : [];
  for (let i = 0; i < names.length; i++) {
    if (StringPrototypeStartsWith(names[i], 'DNS:')) {
      ArrayPrototypePush(dnsNames, StringPrototypeSlice(names[i], 4));
    } else if (StringPrototypeStartsWith(names[i], 'IP Address:')) {
      ArrayPrototypePush(addresses, canonicalAddress(StringPrototypeSlice(names[i], 11)));
    }
  }
  const name = withoutFinalDot(host);
  if (isIP(name) !== 0) {
    if (ArrayPrototypeIncludes(addresses, canonicalAddress(name))) return undefined;
    return `IP: ${name} is not in the cert's list: ${ArrayPrototypeJoin(addresses, ', ')}`;
  }
  const labels = labelsOf(withoutFinalDot(domainToASCII(host)));
  const isMatch = (pattern) => matches(labels, pattern);
  if (dnsNames.length > 0) {
    if (ArrayPrototypeSome(dnsNames, isMatch)) return undefined;
    return `Host: ${name}. is not in the cert's altnames: ${altNames}`;
  }
  const commonName = subject?.CN;
  if (!commonName) return 'Cert does not contain a DNS name';
  if (ArrayIsArray(commonName) ? ArrayPrototypeSome(commonName, isMatch) : isMatch(commonName)) return undefined;
  return `Host: ${name}. is not cert's CN: ${commonName}`;
}

function checkServerIdentity(hostname, cert) {
  const host = `${hostname}`;
  const problem = problemWith(host, cert);
  if (problem !== undefined) return new ERR_TLS_CERT_ALTNAME_INVALID(problem, withoutFinalDot(host), cert);
}

module.exports = { checkServerIdentity };
