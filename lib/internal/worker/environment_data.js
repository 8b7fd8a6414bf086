'use strict';

// The data of setEnvironmentData(). Each worker started later receives a copy.

const { SafeMap } = primordials;

let data = new SafeMap();

function getEnvironmentData(key) {
  return data.get(key);
}

function setEnvironmentData(key, value) {
  if (value === undefined) data.delete(key);
  else data.set(key, value);
}

// Returns the data for a message: a map, or undefined if there are none.
function takeAll() {
  return data.size === 0 ? undefined : data;
}

function assignAll(map) {
  if (map === undefined) return;
  data = new SafeMap(map);
}

module.exports = { assignAll, getEnvironmentData, setEnvironmentData, takeAll };
