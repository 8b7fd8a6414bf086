'use strict';
// Line editing on a terminal: characters, words, history, undo, and the kill ring. Every change redraws the line, or
// writes only the appended text.
const {
  ArrayPrototypeIndexOf,
  ArrayPrototypePop,
  ArrayPrototypePush,
  ArrayPrototypeShift,
  ArrayPrototypeSplice,
  ArrayPrototypeUnshift,
  RegExpPrototypeExec,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
  StringPrototypeTrim,
} = primordials;
const { charLengthAt, charLengthLeft } = require('internal/readline/utils');

const kMostUndos = 2048;
const kMostCuts = 32;

// The last word of a text with the spaces after it, and the first word.
const lastWord = /(?:[^\w\s]+|\w+)?\s*$/;
const firstWord = /^(?:\s+|[^\w\s]+|\w+)\s*/;
const firstWordToDelete = /^(?:\s+|\W+|\w+)\s*/;

const lengthOfMatch = (regExp, text) => RegExpPrototypeExec(regExp, text)[0].length;

function remember(rl, stack, text, cursor) {
  if (ArrayPrototypePush(stack, { text, cursor }) > kMostUndos) ArrayPrototypeShift(stack);
}

function restore(rl, from, to) {
  if (from.length === 0) return;
  remember(rl, to, rl.line, rl.cursor);
  const { text, cursor } = ArrayPrototypePop(from);
  rl.line = text;
  rl.cursor = cursor;
  rl._refreshLine();
}

// Replaces the whole line, and moves the cursor to its end.
function showLine(rl, line) {
  rl.line = line;
  rl.cursor = line.length;
  rl._refreshLine();
}

const methods = {
  __proto__: null,

  _initEditing() {
    const hide = (name, value) => {
      primordials.ObjectDefineProperty(this, name, {
        __proto__: null, value, writable: true, enumerable: false, configurable: true,
      });
    };
    hide('_undoStack', []);
    hide('_redoStack', []);
    hide('_cuts', []);
    hide('_cutIndex', 0);
    hide('_isYanking', false);
    // The text before the cursor when the history search began.
    hide('_searched', null);
  },

  _beforeEdit() {
    remember(this, this._undoStack, this.line, this.cursor);
  },
  _undo() { restore(this, this._undoStack, this._redoStack); },
  _redo() { restore(this, this._redoStack, this._undoStack); },

  _insertString(text) {
    this._beforeEdit();
    if (this.cursor < this.line.length) {
      const before = StringPrototypeSlice(this.line, 0, this.cursor);
      this.line = before + text + StringPrototypeSlice(this.line, this.cursor);
      this.cursor += text.length;
      this._refreshLine();
      return;
    }
    const oldPosition = this.getCursorPos();
    this.line += text;
    this.cursor += text.length;
    if (oldPosition.rows < this.getCursorPos().rows) this._refreshLine();
    else this._writeToOutput(text);
  },

  // Removes the text between two positions, and moves the cursor to the first.
  _cut(start, end) {
    const text = StringPrototypeSlice(this.line, start, end);
    this._beforeEdit();
    this.line = StringPrototypeSlice(this.line, 0, start) + StringPrototypeSlice(this.line, end);
    this.cursor = start;
    return text;
  },

  _deleteLeft() {
    if (this.cursor === 0 || this.line.length === 0) return;
    this._cut(this.cursor - charLengthLeft(this.line, this.cursor), this.cursor);
    this._refreshLine();
  },

  _deleteRight() {
    if (this.cursor >= this.line.length) return;
    this._cut(this.cursor, this.cursor + charLengthAt(this.line, this.cursor));
    this._refreshLine();
  },

  _deleteWordLeft() {
    if (this.cursor === 0) return;
    const length = lengthOfMatch(lastWord, StringPrototypeSlice(this.line, 0, this.cursor));
    this._cut(this.cursor - length, this.cursor);
    this._refreshLine();
  },

  _deleteWordRight() {
    if (this.cursor >= this.line.length) return;
    this._cut(this.cursor, this.cursor +
      lengthOfMatch(firstWordToDelete, StringPrototypeSlice(this.line, this.cursor)));
    this._refreshLine();
  },

  _deleteLineLeft() {
    this._keepCut(this._cut(0, this.cursor));
    this._refreshLine();
  },

  _deleteLineRight() {
    this._keepCut(this._cut(this.cursor, this.line.length));
    this._refreshLine();
  },

  _keepCut(text) {
    if (text === '' || text === this._cuts[0]) return;
    ArrayPrototypeUnshift(this._cuts, text);
    this._cutIndex = 0;
    while (this._cuts.length > kMostCuts) ArrayPrototypePop(this._cuts);
  },

  _yank() {
    if (this._cuts.length === 0) return;
    this._isYanking = true;
    this._insertString(this._cuts[this._cutIndex]);
  },

  // Replaces the text inserted last by the previous entry of the kill ring.
  _yankPop() {
    if (!this._isYanking || this._cuts.length <= 1) return;
    const last = this._cuts[this._cutIndex];
    this._cutIndex = (this._cutIndex + 1) % this._cuts.length;
    const next = this._cuts[this._cutIndex];
    const head = StringPrototypeSlice(this.line, 0, this.cursor - last.length);
    this.line = head + next + StringPrototypeSlice(this.line, this.cursor);
    this.cursor = head.length + next.length;
    this._refreshLine();
  },

  _wordLeft() {
    if (this.cursor === 0) return;
    this._moveCursor(-lengthOfMatch(lastWord, StringPrototypeSlice(this.line, 0, this.cursor)));
  },

  _wordRight() {
    if (this.cursor >= this.line.length) return;
    this._moveCursor(lengthOfMatch(firstWord, StringPrototypeSlice(this.line, this.cursor)));
  },

  _addHistory() {
    if (this.line.length === 0) return '';
    if (this.history === undefined || this.historySize === 0) return this.line;
    if (StringPrototypeTrim(this.line).length === 0) return this.line;
    if (this.history.length === 0 || this.history[0] !== this.line) {
      if (this.removeHistoryDuplicates) {
        const position = ArrayPrototypeIndexOf(this.history, this.line);
        if (position !== -1) ArrayPrototypeSplice(this.history, position, 1);
      }
      ArrayPrototypeUnshift(this.history, this.line);
      if (this.history.length > this.historySize) ArrayPrototypePop(this.history);
    }
    this.historyIndex = -1;
    // A listener may modify the history, for example to remove secrets.
    const line = this.history[0];
    this.emit('history', this.history);
    return line;
  },

  // Older lines have greater indexes. A search finds lines with the same beginning that differ from the current line.
  _historyMove(step) {
    this._beforeEdit();
    const search = this._searched || '';
    const { history } = this;
    let index = this.historyIndex + step;
    while (index >= 0 && index < history.length &&
           (!StringPrototypeStartsWith(history[index], search) || this.line === history[index])) {
      index += step;
    }
    this.historyIndex = index;
    showLine(this, index === -1 || index === history.length ? search : history[index]);
  },

  _historyNext() {
    if (this.historyIndex >= 0) this._historyMove(-1);
  },

  _historyPrev() {
    if (this.historyIndex < this.history.length && this.history.length > 0) this._historyMove(1);
  },

  // Submits the line.
  _line() {
    const line = this._addHistory();
    this._undoStack.length = 0;
    this._redoStack.length = 0;
    this.clearLine();
    this._onLine(line);
  },
};

module.exports = { methods };
