'use strict';

// The error class of web interfaces: known by its name, with a number for the names that had one in the past.

const {
  ErrorCaptureStackTrace,
  ErrorPrototype,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  SafeMap,
  SymbolToStringTag,
  TypeError,
} = primordials;

// Name of the error, name of its constant. The numbers count from one; where the web has given up a number, only the
// constant is left of it.
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
const codes = new SafeMap();

function failThis() {
  const error = new TypeError('Value of "this" must be of DOMException');
  error.code = 'ERR_INVALID_THIS';
  throw error;
}

class DOMException {
  #message;
  #name = 'Error';

  constructor(message = '', options = 'Error') {
    this.#message = `${message}`;
    if (options !== null && typeof options === 'object') {
      this.#name = `${options.name}`;
      if ('cause' in options) {
        ObjectDefineProperty(this, 'cause', {
          __proto__: null,
          value: options.cause,
          configurable: true,
          enumerable: false,
          writable: true,
        });
      }
    } else {
      this.#name = `${options}`;
    }
    // Last, since the first line of the stack shows name and message.
    ErrorCaptureStackTrace(this);
  }

  get name() {
    return #name in this ? this.#name : failThis();
  }

  get message() {
    return #name in this ? this.#message : failThis();
  }

  get code() {
    return #name in this ? codes.get(this.#name) ?? 0 : failThis();
  }
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
  codes.set(name, i + 1);
}
ObjectDefineProperty(DOMException.prototype, SymbolToStringTag, {
  __proto__: null,
  configurable: true,
  value: 'DOMException',
});

module.exports = { DOMException };
