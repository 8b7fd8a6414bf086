'use strict';

// The error classes of failed system calls.

const {
  Error,
  ErrorCaptureStackTrace,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectKeys,
  SafeArrayIterator,
  String,
  TypedArrayPrototypeGetSymbolToStringTag,
} = primordials;

const { uvErrmapGet } = require('internal/errors/uv');

const unknownError = ['UNKNOWN', 'unknown error'];

function lookUp(errno) {
  return uvErrmapGet(errno) ?? unknownError;
}

// Removes `from` and all frames above it from the stack of `error`.
function trimStack(error, from) {
  ErrorCaptureStackTrace(error, from);
  return error;
}

function address(host, port) {
  return port && port > 0 ? `${host}:${port}` : `${host}`;
}

const pathText = (path) => (TypedArrayPrototypeGetSymbolToStringTag(path) === 'Uint8Array' ?
  require('buffer').Buffer.from(path).toString() :
  String(path));

// "ENOENT: no such file or directory, open '/a'", from { errno, syscall, path, dest, message }. Other members of
// `context` become properties of the error.
class UVException extends Error {
  constructor(context) {
    const { 0: code, 1: words } = lookUp(context.errno);
    const path = context.path ? pathText(context.path) : undefined;
    const dest = context.dest ? pathText(context.dest) : undefined;
    let message = `${code}: ${context.message || words}, ${context.syscall}`;
    if (path !== undefined) message += ` '${path}'`;
    if (dest !== undefined) message += ` -> '${dest}'`;
    super(message);
    const keys = ObjectKeys(context);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      if (key !== 'message' && key !== 'path' && key !== 'dest') this[key] = context[key];
    }
    this.code = code;
    if (path !== undefined) this.path = path;
    if (dest !== undefined) this.dest = dest;
  }
}

// "connect ECONNREFUSED: connection refused 127.0.0.1:80".
class UVExceptionWithHostPort extends Error {
  constructor(errno, syscall, host, port) {
    const { 0: code, 1: words } = lookUp(errno);
    const where = host === undefined || host === null || host === '' ? '' : ` ${address(host, port)}`;
    super(`${syscall} ${code}: ${words}${where}`);
    this.code = code;
    this.errno = errno;
    this.syscall = syscall;
    this.address = host;
    if (port) this.port = port;
  }
}

function nameOf(errno) {
  return uvErrmapGet(errno)?.[0] ?? `Unknown system error ${errno}`;
}

// "write EPIPE", followed by `original` if it is given.
class ErrnoException extends Error {
  constructor(errno, syscall, original) {
    const code = nameOf(errno);
    super(original ? `${syscall} ${code} ${original}` : `${syscall} ${code}`);
    this.errno = errno;
    this.code = code;
    this.syscall = syscall;
  }
}

// "connect ECONNREFUSED 127.0.0.1:80 - Local (0.0.0.0:0)".
class ExceptionWithHostPort extends Error {
  constructor(errno, syscall, host, port, additional) {
    const code = nameOf(errno);
    let details = '';
    if (port && port > 0) {
      details = ` ${host}:${port}`;
    } else if (host) {
      details = ` ${host}`;
    }
    if (additional) details += ` - Local (${additional})`;
    super(`${syscall} ${code}${details}`);
    this.errno = errno;
    this.code = code;
    this.syscall = syscall;
    this.address = host;
    if (port) this.port = port;
  }
}

// EAI_NONAME and EAI_NODATA both mean that the name does not exist, which c-ares calls ENOTFOUND.
const { UV_EAI_NODATA, UV_EAI_NONAME } = internalBinding('uv');

class DNSException extends Error {
  constructor(code, syscall, hostname) {
    let errno;
    let name = code;
    if (typeof code === 'number') {
      errno = code;
      name = code === UV_EAI_NODATA || code === UV_EAI_NONAME ? 'ENOTFOUND' : nameOf(code);
    }
    super(`${syscall} ${name}${hostname ? ` ${hostname}` : ''}`);
    this.errno = errno;
    this.code = name;
    this.syscall = syscall;
    if (hostname) this.hostname = hostname;
  }
}

class ConnResetException extends Error {
  constructor(message) {
    super(message);
    this.code = 'ECONNRESET';
  }
}

// For user code these are plain errors: `constructor` hides the internal classes.
for (const Class of new SafeArrayIterator([
  UVException, UVExceptionWithHostPort, ErrnoException, ExceptionWithHostPort, DNSException, ConnResetException,
])) {
  ObjectDefineProperty(Class.prototype, 'constructor', {
    __proto__: null,
    value: Error,
    writable: true,
    configurable: true,
  });
}

const uvException = (context) => trimStack(new UVException(context), uvException);
const uvExceptionWithHostPort = (errno, syscall, host, port) =>
  trimStack(new UVExceptionWithHostPort(errno, syscall, host, port), uvExceptionWithHostPort);
const errnoException = (errno, syscall, original) =>
  trimStack(new ErrnoException(errno, syscall, original), errnoException);
const exceptionWithHostPort = (errno, syscall, host, port, additional) =>
  trimStack(new ExceptionWithHostPort(errno, syscall, host, port, additional), exceptionWithHostPort);
const dnsException = (code, syscall, hostname) => trimStack(new DNSException(code, syscall, hostname), dnsException);
const connResetException = (message) => new ConnResetException(message);

// Defines the details of a failed system call: the context object as `info`, and its members as accessors that read and
// write that object.
function defineSystemProperties(error, context) {
  ObjectDefineProperties(error, {
    __proto__: null,
    name: { __proto__: null, value: 'SystemError', enumerable: false, writable: true, configurable: true },
    info: { __proto__: null, value: context, enumerable: true, configurable: true, writable: false },
    errno: passThrough(context, 'errno'),
    syscall: passThrough(context, 'syscall'),
  });
  if (context.path !== undefined) ObjectDefineProperty(error, 'path', passThrough(context, 'path'));
  if (context.dest !== undefined) ObjectDefineProperty(error, 'dest', passThrough(context, 'dest'));
}

function passThrough(context, key) {
  return {
    __proto__: null,
    get() {
      return context[key];
    },
    set(value) {
      context[key] = value;
    },
    enumerable: true,
    configurable: true,
  };
}

function systemMessage(start, context) {
  let message = `${start}: ${context.syscall} returned ${context.code} (${context.message})`;
  if (context.path !== undefined) message += ` ${context.path}`;
  if (context.dest !== undefined) message += ` => ${context.dest}`;
  return message;
}

const systemErrors = {
  __proto__: null,
  ERR_FS_CP_DIR_TO_NON_DIR: 'Cannot overwrite non-directory with directory',
  ERR_FS_CP_EEXIST: 'Target already exists',
  ERR_FS_CP_EINVAL: 'Invalid src or dest',
  ERR_FS_CP_FIFO_PIPE: 'Cannot copy a FIFO pipe',
  ERR_FS_CP_NON_DIR_TO_DIR: 'Cannot overwrite directory with non-directory',
  ERR_FS_CP_SOCKET: 'Cannot copy a socket file',
  ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY: 'Cannot overwrite symlink in subdirectory of self',
  ERR_FS_CP_UNKNOWN: 'Cannot copy an unknown file type',
  ERR_FS_EISDIR: 'Path is a directory',
  ERR_SOCKET_BUFFER_SIZE: 'Could not get or set buffer size',
  ERR_SYSTEM_ERROR: 'A system error occurred',
  ERR_TTY_INIT_FAILED: 'TTY initialization failed',
};

module.exports = {
  ConnResetException,
  DNSException,
  ErrnoException,
  ExceptionWithHostPort,
  UVException,
  UVExceptionWithHostPort,
  connResetException,
  defineSystemProperties,
  dnsException,
  errnoException,
  exceptionWithHostPort,
  lookUp,
  systemErrors,
  systemMessage,
  uvException,
  uvExceptionWithHostPort,
};
