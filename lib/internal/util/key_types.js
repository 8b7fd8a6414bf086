'use strict';

// Recognises keys of node:crypto. As long as that module has not been loaded there are none; when it is, it puts
// its own functions here. So a check does not load it.
module.exports = {
  isKeyObject(value) { return false; },
  isCryptoKey(value) { return false; },
};
