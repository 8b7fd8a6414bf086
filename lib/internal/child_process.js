'use strict';

// The internals of child_process in one object. child_process looks up the functions at each call, so that tests can
// replace them.

const { ChildProcess } = require('internal/child_process/child');
const { getValidStdio, stdioStringToArray } = require('internal/child_process/stdio');
const { spawnSync } = require('internal/child_process/sync');

module.exports = { ChildProcess, getValidStdio, spawnSync, stdioStringToArray };
