'use strict';

// The errors whose message depends on the types of its arguments. An entry is a function that builds the message, the
// class of the error, and alternative classes. `properties` adds properties to the error object.

const {
  ArrayIsArray,
  ArrayPrototypeJoin,
  ArrayPrototypeMap,
  Error,
  JSONStringify,
  MathAbs,
  Number,
  NumberIsInteger,
  RangeError,
  String,
  StringPrototypeEndsWith,
  StringPrototypeIncludes,
  StringPrototypeLastIndexOf,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
  TypeError,
  ObjectDefineProperty,
} = primordials;

const {
  addNumericalSeparator,
  describeExpected,
  describeName,
  determineSpecificType,
  formatList,
  lazyInspect,
} = require('internal/errors/describe');

const importedFrom = (base) => (base ? ` imported from ${base}` : '');

function requireEsm(filename, hasEsmSyntax, parentPath = null, packageJsonPath = null) {
  let message = `require() of ES Module ${filename}${parentPath ? ` from ${parentPath}` : ''} not supported.`;
  if (!packageJsonPath) {
    if (StringPrototypeEndsWith(filename, '.mjs')) {
      message += `\nInstead change the require of ${filename} to a dynamic import() which is available in all ` +
        'CommonJS modules.';
    }
    return message;
  }
  const lastPart = (path) => StringPrototypeSlice(path, StringPrototypeLastIndexOf(path, '/') + 1);
  const name = parentPath && lastPart(filename) === lastPart(parentPath) ? filename : lastPart(filename);
  if (hasEsmSyntax) {
    return `${message}\nInstead change the require of ${name} in ${parentPath} to a dynamic import() which is ` +
      'available in all CommonJS modules.';
  }
  return `${message}\n${name} is treated as an ES module file as it is a .js file whose nearest parent package.json ` +
    'contains "type": "module" which declares all .js files in that package scope as ES modules.' +
    `\nInstead either rename ${name} to end in .cjs, change the requiring code to use dynamic import() which is ` +
    'available in all CommonJS modules, or change "type": "module" to "type": "commonjs" in ' +
    `${packageJsonPath} to treat all .js files as CommonJS (using .mjs for all ES modules instead).\n`;
}

function outOfRange(name, range, input, wholeMessage = false) {
  let received;
  if (NumberIsInteger(input) && MathAbs(input) > 2 ** 32) {
    received = addNumericalSeparator(String(input));
  } else if (typeof input === 'bigint') {
    const digits = String(input);
    const large = input > 2n ** 32n || input < -(2n ** 32n);
    received = `${large ? addNumericalSeparator(digits) : digits}n`;
  } else {
    received = lazyInspect().inspect(input);
  }
  const start = wholeMessage ? name : `The value of "${name}" is out of range.`;
  return `${start} It must be ${range}. Received ${received}`;
}

function invalidArgValue(name, value, reason = 'is invalid') {
  let inspected = lazyInspect().inspect(value);
  if (inspected.length > 128) inspected = `${StringPrototypeSlice(inspected, 0, 128)}...`;
  const type = StringPrototypeIncludes(name, '.') ? 'property' : 'argument';
  return `The ${type} '${name}' ${reason}. Received ${inspected}`;
}

function invalidPackageTarget(packagePath, key, target, isImport = false, base = undefined) {
  const relative = typeof target === 'string' && !isImport && target.length > 0 &&
    !StringPrototypeStartsWith(target, './');
  const end = `${importedFrom(base)}${relative ? '; targets must start with "./"' : ''}`;
  if (key === '.') {
    return `Invalid "exports" main target ${JSONStringify(target)} defined in the package config ` +
      `${packagePath}package.json${end}`;
  }
  return `Invalid "${isImport ? 'imports' : 'exports'}" target ${JSONStringify(target)} defined for '${key}' in the ` +
    `package config ${packagePath}package.json${end}`;
}

function missingArgs(...names) {
  const quoted = ArrayPrototypeMap(names, (name) =>
    (ArrayIsArray(name) ? ArrayPrototypeJoin(ArrayPrototypeMap(name, (one) => `"${one}"`), ' or ') : `"${name}"`));
  return `The ${formatList(quoted)} argument${names.length > 1 ? 's' : ''} must be specified`;
}

function invalidUrlScheme(expected) {
  const list = typeof expected === 'string' ? [expected] : expected;
  return `The URL must be ${list.length > 1 ? 'one of scheme' : 'of scheme'} ${ArrayPrototypeJoin(list, ' or ')}`;
}

function unknownOption(option, allowPositionals) {
  const hint = allowPositionals ?
    ". To specify a positional argument starting with a '-', place it at the end of the command after '--', as in " +
    `'-- ${JSONStringify(option)}` :
    '';
  return `Unknown option '${option}'${hint}`;
}

// Defines an own property, so that a setter on a modified prototype is not called.
function defineOwn(object, name, value) {
  ObjectDefineProperty(object, name, {
    __proto__: null, value, writable: true, enumerable: true, configurable: true,
  });
}

function requireAsyncModule(filename, requireStack = []) {
  let message = 'require() cannot be used on an ESM graph with top-level await. Use import() instead.';
  if (!require('internal/options').hasFlag('experimental-print-required-tla')) {
    message += ' To see where the top-level await comes from, use --experimental-print-required-tla.';
  }
  if (filename) message += `\nRequired module: ${filename}`;
  if (requireStack.length > 0) message += `\nRequire stack:\n- ${ArrayPrototypeJoin(requireStack, '\n- ')}`;
  return message;
}

const messages = {
  __proto__: null,
  ERR_ACCESS_DENIED: [(message) => message, Error],
  ERR_BUFFER_OUT_OF_BOUNDS: [
    (name) => (name ? `"${name}" is outside of buffer bounds` : 'Attempt to access memory outside buffer bounds'),
    RangeError,
  ],
  ERR_ENCODING_INVALID_ENCODED_DATA: [
    (encoding) => `The encoded data was not valid for encoding ${encoding}`,
    TypeError,
  ],
  ERR_FALSY_VALUE_REJECTION: [() => 'Promise was rejected with falsy value', Error],
  ERR_INSPECTOR_COMMAND: [(code, message) => `Inspector error ${Number(code)}: ${message}`, Error],
  ERR_INTERNAL_ASSERTION: [
    (message) =>
      `${message === undefined ? '' : `${message}\n`}This is a bug in Rondo, or its internals were misused.\n`,
    Error,
  ],
  ERR_INVALID_ADDRESS_FAMILY: [(type, host, port) => `Invalid address family: ${type} ${host}:${port}`, RangeError],
  ERR_INVALID_ARG_TYPE: [
    (name, expected, actual) =>
      `The ${describeName(name)} must be ${describeExpected(ArrayIsArray(expected) ? expected : [expected])}. ` +
      `Received ${determineSpecificType(actual)}`,
    TypeError,
  ],
  ERR_INVALID_ARG_VALUE: [invalidArgValue, TypeError, RangeError],
  ERR_INVALID_CHAR: [(name, field) => `Invalid character in ${name}${field ? ` ["${field}"]` : ''}`, TypeError],
  ERR_INVALID_MIME_SYNTAX: [
    (production, text, index) =>
      `The MIME syntax for a ${production} in "${text}" is invalid${index === -1 ? '' : ` at ${index}`}`,
    TypeError,
  ],
  ERR_INVALID_MODULE_SPECIFIER: [
    (request, reason, base) => `Invalid module "${request}" ${reason}${importedFrom(base)}`,
    TypeError,
  ],
  ERR_INVALID_PACKAGE_CONFIG: [
    (path, base, message) =>
      `Invalid package config ${path}${base ? ` while importing ${base}` : ''}${message ? `. ${message}` : ''}`,
    Error,
  ],
  ERR_INVALID_PACKAGE_TARGET: [invalidPackageTarget, Error],
  ERR_INVALID_RETURN_PROPERTY: [
    (input, name, property, value) =>
      `Expected a valid ${input} to be returned for the "${property}" from the "${name}" hook but got ` +
      `${determineSpecificType(value)}.`,
    TypeError,
  ],
  ERR_INVALID_RETURN_PROPERTY_VALUE: [
    (input, name, property, value) =>
      `Expected ${input} to be returned for the "${property}" from the "${name}" hook but got ` +
      `${determineSpecificType(value)}.`,
    TypeError,
  ],
  ERR_INVALID_RETURN_VALUE: [
    (input, name, value) =>
      `Expected ${input} to be returned from the "${name}" function but got ${determineSpecificType(value)}.`,
    TypeError,
    RangeError,
  ],
  ERR_INVALID_URL: [() => 'Invalid URL', TypeError],
  ERR_INVALID_URL_SCHEME: [invalidUrlScheme, TypeError],
  ERR_MISSING_ARGS: [missingArgs, TypeError],
  ERR_MODULE_NOT_FOUND: [
    (path, base, exactUrl) => `Cannot find ${exactUrl ? 'module' : 'package'} '${path}' imported from ${base}`,
    Error,
  ],
  ERR_HTTP2_INVALID_SETTING_VALUE: [
    (name, actual) => `Invalid value for setting "${name}": ${actual}`, TypeError, RangeError],
  ERR_HTTP2_STREAM_CANCEL: [
    (error) => {
      const cause = typeof error?.message === 'string' ? ` (caused by: ${error.message})` : '';
      return `The pending stream has been canceled${cause}`;
    },
    Error,
  ],
  ERR_OUT_OF_RANGE: [outOfRange, RangeError],
  ERR_PACKAGE_IMPORT_NOT_DEFINED: [
    (specifier, packagePath, base) =>
      `Package import specifier "${specifier}" is not defined` +
      `${packagePath ? ` in package ${packagePath}package.json` : ''} imported from ${base}`,
    TypeError,
  ],
  ERR_PACKAGE_PATH_NOT_EXPORTED: [
    (packagePath, subpath, base) =>
      `${subpath === '.' ? 'No "exports" main defined' : `Package subpath '${subpath}' is not defined by "exports"`} in ` +
      `${packagePath}package.json${importedFrom(base)}`,
    Error,
  ],
  ERR_PARSE_ARGS_UNKNOWN_OPTION: [unknownOption, TypeError],
  ERR_PERFORMANCE_INVALID_TIMESTAMP: [(value) => `${Number(value)} is not a valid timestamp`, TypeError],
  ERR_REQUIRE_ASYNC_MODULE: [requireAsyncModule, Error],
  ERR_REQUIRE_ESM: [requireEsm, Error],
  ERR_REQUIRE_ESM_RACE_CONDITION: [
    (filename, parentFilename) =>
      `Cannot require() ES Module ${filename} because it is not yet fully loaded.\nThis may be caused by a race condition if ` +
      'the module is simultaneously dynamically import()-ed via Promise.all().\nTry await-ing the import() sequentially in a ' +
      `loop instead.\n (From ${parentFilename ? `${parentFilename} in ` : ' '}non-loader-hook thread)`,
    Error,
  ],
  ERR_WORKER_PATH: [
    (filename) =>
      `The worker script or module filename must be an absolute path or a relative path starting with './' or '../'.${
        StringPrototypeStartsWith(filename, 'file://') ? ' Wrap file:// URLs with `new URL`.' : ''}${
        StringPrototypeStartsWith(filename, 'data:text/javascript') ? ' Wrap data: URLs with `new URL`.' : ''} ` +
      `Received "${filename}"`,
    TypeError,
  ],
  ERR_SOCKET_BAD_PORT: [
    (name, port, allowZero = true) =>
      `${name} should be ${allowZero ? '>=' : '>'} 0 and < 65536. Received ${determineSpecificType(port)}.`,
    RangeError,
  ],
  ERR_TEST_FAILURE: [
    (error) => (typeof error === 'string' ? error : error?.message ?? lazyInspect().inspect(error)),
    Error,
  ],
  ERR_TLS_ALPN_CALLBACK_INVALID_RESULT: [
    (value, protocols) =>
      `ALPN callback returned a value (${value}) that did not match any of the client's offered protocols ` +
      `(${ArrayPrototypeJoin(protocols, ', ')})`,
    TypeError,
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    (reason) => `Hostname/IP does not match certificate's altnames: ${reason}`,
    Error,
  ],
  ERR_TLS_INVALID_PROTOCOL_VERSION: [
    (version, kind) => `${JSONStringify(version)} is not a valid ${kind} TLS protocol version`,
    TypeError,
  ],
  ERR_TLS_PROTOCOL_VERSION_CONFLICT: [
    (version, protocol) =>
      `TLS protocol version ${JSONStringify(version)} conflicts with secureProtocol ${JSONStringify(protocol)}`,
    TypeError,
  ],
  ERR_UNHANDLED_ERROR: [(error) => (error === undefined ? 'Unhandled error.' : `Unhandled error. (${error})`), Error],
  ERR_UNKNOWN_FILE_EXTENSION: [(extension, path) => `Unknown file extension "${extension}" for ${path}`, TypeError],
  ERR_UNSUPPORTED_DIR_IMPORT: [
    (path, base) => `Directory import '${path}' is not supported resolving ES modules imported from ${base}`,
    Error,
  ],
  ERR_UNSUPPORTED_ESM_URL_SCHEME: [
    (url, supported) =>
      `Only URLs with a scheme in: ${formatList(supported)} are supported by the default ESM loader. Received protocol ` +
      `'${url.protocol}'`,
    Error,
  ],
  ERR_VM_MODULE_LINK_FAILURE: [(message) => message, Error],
  ERR_WORKER_INVALID_EXEC_ARGV: [
    (errors, what = 'invalid execArgv flags') => `Initiated Worker with ${what}: ${ArrayPrototypeJoin(errors, ', ')}`,
    Error,
  ],
};

// Each function receives the finished error and the arguments of its constructor.
const properties = {
  __proto__: null,
  ERR_ACCESS_DENIED(error, args) {
    error.permission = args[1];
    error.resource = args[2];
  },
  ERR_ENCODING_INVALID_ENCODED_DATA(error, args) {
    error.errno = args[1];
  },
  ERR_FALSY_VALUE_REJECTION(error, args) {
    error.reason = args[0];
  },
  ERR_HTTP2_INVALID_SETTING_VALUE(error, args) {
    error.actual = args[1];
    if (args[2] === undefined) return;
    error.min = args[2];
    error.max = args[3];
  },
  ERR_HTTP2_STREAM_CANCEL(error, args) {
    if (args[0]) error.cause = args[0];
  },
  ERR_INVALID_ADDRESS_FAMILY(error, args) {
    error.host = args[1];
    error.port = args[2];
  },
  ERR_INVALID_URL(error, args) {
    error.input = args[0];
    if (args[1] !== undefined && args[1] !== null) error.base = args[1];
  },
  ERR_MODULE_NOT_FOUND(error, args) {
    if (args[2]) defineOwn(error, 'url', String(args[2]));
  },
  ERR_TEST_FAILURE(error, args) {
    error.failureType = args[1];
    error.cause = args[0];
  },
  ERR_TLS_CERT_ALTNAME_INVALID(error, args) {
    error.reason = args[0];
    error.host = args[1];
    error.cert = args[2];
  },
  ERR_UNSUPPORTED_DIR_IMPORT(error, args) {
    if (args[2]) defineOwn(error, 'url', String(args[2]));
  },
  ERR_VM_MODULE_LINK_FAILURE(error, args) {
    error.cause = args[1];
  },
};

module.exports = { messages, properties };
