'use strict';

// Constants of Linux, for os.constants and the deprecated module `constants`. As in Node, the objects have no
// prototype; all except `signals` are extensible, and their properties are read-only.

const { ObjectDefineProperty, ObjectFreeze, ObjectKeys } = primordials;

const { dlopen, errno, signals } = internalBinding('os');

const priority = {
  __proto__: null,
  PRIORITY_LOW: 19, PRIORITY_BELOW_NORMAL: 10, PRIORITY_NORMAL: 0, PRIORITY_ABOVE_NORMAL: -7, PRIORITY_HIGH: -14,
  PRIORITY_HIGHEST: -20,
};

function lock(numbers) {
  const names = ObjectKeys(numbers);
  for (let i = 0; i < names.length; ++i) {
    ObjectDefineProperty(numbers, names[i], { __proto__: null, writable: false, configurable: false });
  }
  return numbers;
}

const constants = {
  __proto__: null,
  UV_UDP_REUSEADDR: 4,
  dlopen: lock(dlopen),
  errno: lock(errno),
  signals: ObjectFreeze(signals),
  priority: lock(priority),
};
ObjectDefineProperty(constants, 'UV_UDP_REUSEADDR', { __proto__: null, writable: false, configurable: false });

module.exports = constants;
