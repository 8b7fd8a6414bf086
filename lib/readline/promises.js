'use strict';
// node:readline/promises: readline with questions, completers and cursor movements that return promises.
const {
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  Promise,
  PromisePrototypeThen,
  StringPrototypeSlice,
  SymbolDispose,
} = primordials;
const { addAbortListener } = require('events');
const { AbortError, codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateAbortSignal, validateBoolean, validateInteger } = require('internal/validators');
const { kEmptyObject } = require('internal/util');
const { inspect } = require('internal/util/inspect');
const { clearDownText, clearLineText, moveText } = require('internal/readline/callbacks');
const { InterfaceBase } = require('internal/readline/interface');

class Interface extends InterfaceBase {
  question(query, options = kEmptyObject) {
    return new Promise((resolve, reject) => {
      let answered = resolve;
      if (options?.signal) {
        const { signal } = options;
        validateAbortSignal(signal, 'options.signal');
        if (signal.aborted) {
          reject(new AbortError(undefined, { cause: signal.reason }));
          return;
        }
        const listening = addAbortListener(signal, () => {
          this._questionCancel();
          reject(new AbortError(undefined, { cause: signal.reason }));
        });
        answered = (answer) => {
          listening[SymbolDispose]();
          resolve(answer);
        };
      }
      this._questionReject = reject;
      this._question(query, answered);
    });
  }

  _tabComplete(lastKeypressWasTab) {
    this.pause();
    const text = StringPrototypeSlice(this.line, 0, this.cursor);
    // The completer may throw, or return a value that is not a promise.
    const value = new Promise((resolve) => resolve(this.completer(text)));
    PromisePrototypeThen(
      value,
      (result) => {
        this.resume();
        this._showCompletions(lastKeypressWasTab, result);
      },
      (error) => {
        this.resume();
        this._writeToOutput(`Tab completion error: ${inspect(error)}`);
      });
  }
}

// Collects cursor movements and writes them together.
class Readline {
  #autoCommit = false;
  #stream;
  #todo = [];

  constructor(stream, options = undefined) {
    if (typeof stream?.write !== 'function' || typeof stream?.on !== 'function') {
      throw new ERR_INVALID_ARG_TYPE('stream', 'Writable', stream);
    }
    this.#stream = stream;
    if (options?.autoCommit !== undefined) {
      validateBoolean(options.autoCommit, 'options.autoCommit');
      this.#autoCommit = options.autoCommit;
    }
  }

  #add(text) {
    if (this.#autoCommit) process.nextTick(() => this.#stream.write(text));
    else ArrayPrototypePush(this.#todo, text);
    return this;
  }

  cursorTo(x, y = undefined) {
    validateInteger(x, 'x');
    if (y !== undefined) validateInteger(y, 'y');
    return this.#add(y === undefined ? `\x1b[${x + 1}G` : `\x1b[${y + 1};${x + 1}H`);
  }

  moveCursor(dx, dy) {
    if (!dx && !dy) return this;
    validateInteger(dx, 'dx');
    validateInteger(dy, 'dy');
    return this.#add(moveText(dx, dy));
  }

  clearLine(dir) {
    validateInteger(dir, 'dir', -1, 1);
    return this.#add(clearLineText(dir));
  }

  clearScreenDown() {
    return this.#add(clearDownText);
  }

  commit() {
    return new Promise((resolve) => {
      this.#stream.write(ArrayPrototypeJoin(this.#todo, ''), resolve);
      this.#todo = [];
    });
  }

  rollback() {
    this.#todo = [];
    return this;
  }
}

function createInterface(input, output, completer, terminal) {
  return new Interface(input, output, completer, terminal);
}

module.exports = { Interface, Readline, createInterface };
