'use strict';
// process.loadEnvFile(), --env-file and --env-file-if-exists: environment variables from files. Variables that are
// already set are kept.

const { ArrayPrototypePush, ObjectEntries, ObjectKeys } = primordials;
const binding = internalBinding('process');

const kBadOption = 9;

function setAll(text) {
  const { parseEnv } = require('internal/util/parse_env');
  const variables = parseEnv(text);
  const names = ObjectKeys(variables);
  for (let i = 0; i < names.length; i++) {
    if (process.env[names[i]] === undefined) process.env[names[i]] = variables[names[i]];
  }
}

function loadEnvFile(path = undefined) {
  const { readFileSync } = require('fs');
  const file = path === undefined || path === null ? '.env' : require('internal/fs/utils').getValidatedPath(path);
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code !== 'EISDIR') throw error;
    const { codedTypeError } = require('internal/errors');
    throw codedTypeError('ERR_INVALID_ARG_TYPE', `Contents of '${file}' should be a valid string.`);
  }
  setAll(text);
}

// NODE_OPTIONS is read before these files. If a file sets it, the program is restarted with it.
function startAgain() {
  const { argv0, execArgv, argv } = process;
  const environment = [];
  const entries = ObjectEntries(process.env);
  for (let i = 0; i < entries.length; i++) ArrayPrototypePush(environment, `${entries[i][0]}=${entries[i][1]}`);
  binding.execve(process.execPath, [argv0, ...execArgv, ...argv.slice(1)], environment);
}

// `flags` are [[name, value]...] of the command line. Files are loaded in order; the last file that sets a variable
// wins.
function loadFromCommandLine(flags) {
  const { readFileSync } = require('fs');
  const hadOptions = process.env.NODE_OPTIONS !== undefined;
  const { parseEnv } = require('internal/util/parse_env');
  const all = { __proto__: null };
  for (let i = 0; i < flags.length; i++) {
    const { 0: name, 1: file } = flags[i];
    if (name !== 'env-file' && name !== 'env-file-if-exists') continue;
    let text;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      if (name === 'env-file-if-exists' && error.code === 'ENOENT') {
        process._rawDebug(`${file} not found. Continuing without it.`);
        continue;
      }
      process._rawDebug(`${process.argv0}: ${file}: ${error.code === 'ENOENT' ? 'not found' : error.message}`);
      process.reallyExit(kBadOption);
    }
    const variables = parseEnv(text);
    const names = ObjectKeys(variables);
    for (let j = 0; j < names.length; j++) all[names[j]] = variables[names[j]];
  }
  const names = ObjectKeys(all);
  for (let i = 0; i < names.length; i++) {
    if (process.env[names[i]] === undefined) process.env[names[i]] = all[names[i]];
  }
  if (!hadOptions && process.env.NODE_OPTIONS !== undefined) startAgain();
}

module.exports = { loadEnvFile, loadFromCommandLine };
