'use strict';

// Errors for files that require() finds but does not load.

const {
  Error,
  StringPrototypeEndsWith,
} = primordials;

const packages = require('internal/modules/package_json_reader');

// Creates the error for --no-require-module.
function requireESMError(source, filename, parentFilename) {
  const { codes: { ERR_REQUIRE_ESM } } = require('internal/errors');
  const { hasModuleSyntax } = internalBinding('modules');
  const pkg = StringPrototypeEndsWith(filename, '.js') ? packages.packageOf(filename) : null;
  return new ERR_REQUIRE_ESM(filename, hasModuleSyntax(source, filename), parentFilename, pkg?.path);
}

// Describes why a file is not a native addon, in the order in which dlopen() would find the problems.
function whyNoAddon(filename) {
  let bytes;
  try {
    bytes = require('fs').readFileSync(filename);
  } catch ({ code }) {
    if (code === 'EISDIR') return 'cannot read file data: Is a directory';
    return `cannot open shared object file: ${code === 'EACCES' ? 'Permission denied' : 'No such file or directory'}`;
  }
  if (bytes.length < 64) return 'file too short';
  if (bytes.latin1Slice(0, 4) !== '\x7fELF') return 'invalid ELF header';
  return 'native addons cannot be loaded by Rondo';
}

function addonError(filename) {
  const error = new Error(`${filename}: ${whyNoAddon(filename)}`);
  error.code = 'ERR_DLOPEN_FAILED';
  return error;
}

module.exports = { addonError, requireESMError };
