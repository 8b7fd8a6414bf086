'use strict';

// node:constants (deprecated): all constants of os, fs and crypto in one object.

const { ObjectAssign, ObjectFreeze } = primordials;

const { hasBuiltin } = require('internal/bootstrap/realm');
const { dlopen, errno, priority, signals } = require('internal/os/constants');

const constants = ObjectAssign({}, dlopen, errno, priority, signals);
if (hasBuiltin('fs')) ObjectAssign(constants, require('fs').constants);
if (hasBuiltin('crypto')) ObjectAssign(constants, require('crypto').constants);

module.exports = ObjectFreeze(constants);
