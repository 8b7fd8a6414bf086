'use strict';
// The base of readline.Interface and readline/promises.Interface: options, prompts, questions, and lines from inputs
// that are not terminals. Editing on terminals is in internal/readline/editing. Methods that begin with an underscore
// are old API that programs call and replace.
const {
  DateNow,
  FunctionPrototypeCall,
  MathMax,
  NumberIsFinite,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  ReflectApply,
  RegExpPrototypeExec,
  SafeArrayIterator,
  StringPrototypeCodePointAt,
  StringPrototypeEndsWith,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  Symbol,
  SymbolAsyncIterator,
  SymbolDispose,
  SymbolFor,
} = primordials;
const EventEmitter = require('events');
const { StringDecoder } = require('string_decoder');
const { codes: { ERR_INVALID_ARG_VALUE, ERR_USE_AFTER_CLOSE } } = require('internal/errors');
const {
  validateAbortSignal,
  validateArray,
  validateNumber,
  validateString,
  validateUint32,
} = require('internal/validators');
const { emitKeypressEvents, kEscapeCodeTimeout } = require('internal/readline/emit_keypress');
const { kSawKeyPress } = require('internal/readline/utils');

const kHistorySize = 30;
// A "\n" within this time after a "\r" belongs to the same line ending.
const kLeastCrlfDelay = 100;

const lineEnding = /\r?\n|\r(?!\n)|\u2028|\u2029/g;
// Line endings other than \n. Text that contains them is split by the expression above.
const rareEnding = /[\r\u2028\u2029]/;

const kLines = Symbol('kLines');

function hide(object, name, value) {
  ObjectDefineProperty(object, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
}

function readOptions(input, output, completer, terminal) {
  if (!input?.input) return { input, output, completer, terminal };
  const { escapeCodeTimeout, signal, tabSize } = input;
  if (signal) validateAbortSignal(signal, 'options.signal');
  if (tabSize !== undefined) validateUint32(tabSize, 'tabSize', true);
  if (escapeCodeTimeout !== undefined && !NumberIsFinite(escapeCodeTimeout)) {
    throw new ERR_INVALID_ARG_VALUE('input.escapeCodeTimeout', escapeCodeTimeout);
  }
  const options = { __proto__: null };
  for (const name of new SafeArrayIterator([
    'input', 'output', 'completer', 'terminal', 'history', 'historySize', 'removeHistoryDuplicates', 'prompt',
    'crlfDelay', 'escapeCodeTimeout', 'signal', 'tabSize',
  ])) {
    options[name] = input[name];
  }
  return options;
}

function checkHistory(options) {
  let { history, historySize } = options;
  if (options.completer !== undefined && typeof options.completer !== 'function') {
    throw new ERR_INVALID_ARG_VALUE('completer', options.completer);
  }
  if (history === undefined) history = [];
  else validateArray(history, 'history');
  if (historySize === undefined) historySize = kHistorySize;
  validateNumber(historySize, 'size', 0);
  return { history, historySize };
}

function InterfaceBase(...args) {
  const options = ReflectApply(readOptions, undefined, args);
  const { input, output, completer, crlfDelay, escapeCodeTimeout, removeHistoryDuplicates, signal } = options;
  const { history, historySize } = checkHistory(options);
  let { terminal } = options;
  if (terminal === undefined && output !== null && output !== undefined) terminal = !!output.isTTY;

  hide(this, '_sawReturnAt', 0);
  this.isCompletionEnabled = true;
  hide(this, kSawKeyPress, false);
  hide(this, '_previousKey', null);
  this.escapeCodeTimeout = escapeCodeTimeout ?? kEscapeCodeTimeout;
  this.tabSize = options.tabSize ?? 8;
  FunctionPrototypeCall(EventEmitter, this);
  this.line = '';
  hide(this, '_oldPrompt', undefined);
  hide(this, '_questionCallback', null);
  hide(this, '_questionReject', null);
  this.paused = false;
  this.closed = false;
  hide(this, kLines, undefined);
  this.output = output;
  this.input = input;
  this.history = history;
  this.historySize = historySize;
  this.removeHistoryDuplicates = !!removeHistoryDuplicates;
  this.crlfDelay = crlfDelay ? MathMax(kLeastCrlfDelay, crlfDelay) : kLeastCrlfDelay;
  this.completer = completer;
  hide(this, '_prompt', '');
  this.setPrompt(options.prompt ?? '> ');
  this.terminal = !!terminal;
  this._initEditing();

  if (this.terminal) listenToKeys(this, input, output);
  else listenToLines(this, input);
  if (signal) closeOnAbort(this, signal);
  this.line = '';
  input.resume();
}
ObjectSetPrototypeOf(InterfaceBase.prototype, EventEmitter.prototype);
ObjectSetPrototypeOf(InterfaceBase, EventEmitter);

function listenToLines(rl, input) {
  hide(rl, '_line_buffer', null);
  hide(rl, '_decoder', new StringDecoder('utf8'));
  const onError = (error) => rl.emit('error', error);
  const onData = (data) => rl._normalWrite(data);
  const onEnd = () => {
    const rest = rl._line_buffer;
    if (typeof rest === 'string' && rest.length > 0) rl.emit('line', rest);
    rl.close();
  };
  input.on('error', onError);
  input.on('data', onData);
  input.on('end', onEnd);
  rl.once('close', () => {
    input.removeListener('data', onData);
    input.removeListener('error', onError);
    input.removeListener('end', onEnd);
  });
}

function listenToKeys(rl, input, output) {
  const onError = (error) => rl.emit('error', error);
  const onKey = (text, key) => {
    rl._ttyWrite(text, key);
    if (!key?.sequence) return;
    // A lone surrogate has no width, so the counted columns are wrong: redraw.
    const code = StringPrototypeCodePointAt(key.sequence, 0);
    if (code >= 0xd800 && code <= 0xdfff) rl._refreshLine();
  };
  const onEnd = () => {
    if (typeof rl.line === 'string' && rl.line.length > 0) rl.emit('line', rl.line);
    rl.close();
  };
  const onResize = () => rl._refreshLine();
  input.on('error', onError);
  emitKeypressEvents(input, rl);
  input.on('keypress', onKey);
  input.on('end', onEnd);
  rl._setRawMode(true);
  rl.cursor = 0;
  rl.historyIndex = -1;
  if (output !== null && output !== undefined) output.on('resize', onResize);
  rl.once('close', () => {
    input.removeListener('keypress', onKey);
    input.removeListener('error', onError);
    input.removeListener('end', onEnd);
    if (output !== null && output !== undefined) output.removeListener('resize', onResize);
  });
}

function closeOnAbort(rl, signal) {
  const onAbort = () => rl.close();
  if (signal.aborted) {
    process.nextTick(onAbort);
    return;
  }
  const listening = EventEmitter.addAbortListener(signal, onAbort);
  rl.once('close', listening[SymbolDispose]);
}

const methods = {
  __proto__: null,

  get columns() {
    return this.output?.columns ? this.output.columns : Infinity;
  },

  setPrompt(prompt) {
    this._prompt = prompt;
  },

  getPrompt() {
    return this._prompt;
  },

  _setRawMode(mode) {
    const wasRaw = this.input.isRaw;
    if (typeof this.input.setRawMode === 'function') this.input.setRawMode(mode);
    return wasRaw;
  },

  prompt(preserveCursor) {
    if (this.paused) this.resume();
    if (this.terminal && process.env.TERM !== 'dumb') {
      if (!preserveCursor) this.cursor = 0;
      this._refreshLine();
    } else {
      this._writeToOutput(this._prompt);
    }
  },

  _question(query, callback) {
    if (this.closed) throw new ERR_USE_AFTER_CLOSE('readline');
    if (this._questionCallback) {
      this.prompt();
      return;
    }
    this._oldPrompt = this._prompt;
    this.setPrompt(query);
    this._questionCallback = callback;
    this.prompt();
  },

  _questionCancel() {
    if (!this._questionCallback) return;
    this._questionCallback = null;
    this.setPrompt(this._oldPrompt);
    this.clearLine();
  },

  _onLine(line) {
    const callback = this._questionCallback;
    if (!callback) {
      this.emit('line', line);
      return;
    }
    this._questionCallback = null;
    this.setPrompt(this._oldPrompt);
    callback(line);
  },

  _writeToOutput(stringToWrite) {
    validateString(stringToWrite, 'stringToWrite');
    if (this.output !== null && this.output !== undefined) this.output.write(stringToWrite);
  },

  close() {
    if (this.closed) return;
    this.pause();
    if (this.terminal) this._setRawMode(false);
    this.closed = true;
    this.emit('close');
  },

  [SymbolDispose]() {
    this.close();
  },

  pause() {
    if (this.closed) throw new ERR_USE_AFTER_CLOSE('readline');
    if (this.paused) return undefined;
    this.input.pause();
    this.paused = true;
    this.emit('pause');
    return this;
  },

  resume() {
    if (this.closed) throw new ERR_USE_AFTER_CLOSE('readline');
    if (!this.paused) return undefined;
    this.input.resume();
    this.paused = false;
    this.emit('resume');
    return this;
  },

  write(data, key) {
    if (this.closed) throw new ERR_USE_AFTER_CLOSE('readline');
    if (this.paused) this.resume();
    if (this.terminal) this._ttyWrite(data, key);
    else this._normalWrite(data);
  },

  // Handles data from an input that is not a terminal.
  _normalWrite(data) {
    if (data === undefined) return;
    let text = this._decoder.write(data);
    if (this._sawReturnAt !== 0 && DateNow() - this._sawReturnAt <= this.crlfDelay) {
      if (StringPrototypeCodePointAt(text, 0) === 10) text = StringPrototypeSlice(text, 1);
      this._sawReturnAt = 0;
    }
    if (text.length === 0) return;
    if (RegExpPrototypeExec(rareEnding, text) === null) emitLines(this, text);
    else emitOddLines(this, text);
  },

  [SymbolAsyncIterator]() {
    this[kLines] ??= EventEmitter.on(this, 'line', {
      close: ['close'],
      highWaterMark: 1024,
      [SymbolFor('nodejs.kFirstEventParam')]: true,
    });
    return this[kLines];
  },
};

// Prepends the incomplete line of the previous chunk.
function takeRest(rl, text) {
  const rest = rl._line_buffer;
  if (!rest) return text;
  rl._line_buffer = null;
  return rest + text;
}

function emitLines(rl, text) {
  let end = StringPrototypeIndexOf(text, '\n');
  if (end === -1) {
    rl._line_buffer = rl._line_buffer ? rl._line_buffer + text : text;
    return;
  }
  const first = takeRest(rl, StringPrototypeSlice(text, 0, end));
  // Split all lines before emitting the first, because a listener may end the stream or write to it.
  const lines = [first];
  let start = end + 1;
  while ((end = StringPrototypeIndexOf(text, '\n', start)) !== -1) {
    lines[lines.length] = StringPrototypeSlice(text, start, end);
    start = end + 1;
  }
  rl._line_buffer = StringPrototypeSlice(text, start);
  for (let i = 0; i < lines.length; i++) rl._onLine(lines[i]);
}

function emitOddLines(rl, text) {
  rl._sawReturnAt = StringPrototypeEndsWith(text, '\r') ? DateNow() : 0;
  const lines = [];
  let start = 0;
  lineEnding.lastIndex = 0;
  for (let match; (match = RegExpPrototypeExec(lineEnding, text)) !== null;) {
    lines[lines.length] = StringPrototypeSlice(text, start, match.index);
    start = lineEnding.lastIndex;
  }
  lines[0] = takeRest(rl, lines[0]);
  rl._line_buffer = StringPrototypeSlice(text, start);
  for (let i = 0; i < lines.length; i++) rl._onLine(lines[i]);
}

function addMethods(target, source) {
  for (const name of primordials.ReflectOwnKeys(source)) {
    const descriptor = primordials.ObjectGetOwnPropertyDescriptor(source, name);
    descriptor.enumerable = false;
    ObjectDefineProperty(target, name, descriptor);
  }
}
addMethods(InterfaceBase.prototype, methods);
addMethods(InterfaceBase.prototype, require('internal/readline/editing').methods);
addMethods(InterfaceBase.prototype, require('internal/readline/terminal').methods);

module.exports = { InterfaceBase };
