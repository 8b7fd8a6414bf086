'use strict';

// What child_process stands on, in one object. Its functions are looked up there when they are called, so that tests may
// put others in their place.

const { ChildProcess } = require('internal/child_process/child');
const { getValidStdio, stdioStringToArray } = require('internal/child_process/stdio');
const { spawnSync } = require('internal/child_process/sync');

module.exports = { ChildProcess, getValidStdio, spawnSync, stdioStringToArray };
