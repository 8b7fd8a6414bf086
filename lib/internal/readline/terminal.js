'use strict';
// Display of the line on a terminal, cursor position, key bindings, and completion.
const {
  ArrayPrototypeFilter,
  ArrayPrototypeMap,
  DateNow,
  MathCeil,
  MathFloor,
  MathMax,
  RegExpPrototypeExec,
  SafeStringIterator,
  StringPrototypeCharCodeAt,
  StringPrototypeRepeat,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
} = primordials;
const { AbortError } = require('internal/errors');
const { getStringWidth, inspect, stripVTControlCharacters } = require('internal/util/inspect');
const { clearScreenDown, cursorTo, moveCursor } = require('internal/readline/callbacks');
const { charLengthAt, charLengthLeft, commonPrefix } = require('internal/readline/utils');

const lineEnding = /\r?\n|\r(?!\n)|\u2028|\u2029/g;

const display = {
  __proto__: null,

  // Returns the cursor position after a text that begins at the left edge.
  _getDisplayPos(text) {
    const width = this.columns;
    let offset = 0;
    let rows = 0;
    for (const character of new SafeStringIterator(stripVTControlCharacters(text))) {
      if (character === '\n') {
        rows += MathCeil(offset / width) || 1;
        offset = 0;
      } else if (character === '\t') {
        offset += this.tabSize - (offset % this.tabSize);
      } else {
        const columns = getStringWidth(character, false);
        // A character two columns wide does not fit into the last column.
        if (columns === 2 && (offset + 1) % width === 0) offset++;
        offset += columns;
      }
    }
    const cols = offset % width;
    return { cols, rows: rows + (offset - cols) / width };
  },

  getCursorPos() {
    return this._getDisplayPos(this._prompt + StringPrototypeSlice(this.line, 0, this.cursor));
  },
  _getCursorPos() { return this.getCursorPos(); },

  // Redraws the prompt and the line.
  _refreshLine() {
    const text = this._prompt + this.line;
    const end = this._getDisplayPos(text);
    const position = this.getCursorPos();
    const { output } = this;
    if (this.prevRows > 0) moveCursor(output, 0, -this.prevRows);
    cursorTo(output, 0);
    clearScreenDown(output);
    this._writeToOutput(text);
    // The terminal moves to the next row only when a character is written there.
    if (end.cols === 0) this._writeToOutput(' ');
    cursorTo(output, position.cols);
    if (end.rows > position.rows) moveCursor(output, 0, position.rows - end.rows);
    this.prevRows = position.rows;
  },

  _moveCursor(dx) {
    if (dx === 0) return;
    const oldPosition = this.getCursorPos();
    this.cursor += dx;
    if (this.cursor < 0) this.cursor = 0;
    else if (this.cursor > this.line.length) this.cursor = this.line.length;
    const position = this.getCursorPos();
    if (oldPosition.rows === position.rows) moveCursor(this.output, position.cols - oldPosition.cols, 0);
    else this._refreshLine();
  },

  clearLine() {
    this._moveCursor(Infinity);
    this._writeToOutput('\r\n');
    this.line = '';
    this.cursor = 0;
    this.prevRows = 0;
  },
};

const completion = {
  __proto__: null,

  _tabComplete(lastKeypressWasTab) {
    this.pause();
    const text = StringPrototypeSlice(this.line, 0, this.cursor);
    this.completer(text, (error, value) => {
      this.resume();
      if (error) {
        this._writeToOutput(`Tab completion error: ${inspect(error)}`);
        return;
      }
      this._showCompletions(lastKeypressWasTab, value);
    });
  },

  _showCompletions(lastKeypressWasTab, { 0: completions, 1: completed }) {
    if (!completions || completions.length === 0) return;
    const prefix = commonPrefix(ArrayPrototypeFilter(completions, (text) => text !== ''));
    if (StringPrototypeStartsWith(prefix, completed) && prefix.length > completed.length) {
      this._insertString(StringPrototypeSlice(prefix, completed.length));
      return;
    }
    if (!StringPrototypeStartsWith(completed, prefix)) {
      const start = this.cursor - completed.length;
      this.line = StringPrototypeSlice(this.line, 0, start) + prefix + StringPrototypeSlice(this.line, this.cursor);
      this.cursor = start + prefix.length;
      this._refreshLine();
      return;
    }
    // Several completions: show them on the second Tab.
    if (!lastKeypressWasTab) return;
    this._beforeEdit();
    this._writeToOutput(inColumns(completions, this.columns));
    this._refreshLine();
  },
};

function inColumns(texts, width) {
  const widths = ArrayPrototypeMap(texts, (text) => getStringWidth(text));
  let columnWidth = 2;
  for (let i = 0; i < widths.length; i++) columnWidth = MathMax(columnWidth, widths[i] + 2);
  let most = MathFloor(width / columnWidth) || 1;
  if (most === Infinity) most = 1;
  let output = '\r\n';
  let column = 0;
  let gap = 0;
  for (let i = 0; i < texts.length; i++) {
    // An empty text separates groups.
    if (texts[i] === '' || column === most) {
      output += '\r\n';
      column = 0;
      gap = 0;
    } else {
      output += StringPrototypeRepeat(' ', gap);
    }
    if (texts[i] === '') {
      output += '\r\n';
    } else {
      output += texts[i];
      gap = columnWidth - widths[i];
      column++;
    }
  }
  return column === 0 ? output : `${output}\r\n\r\n`;
}

// Closes the interface, and rejects a pending question of readline/promises.
function closeByKey(rl, name) {
  rl.close();
  rl._questionReject?.(new AbortError(`Aborted with ${name}`));
}

// Key bindings by name: with Ctrl, with Meta, and alone. Other keys insert text.
const ctrlKeys = {
  __proto__: null,
  c(rl) {
    if (rl.listenerCount('SIGINT') > 0) rl.emit('SIGINT');
    else closeByKey(rl, 'Ctrl+C');
  },
  h(rl) { rl._deleteLeft(); },
  d(rl) {
    if (rl.cursor === 0 && rl.line.length === 0) closeByKey(rl, 'Ctrl+D');
    else if (rl.cursor < rl.line.length) rl._deleteRight();
  },
  u(rl) { rl._deleteLineLeft(); },
  k(rl) { rl._deleteLineRight(); },
  a(rl) { rl._moveCursor(-Infinity); },
  e(rl) { rl._moveCursor(Infinity); },
  b(rl) { rl._moveCursor(-charLengthLeft(rl.line, rl.cursor)); },
  f(rl) { rl._moveCursor(charLengthAt(rl.line, rl.cursor)); },
  l(rl) {
    cursorTo(rl.output, 0, 0);
    clearScreenDown(rl.output);
    rl._refreshLine();
  },
  n(rl) { rl._historyNext(); },
  p(rl) { rl._historyPrev(); },
  y(rl) { rl._yank(); },
  z(rl) { suspend(rl); },
  w(rl) { rl._deleteWordLeft(); },
  backspace(rl) { rl._deleteWordLeft(); },
  delete(rl) { rl._deleteWordRight(); },
  left(rl) { rl._wordLeft(); },
  right(rl) { rl._wordRight(); },
};

const ctrlShiftKeys = {
  __proto__: null,
  backspace(rl) { rl._deleteLineLeft(); },
  delete(rl) { rl._deleteLineRight(); },
};

const metaKeys = {
  __proto__: null,
  b(rl) { rl._wordLeft(); },
  f(rl) { rl._wordRight(); },
  d(rl) { rl._deleteWordRight(); },
  delete(rl) { rl._deleteWordRight(); },
  backspace(rl) { rl._deleteWordLeft(); },
  y(rl) { rl._yankPop(); },
};

const plainKeys = {
  __proto__: null,
  return(rl) {
    rl._sawReturnAt = DateNow();
    rl._line();
  },
  enter(rl) {
    // The "\n" of "\r\n" does not submit another line.
    if (rl._sawReturnAt === 0 || DateNow() - rl._sawReturnAt > rl.crlfDelay) rl._line();
    rl._sawReturnAt = 0;
  },
  backspace(rl) { rl._deleteLeft(); },
  delete(rl) { rl._deleteRight(); },
  left(rl) { rl._moveCursor(-charLengthLeft(rl.line, rl.cursor)); },
  right(rl) { rl._moveCursor(charLengthAt(rl.line, rl.cursor)); },
  home(rl) { rl._moveCursor(-Infinity); },
  end(rl) { rl._moveCursor(Infinity); },
  up(rl) { rl._historyPrev(); },
  down(rl) { rl._historyNext(); },
};

// Ctrl-Z: restores the terminal's modes while the program is suspended.
function suspend(rl) {
  if (rl.listenerCount('SIGTSTP') > 0) {
    rl.emit('SIGTSTP');
    return;
  }
  process.once('SIGCONT', () => {
    // Emit nothing if the program paused the interface while it was suspended.
    if (!rl.paused) {
      rl.pause();
      rl.emit('SIGCONT');
    }
    rl._setRawMode(true);
    rl._refreshLine();
  });
  rl._setRawMode(false);
  process.kill(process.pid, 'SIGTSTP');
}

// Inserts typed or pasted text; submits every line in it except the last.
function insertText(rl, text) {
  lineEnding.lastIndex = 0;
  let start = 0;
  for (let match; (match = RegExpPrototypeExec(lineEnding, text)) !== null;) {
    const { lastIndex } = lineEnding;
    rl._insertString(StringPrototypeSlice(text, start, match.index));
    start = lastIndex;
    rl._line();
    // A listener may have called this function recursively and changed lastIndex.
    lineEnding.lastIndex = lastIndex;
  }
  if (start < text.length) rl._insertString(StringPrototypeSlice(text, start));
}

const keys = {
  __proto__: null,

  _ttyWrite(text, key = {}) {
    key ??= {};
    const previousKey = this._previousKey;
    this._previousKey = key;
    const { name } = key;
    if (!key.meta || name !== 'y') this._isYanking = false;

    if ((name === 'up' || name === 'down') && !key.ctrl && !key.meta && !key.shift) {
      this._searched ??= StringPrototypeSlice(this.line, 0, this.cursor);
    } else if (this._searched !== null) {
      this._searched = null;
      if (this.history.length === this.historyIndex) this.historyIndex = -1;
    }

    if (typeof key.sequence === 'string' && key.sequence.length > 0) {
      const code = StringPrototypeCharCodeAt(key.sequence, 0);
      // Ctrl-_ and Ctrl-^.
      if (code === 0x1f) return this._undo();
      if (code === 0x1e) return this._redo();
    }
    if (name === 'escape') return undefined;

    if (key.ctrl) {
      const table = key.shift ? ctrlShiftKeys : ctrlKeys;
      table[name]?.(this);
    } else if (key.meta) {
      metaKeys[name]?.(this);
    } else {
      if (this._sawReturnAt !== 0 && name !== 'enter') this._sawReturnAt = 0;
      if (name !== undefined && plainKeys[name] !== undefined) {
        plainKeys[name](this);
      } else if (name === 'tab' && typeof this.completer === 'function' && this.isCompletionEnabled) {
        this._tabComplete(previousKey?.name === 'tab');
      } else if (typeof text === 'string' && text !== '') {
        insertText(this, text);
      }
    }
    return undefined;
  },
};

module.exports = { methods: { __proto__: null, ...display, ...completion, ...keys } };
