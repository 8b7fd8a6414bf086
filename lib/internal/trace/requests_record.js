'use strict';
// Records HTTP requests for a trace (docs/TRACE-FORMAT.md): an observer of internal/http/observe, in traced programs.

const { MathMax, MathTrunc, SafeMap, StringPrototypeSlice } = primordials;

const { now } = internalBinding('clock');
const { kinds: { requestBegin: kBegin, requestEnd: kEnd, requestPart: kPart }, note, text } = internalBinding('trace');
const { kRequestFailed, requestSides } = require('internal/trace/format');
const { observed } = require('internal/http/observe');

const kClientBegin = kBegin | requestSides.client << 16;
// Addresses with numbers in them would fill the table of names. Requests after that many have no name of their own.
const kMostNames = 4000;
const kMostLength = 200;

const names = new SafeMap(); // Of requests: their numbers.
let lastServed = null; // The last exchange of a server, and its number: programs are often asked for the same.
let lastNumber = 0;
let isVirtual = false;

function nameOf(exchange) {
  const { host, method, path, port } = exchange;
  let name = host === '' ? `${method} ${path}` : `${method} ${host}:${port}${path}`;
  if (name.length > kMostLength) name = `${StringPrototypeSlice(name, 0, kMostLength)}…`;
  let number = names.get(name);
  if (number === undefined) {
    number = text(names.size < kMostNames ? name : `${method} …`);
    if (names.size < kMostNames) names.set(name, number);
  }
  return number;
}

function nameOfServed(exchange) {
  if (lastServed === null || lastServed.path !== exchange.path || lastServed.method !== exchange.method) {
    lastServed = exchange;
    lastNumber = nameOf(exchange);
  }
  return lastNumber;
}

const recorder = {
  __proto__: null,
  begins(exchange) {
    // Virtual time says nothing about the time of records.
    const age = isVirtual || !exchange.isServer ? 0 : MathTrunc(MathMax(0, now() - exchange.startedAt) * 1e6);
    note(exchange.isServer ? kBegin : kClientBegin, exchange.isServer ? nameOfServed(exchange) : nameOf(exchange),
      exchange.id, age);
  },
  continues(exchange) {
    note(kPart, 0, exchange.id, 0);
  },
  ends(exchange) {
    note(kEnd | exchange.status << 16, 0, exchange.id, exchange.hasFailed ? kRequestFailed : 0);
  },
};

function start(clockIsVirtual) {
  isVirtual = clockIsVirtual;
  observed.add(recorder);
}

module.exports = { start };
