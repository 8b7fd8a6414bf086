'use strict';

// The data of setEnvironmentData(). Each worker that is started later gets a copy.

const { SafeMap } = primordials;

let data = new SafeMap();

function getEnvironmentData(key) {
  return data.get(key);
}

function setEnvironmentData(key, value) {
  if (value === undefined) data.delete(key);
  else data.set(key, value);
}

// For a message: a map, or undefined where there is nothing to tell.
function takeAll() {
  return data.size === 0 ? undefined : data;
}

function assignAll(map) {
  if (map === undefined) return;
  data = new SafeMap(map);
}

module.exports = { assignAll, getEnvironmentData, setEnvironmentData, takeAll };
