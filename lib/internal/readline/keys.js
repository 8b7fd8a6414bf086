'use strict';
// Decodes the input of a terminal to keys. Most terminals send the sequences of xterm; rxvt, PuTTY, Cygwin and the
// Linux console have their own.
const {
  RegExpPrototypeExec,
  StringFromCharCode,
  StringPrototypeCharCodeAt,
  StringPrototypeSlice,
  StringPrototypeToLowerCase,
} = primordials;
const { charLengthAt } = require('internal/readline/utils');

const kEscape = '\x1b';

// Keys by the sequence after the escape character, without modifiers.
const names = { __proto__: null };
const withShift = { __proto__: null };
const withCtrl = { __proto__: null };

function fill(table, prefix, suffix, entries) {
  for (const code in entries) table[`${prefix}${code}${suffix}`] = entries[code];
}
const arrows = { A: 'up', B: 'down', C: 'right', D: 'left', E: 'clear', F: 'end', H: 'home' };
const functions = { P: 'f1', Q: 'f2', R: 'f3', S: 'f4' };
fill(names, '[', '', arrows);
fill(names, 'O', '', arrows);
fill(names, '[', '', functions);
fill(names, 'O', '', functions);
fill(names, '[[', '', { A: 'f1', B: 'f2', C: 'f3', D: 'f4', E: 'f5' });
const numbered = { 1: 'home', 2: 'insert', 3: 'delete', 4: 'end', 5: 'pageup', 6: 'pagedown', 7: 'home', 8: 'end' };
fill(names, '[', '~', numbered);
fill(names, '[', '~', {
  11: 'f1', 12: 'f2', 13: 'f3', 14: 'f4', 15: 'f5', 17: 'f6', 18: 'f7', 19: 'f8', 20: 'f9', 21: 'f10', 23: 'f11',
  24: 'f12', 200: 'paste-start', 201: 'paste-end',
});
fill(names, '[[', '~', { 5: 'pageup', 6: 'pagedown' });
const lowArrows = { a: 'up', b: 'down', c: 'right', d: 'left', e: 'clear' };
const edges = { 2: 'insert', 3: 'delete', 5: 'pageup', 6: 'pagedown', 7: 'home', 8: 'end' };
fill(withShift, '[', '', lowArrows);
fill(withShift, '[', '$', edges);
fill(withCtrl, 'O', '', lowArrows);
fill(withCtrl, '[', '^', edges);
withShift['[Z'] = 'tab';

const plainNames = {
  '__proto__': null,
  '\r': 'return',
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\x7f': 'backspace',
  '\x1b': 'escape',
  ' ': 'space',
};

const isDigit = (character) => character >= '0' && character <= '9';

// A number with an optional modifier and a final character; or a letter with an optional modifier before it.
const numberedCommand = /^(\d\d?)(?:;(\d))?([~^$])$/;
const longCommand = /^\d{3}~$/;
const letterCommand = /^(?:(?:\d;)?(\d))?([A-Za-z])$/;

// Returns the code to look up and the modifiers (1 shift, 2 or 8 meta, 4 ctrl) of a sequence.
function readCommand(command) {
  let match = RegExpPrototypeExec(numberedCommand, command);
  if (match !== null) return { code: match[1] + match[3], modifier: (match[2] ?? 1) - 1 };
  if (RegExpPrototypeExec(longCommand, command) !== null) return { code: command, modifier: 0 };
  match = RegExpPrototypeExec(letterCommand, command);
  if (match !== null) return { code: match[2], modifier: (match[1] ?? 1) - 1 };
  return { code: command, modifier: 0 };
}

// States of the decoder.
const kStart = 0;
const kAfterEscape = 1;
const kAfterTwoEscapes = 2;
const kAfterO = 3;
const kAfterOModifier = 4;
const kAfterBracket = 5;
const kInCommand = 6;
const kAfterSemicolon = 7;
const kLastOfCommand = 8;

const kMostDigits = 3;

class KeyDecoder {
  #stream;
  #state = kStart;
  #sequence = '';
  #prefix = '';
  #commandStart = 0;
  #modifier = 0;

  constructor(stream) {
    this.#stream = stream;
  }

  // Accepts one character, or '' if nothing followed an escape character until the timeout.
  write(character) {
    this.#sequence += character;
    switch (this.#state) {
      case kStart:
        if (character === kEscape) this.#state = kAfterEscape;
        else this.#finishPlain(character, false);
        break;
      case kAfterEscape:
        if (character === kEscape) this.#state = kAfterTwoEscapes;
        else this.#afterEscape(character);
        break;
      case kAfterTwoEscapes:
        this.#afterEscape(character);
        break;
      case kAfterO:
        if (isDigit(character)) {
          this.#modifier = character - 1;
          this.#state = kAfterOModifier;
        } else {
          this.#finishCode(`O${character}`, 0);
        }
        break;
      case kAfterOModifier:
        this.#finishCode(`O${character}`, this.#modifier);
        break;
      case kAfterBracket:
        if (character === '[' && this.#prefix === '[') {
          this.#prefix = '[[';
          break;
        }
        this.#commandStart = this.#sequence.length - 1;
        this.#state = kInCommand;
        this.#inCommand(character);
        break;
      case kInCommand:
        this.#inCommand(character);
        break;
      case kAfterSemicolon:
        if (isDigit(character)) this.#state = kLastOfCommand;
        else this.#finishCommand();
        break;
      case kLastOfCommand:
        this.#finishCommand();
        break;
    }
  }

  #afterEscape(character) {
    if (character === 'O') {
      this.#state = kAfterO;
    } else if (character === '[') {
      this.#prefix = '[';
      this.#state = kAfterBracket;
    } else {
      this.#finishPlain(character, true);
    }
  }

  #inCommand(character) {
    const length = this.#sequence.length - this.#commandStart;
    if (isDigit(character) && length <= kMostDigits) return;
    if (character === ';') this.#state = kAfterSemicolon;
    else this.#finishCommand();
  }

  #finishCommand() {
    const { code, modifier } = readCommand(StringPrototypeSlice(this.#sequence, this.#commandStart));
    this.#finishCode(`${this.#prefix}${code}`, modifier);
  }

  #finishCode(code, modifier) {
    const key = {
      sequence: this.#sequence,
      name: names[code] ?? withShift[code] ?? withCtrl[code] ?? 'undefined',
      ctrl: (modifier & 4) !== 0 || withCtrl[code] !== undefined,
      meta: (modifier & 10) !== 0,
      shift: (modifier & 1) !== 0 || withShift[code] !== undefined,
      code,
    };
    this.#emit(key, true);
  }

  #finishPlain(character, isEscaped) {
    const key = { sequence: this.#sequence, name: undefined, ctrl: false, meta: false, shift: false };
    if (plainNames[character] !== undefined) {
      key.name = plainNames[character];
      key.meta = isEscaped;
    } else if (!isEscaped && character <= '\x1a') {
      // Ctrl with a letter.
      key.name = StringFromCharCode(StringPrototypeCharCodeAt(character, 0) + 96);
      key.ctrl = true;
    } else if (RegExpPrototypeExec(/^[0-9A-Za-z]$/, character) !== null) {
      key.name = StringPrototypeToLowerCase(character);
      key.shift = character >= 'A' && character <= 'Z';
      key.meta = isEscaped;
    } else if (isEscaped) {
      key.name = character.length > 0 ? undefined : 'escape';
      key.meta = true;
    }
    this.#emit(key, isEscaped);
  }

  // Resets the decoder before emitting, because the listener may throw or write further keys.
  #emit(key, isEscaped) {
    const sequence = this.#sequence;
    this.#state = kStart;
    this.#sequence = '';
    if (sequence.length !== 0 && (key.name !== undefined || isEscaped)) {
      this.#stream.emit('keypress', isEscaped ? undefined : sequence, key);
    } else if (charLengthAt(sequence, 0) === sequence.length) {
      this.#stream.emit('keypress', sequence, key);
    }
  }
}

module.exports = { KeyDecoder, kEscape };
