'use strict';

// Recognizes numeric addresses, for net.isIP(). Written by hand for speed: each lookup and connection checks its host.

const {
  RegExpPrototypeExec,
  StringPrototypeCharCodeAt,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  hardenRegExp,
} = primordials;

const zonePattern = hardenRegExp(/^[-0-9a-zA-Z.:]+$/);

const kDot = 46;
const kZero = 48;
const kNine = 57;
const kColon = 58;

// Four numbers up to 255 without leading zeros, from `at` to the end of `text`.
function isIPv4From(text, at) {
  const { length } = text;
  if (length - at < 7 || length - at > 15) return false;
  for (let part = 0; part < 4; part++) {
    const begin = at;
    let value = 0;
    while (at < length) {
      const code = StringPrototypeCharCodeAt(text, at);
      if (code < kZero || code > kNine) break;
      value = value * 10 + code - kZero;
      at++;
    }
    const digits = at - begin;
    if (digits === 0 || digits > 3 || value > 255) return false;
    if (digits > 1 && StringPrototypeCharCodeAt(text, begin) === kZero) return false;
    if (part === 3) return at === length;
    if (at === length || StringPrototypeCharCodeAt(text, at) !== kDot) return false;
    at++;
  }
  return false;
}

function isHexDigit(code) {
  return (code >= kZero && code <= kNine) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
}

// Eight groups of up to four hex digits, of which "::" stands for one or more, and the last two may be an IPv4 address.
function isIPv6Groups(text) {
  const { length } = text;
  if (length < 2) return false;
  let groups = 0;
  let isShortened = false;
  let at = 0;
  if (StringPrototypeCharCodeAt(text, 0) === kColon) {
    if (StringPrototypeCharCodeAt(text, 1) !== kColon) return false;
    isShortened = true;
    at = 2;
    if (at === length) return true;
  }
  for (;;) {
    const begin = at;
    while (at < length && isHexDigit(StringPrototypeCharCodeAt(text, at))) at++;
    if (at < length && StringPrototypeCharCodeAt(text, at) === kDot) {
      groups += 2;
      return isIPv4From(text, begin) && (isShortened ? groups <= 7 : groups === 8);
    }
    if (at === begin || at - begin > 4) return false;
    groups++;
    if (at === length) return isShortened ? groups <= 7 : groups === 8;
    if (groups === 8 || StringPrototypeCharCodeAt(text, at) !== kColon) return false;
    at++;
    if (at === length) return false;
    if (StringPrototypeCharCodeAt(text, at) === kColon) {
      if (isShortened) return false;
      isShortened = true;
      at++;
      if (at === length) return groups <= 7;
    }
  }
}

function isIPv4(text) {
  return isIPv4From(`${text}`, 0);
}

function isIPv6(text) {
  text = `${text}`;
  const percent = StringPrototypeIndexOf(text, '%');
  if (percent === -1) return isIPv6Groups(text);
  return RegExpPrototypeExec(zonePattern, StringPrototypeSlice(text, percent + 1)) !== null &&
    isIPv6Groups(StringPrototypeSlice(text, 0, percent));
}

function isIP(text) {
  if (isIPv4(text)) return 4;
  return isIPv6(text) ? 6 : 0;
}

module.exports = { isIP, isIPv4, isIPv6 };
