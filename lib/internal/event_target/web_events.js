'use strict';
// CloseEvent and ErrorEvent.

const { Number, ObjectDefineProperties, SymbolToStringTag, TypeError } = primordials;

const { codedTypeError } = require('internal/errors');
const { Event } = require('internal/event_target');
const { kEnumerableProperty } = require('internal/util');

const illegalInvocation = () => codedTypeError('ERR_INVALID_THIS', 'Illegal invocation');

function checkArguments(name, count, init) {
  if (count === 0) throw new TypeError(`${name} constructor: 1 argument required, but 0 found.`);
  if (init !== null && init !== undefined && typeof init !== 'object') {
    throw new TypeError(`undefined: Expected ${init} to be one of: Null, Undefined, Object.`);
  }
}

let isClose;
let isError;

class CloseEvent extends Event {
  #wasClean;
  #code;
  #reason;

  static {
    isClose = (value) => typeof value === 'object' && value !== null && #code in value;
  }

  constructor(type, init = {}) {
    checkArguments('CloseEvent', arguments.length, init);
    super(type, init ?? undefined);
    this.#wasClean = !!init?.wasClean;
    // Converts to an unsigned short.
    this.#code = init?.code === undefined ? 0 : Number(init.code) & 0xffff;
    this.#reason = init?.reason === undefined ? '' : `${init.reason}`;
  }

  get wasClean() {
    if (!isClose(this)) throw illegalInvocation();
    return this.#wasClean;
  }

  get code() {
    if (!isClose(this)) throw illegalInvocation();
    return this.#code;
  }

  get reason() {
    if (!isClose(this)) throw illegalInvocation();
    return this.#reason;
  }
}
ObjectDefineProperties(CloseEvent.prototype, {
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'CloseEvent' },
  wasClean: kEnumerableProperty,
  code: kEnumerableProperty,
  reason: kEnumerableProperty,
});

class ErrorEvent extends Event {
  #init;

  static {
    isError = (value) => typeof value === 'object' && value !== null && #init in value;
  }

  constructor(type, init) {
    checkArguments('ErrorEvent', arguments.length, init);
    super(type, init ?? undefined);
    const { message = '', filename = '', lineno = 0, colno = 0, error } = init ?? {};
    this.#init = { message: `${message}`, filename: `${filename}`, lineno: Number(lineno), colno: Number(colno),
      error };
  }

  get message() {
    if (!isError(this)) throw illegalInvocation();
    return this.#init.message;
  }

  get filename() {
    if (!isError(this)) throw illegalInvocation();
    return this.#init.filename;
  }

  get lineno() {
    if (!isError(this)) throw illegalInvocation();
    return this.#init.lineno;
  }

  get colno() {
    if (!isError(this)) throw illegalInvocation();
    return this.#init.colno;
  }

  get error() {
    if (!isError(this)) throw illegalInvocation();
    return this.#init.error;
  }
}
ObjectDefineProperties(ErrorEvent.prototype, {
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'ErrorEvent' },
  message: kEnumerableProperty,
  filename: kEnumerableProperty,
  lineno: kEnumerableProperty,
  colno: kEnumerableProperty,
  error: kEnumerableProperty,
});

module.exports = { CloseEvent, ErrorEvent };
