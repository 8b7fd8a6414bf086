'use strict';
// node:readline: reads a stream line by line, with prompts and line editing on terminals.
const { FunctionPrototypeCall, ObjectDefineProperty, ObjectSetPrototypeOf, Promise, SymbolDispose } = primordials;
const { addAbortListener } = require('events');
const { AbortError } = require('internal/errors');
const { validateAbortSignal } = require('internal/validators');
const { kEmptyObject, promisify } = require('internal/util');
const { clearLine, clearScreenDown, cursorTo, moveCursor } = require('internal/readline/callbacks');
const { emitKeypressEvents } = require('internal/readline/emit_keypress');
const { InterfaceBase } = require('internal/readline/interface');

function Interface(input, output, completer, terminal) {
  if (!(this instanceof Interface)) return new Interface(input, output, completer, terminal);
  // A completer with one parameter is synchronous: it returns the completions.
  const given = input?.input ? input.completer : completer;
  FunctionPrototypeCall(InterfaceBase, this, input, output, completer, terminal);
  if (typeof given === 'function') {
    this.completer = given.length === 2 ? given : (line, callback) => callback(null, given(line));
  }
}
ObjectSetPrototypeOf(Interface.prototype, InterfaceBase.prototype);
ObjectSetPrototypeOf(Interface, InterfaceBase);

const { question } = {
  question(query, options, callback) {
    callback = typeof options === 'function' ? options : callback;
    if (options === null || typeof options !== 'object') options = kEmptyObject;
    const { signal } = options;
    if (signal) {
      validateAbortSignal(signal, 'options.signal');
      if (signal.aborted) return;
      const listening = addAbortListener(signal, () => this._questionCancel());
      const original = callback;
      callback = typeof original === 'function' ? (answer) => {
        listening[SymbolDispose]();
        return original(answer);
      } : listening[SymbolDispose];
    }
    if (typeof callback === 'function') this._question(query, callback);
  },
};
Interface.prototype.question = question;
ObjectDefineProperty(question, promisify.custom, {
  __proto__: null,
  value: function question(query, options) {
    if (options === null || typeof options !== 'object') options = kEmptyObject;
    const { signal } = options;
    return new Promise((resolve, reject) => {
      let answered = resolve;
      if (signal) {
        if (signal.aborted) {
          reject(new AbortError(undefined, { cause: signal.reason }));
          return;
        }
        const listening = addAbortListener(signal, () => {
          reject(new AbortError(undefined, { cause: signal.reason }));
        });
        answered = (answer) => {
          listening[SymbolDispose]();
          resolve(answer);
        };
      }
      this.question(query, options, answered);
    });
  },
});

function createInterface(input, output, completer, terminal) {
  return new Interface(input, output, completer, terminal);
}

module.exports = {
  Interface,
  clearLine,
  clearScreenDown,
  createInterface,
  cursorTo,
  emitKeypressEvents,
  moveCursor,
};
let promises;
ObjectDefineProperty(module.exports, 'promises', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return promises ??= require('readline/promises'); },
  set(value) { promises = value; },
});
