'use strict';

// TypeScript: types are replaced by spaces (with the npm package amaro), so that lines and columns stay the same.
// Syntax that needs code generation, such as enum, is rejected.

const {
  ErrorCaptureStackTrace,
  StringPrototypeIncludes,
} = primordials;

const {
  codes: {
    ERR_INTERNAL_ASSERTION,
    ERR_INVALID_TYPESCRIPT_SYNTAX,
    ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING,
    ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX,
  },
} = require('internal/errors');
const compileState = require('internal/modules/compile_state');
const { emitExperimentalWarning, kEmptyObject } = require('internal/util');
const { validateObject, validateOneOf, validateString } = require('internal/validators');

let transformSync;

function describe(error, cause) {
  ErrorCaptureStackTrace(error, stripTypeScriptTypes);
  error.stack =
    `${cause.filename === '<anon>' ? '[eval]' : cause.filename}:${cause.startLine}\n${cause.snippet}\n${error.stack}`;
  return error;
}

function strip(code, filename) {
  transformSync ??= require('vendor/amaro').transformSync;
  let result;
  try {
    result = transformSync(code, { mode: 'strip-only', filename });
  } catch (cause) {
    switch (cause?.code) {
      case 'UnsupportedSyntax': throw describe(new ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX(cause.message), cause);
      case 'InvalidSyntax': throw describe(new ERR_INVALID_TYPESCRIPT_SYNTAX(cause.message), cause);
      default: throw new ERR_INTERNAL_ASSERTION(cause?.message ?? `${cause}`);
    }
  }
  return filename ? `${result.code}\n\n//# sourceURL=${filename}` : result.code;
}

// module.stripTypeScriptTypes().
function stripTypeScriptTypes(code, options = kEmptyObject) {
  emitExperimentalWarning('stripTypeScriptTypes');
  validateString(code, 'code');
  validateObject(options, 'options');
  const { mode = 'strip', sourceMap = false, sourceUrl = '' } = options;
  validateOneOf(mode, 'options.mode', ['strip']);
  validateString(sourceUrl, 'options.sourceUrl');
  validateOneOf(sourceMap, 'options.sourceMap', [false, undefined]);
  return strip(code, sourceUrl);
}

// Cache of the last result: detecting the format of a file strips its types before the file is compiled.
const last = { source: undefined, filename: undefined, code: undefined };

// Strips the types of the file `filename`.
function stripModuleTypes(source, filename, url) {
  if (StringPrototypeIncludes(filename, '/node_modules/')) {
    throw new ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING(filename);
  }
  const name = url ?? filename;
  if (last.source !== source || last.filename !== name) {
    const { cache } = compileState;
    last.code = cache === null ? strip(source, name) : cache.stripped(source, name, () => strip(source, name));
    last.source = source;
    last.filename = name;
  }
  return last.code;
}

// Strips the types of text without a file.
function stripTypes(code) {
  return strip(code, undefined);
}

module.exports = { stripModuleTypes, stripTypeScriptTypes, stripTypes };
