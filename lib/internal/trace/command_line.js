'use strict';
// The command line of `rondo trace` and `rondo order`, which work on a program or on the recording of one.
const { parseArguments, refuse } = require('internal/commands/arguments');
const { isRecording } = require('internal/trace/files');

// As parseArguments(), and whether it is a recording. Behind the name of a program stand its own options; behind that
// of a file those of the command.
function parseCommand(command, usage, args, own) {
  const parsed = parseArguments(command, usage, args, own);
  if (parsed.rest.length === 0 || parsed.execArgv.length > 0 || !isRecording(parsed.rest[0])) {
    return { ...parsed, isOfFile: false };
  }
  const all = parseArguments(command, usage, args, own, { mixed: true });
  if (all.execArgv.length > 0) refuse(command, `bad option: ${all.execArgv[0]}`);
  if (all.rest.length > 1) refuse(command, `${all.rest[1]}: one file at a time`);
  return { ...all, isOfFile: true };
}

module.exports = { parseCommand };
