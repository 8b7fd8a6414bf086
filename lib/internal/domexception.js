'use strict';

// DOMException, the error class of web APIs. Errors are identified by name; older names also have a numeric code.

const {
  ArrayPrototypeIncludes,
  Error,
  ErrorPrototype,
  NumberIsFinite,
  NumberIsNaN,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  RangeError,
  SafeMap,
  SymbolToStringTag,
  TypeError,
} = primordials;

const { codedTypeError } = require('internal/errors');

// Error names with the names of their constants. The codes start at 1 and follow the order of this list.
const legacy = [
  ['IndexSizeError', 'INDEX_SIZE_ERR'],
  ['DOMStringSizeError', 'DOMSTRING_SIZE_ERR'],
  ['HierarchyRequestError', 'HIERARCHY_REQUEST_ERR'],
  ['WrongDocumentError', 'WRONG_DOCUMENT_ERR'],
  ['InvalidCharacterError', 'INVALID_CHARACTER_ERR'],
  ['NoDataAllowedError', 'NO_DATA_ALLOWED_ERR'],
  ['NoModificationAllowedError', 'NO_MODIFICATION_ALLOWED_ERR'],
  ['NotFoundError', 'NOT_FOUND_ERR'],
  ['NotSupportedError', 'NOT_SUPPORTED_ERR'],
  ['InUseAttributeError', 'INUSE_ATTRIBUTE_ERR'],
  ['InvalidStateError', 'INVALID_STATE_ERR'],
  ['SyntaxError', 'SYNTAX_ERR'],
  ['InvalidModificationError', 'INVALID_MODIFICATION_ERR'],
  ['NamespaceError', 'NAMESPACE_ERR'],
  ['InvalidAccessError', 'INVALID_ACCESS_ERR'],
  ['ValidationError', 'VALIDATION_ERR'],
  ['TypeMismatchError', 'TYPE_MISMATCH_ERR'],
  ['SecurityError', 'SECURITY_ERR'],
  ['NetworkError', 'NETWORK_ERR'],
  ['AbortError', 'ABORT_ERR'],
  ['URLMismatchError', 'URL_MISMATCH_ERR'],
  ['QuotaExceededError', 'QUOTA_EXCEEDED_ERR'],
  ['TimeoutError', 'TIMEOUT_ERR'],
  ['InvalidNodeTypeError', 'INVALID_NODE_TYPE_ERR'],
  ['DataCloneError', 'DATA_CLONE_ERR'],
];
// Names that the web no longer uses: their constants still exist, but errors of these names have the code 0.
const disused = ['DOMStringSizeError', 'NoDataAllowedError', 'ValidationError'];
const codes = new SafeMap();

function failThis(name = 'DOMException') {
  throw codedTypeError('ERR_INVALID_THIS', `Value of "this" must be of ${name}`);
}

// Adds private fields to an existing object: a base constructor that returns the object makes it `this`.
let internalsOf;
class Given {
  constructor(object) {
    return object;
  }
}
class Internals extends Given {
  #state;

  constructor(object, message, name) {
    super(object);
    this.#state = { message, name };
  }

  static {
    internalsOf = (value) =>
      (value !== null && (typeof value === 'object' || typeof value === 'function') && #state in value ?
        value.#state : undefined);
  }
}

// Does not extend Error, because the prototype of the constructor must be Function.prototype. Instances are real Errors
// nevertheless.
class DOMException {
  constructor(message = '', options = 'Error') {
    const self = new Error();
    ObjectSetPrototypeOf(self, new.target.prototype);
    if (options !== null && typeof options === 'object') {
      new Internals(self, `${message}`, `${options.name}`);
      if ('cause' in options) {
        ObjectDefineProperty(self, 'cause', {
          __proto__: null,
          value: options.cause,
          configurable: true,
          enumerable: false,
          writable: true,
        });
      }
    } else {
      new Internals(self, `${message}`, `${options}`);
    }
    return self;
  }

  get name() {
    return (internalsOf(this) ?? failThis()).name;
  }

  get message() {
    return (internalsOf(this) ?? failThis()).message;
  }

  get code() {
    return codes.get((internalsOf(this) ?? failThis()).name) ?? 0;
  }
}

// The specification is https://webidl.spec.whatwg.org/#quotaexceedederror.
let amountsOf;
class QuotaExceededError extends DOMException {
  #quota = null;
  #requested = null;

  constructor(message = '', options = undefined) {
    super(message, 'QuotaExceededError');
    if (options === undefined || options === null) return;
    if ('quota' in options) this.#quota = amountOf(options.quota, 'quota');
    if ('requested' in options) this.#requested = amountOf(options.requested, 'requested');
    if (this.#quota !== null && this.#requested !== null && this.#requested < this.#quota) {
      throw new RangeError('options.requested must not be less than options.quota');
    }
  }

  get quota() {
    if (!(#quota in this)) failThis('QuotaExceededError');
    return this.#quota;
  }

  get requested() {
    if (!(#quota in this)) failThis('QuotaExceededError');
    return this.#requested;
  }

  static {
    amountsOf = (error) => (#quota in error ? { quota: error.#quota, requested: error.#requested } : undefined);
  }
}
function amountOf(value, name) {
  const amount = +value;
  if (!NumberIsFinite(amount)) {
    throw new TypeError(
      `Cannot convert options.${name} to a double: the value is ${NumberIsNaN(amount) ? 'NaN' : 'Infinity'}`);
  }
  if (amount < 0) throw new RangeError(`options.${name} must not be negative`);
  return amount;
}

ObjectSetPrototypeOf(DOMException.prototype, ErrorPrototype);
ObjectDefineProperties(DOMException.prototype, {
  name: { __proto__: null, enumerable: true },
  message: { __proto__: null, enumerable: true },
  code: { __proto__: null, enumerable: true },
});
for (let i = 0; i < legacy.length; i++) {
  const { 0: name, 1: constant } = legacy[i];
  const property = { __proto__: null, enumerable: true, value: i + 1 };
  ObjectDefineProperty(DOMException.prototype, constant, property);
  ObjectDefineProperty(DOMException, constant, property);
  if (!ArrayPrototypeIncludes(disused, name)) codes.set(name, i + 1);
}
ObjectDefineProperty(DOMException.prototype, SymbolToStringTag, {
  __proto__: null,
  configurable: true,
  value: 'DOMException',
});

ObjectDefineProperties(QuotaExceededError.prototype, {
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'QuotaExceededError' },
  quota: { __proto__: null, enumerable: true },
  requested: { __proto__: null, enumerable: true },
});

// Returns the data for a structured clone of a DOMException, without its cause; undefined for other objects.
function cloneOf(value) {
  const internals = internalsOf(value);
  if (internals === undefined) return undefined;
  return { message: internals.message, name: internals.name, stack: value.stack, amounts: amountsOf(value) };
}

function readClone({ message, name, stack, amounts }) {
  let error;
  if (amounts === undefined) {
    error = new DOMException(message, name);
  } else {
    const options = { __proto__: null };
    if (amounts.quota !== null) options.quota = amounts.quota;
    if (amounts.requested !== null) options.requested = amounts.requested;
    error = new QuotaExceededError(message, options);
  }
  error.stack = stack;
  return error;
}

module.exports = { DOMException, QuotaExceededError, cloneOf, readClone };
