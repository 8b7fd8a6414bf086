'use strict';

// System errors by number, with the name that programs test for and the text for messages. The table is in
// src/runtime/values/system_error.cc. Code that needs the number of an error takes it from internalBinding('uv').

const { SafeMap } = primordials;
const { errorRows } = internalBinding('uv');

let byNumber;

function fill() {
  byNumber = new SafeMap();
  for (let i = 0; i < errorRows.length; i += 3) {
    byNumber.set(errorRows[i], [errorRows[i + 1], errorRows[i + 2]]);
  }
}

// Returns [name, message] of a negative number, or undefined.
function uvErrmapGet(number) {
  if (byNumber === undefined) fill();
  return byNumber.get(number);
}

// Returns a new Map from number to [name, message], in the order of the table.
function getErrorMap() {
  const map = new primordials.Map();
  for (let i = 0; i < errorRows.length; i += 3) {
    primordials.MapPrototypeSet(map, errorRows[i], [errorRows[i + 1], errorRows[i + 2]]);
  }
  return map;
}

function getErrorMessage(number) {
  return uvErrmapGet(number)?.[1] ?? `Unknown system error ${number}`;
}

module.exports = { getErrorMap, getErrorMessage, uvErrmapGet };
