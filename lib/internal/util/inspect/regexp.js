'use strict';

// Syntax highlighting of regular expressions. Each token has the colour of its nesting depth. The scanner shows syntax
// that it does not know as ordinary characters.

const {
  ArrayPrototypePush,
  RegExpPrototypeExec,
  StringPrototypeIncludes,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
} = primordials;

const { colors } = require('internal/util/inspect/styles');

const defaultPalette = ['green', 'red', 'yellow', 'cyan', 'magenta'];

function paletteOf(names) {
  const palette = [];
  const list = names?.length > 0 ? names : defaultPalette;
  for (let i = 0; i < list.length; i++) {
    const codes = colors[list[i]];
    if (codes) ArrayPrototypePush(palette, codes);
  }
  return palette;
}

const digitsAt = /[0-9]*/y;

class Highlighter {
  constructor(text, palette) {
    this.text = text;
    this.palette = palette;
    this.result = '';
    this.depth = 0;
    this.position = 0;
  }

  get current() {
    return this.text[this.position];
  }

  // `token` in the colour of the depth, or of one that is `offset` away.
  write(token, offset = 0) {
    const codes = this.palette[(this.depth + offset) % this.palette.length] ?? this.palette[0];
    this.result += `\u001b[${codes[0]}m${token}\u001b[${codes[1]}m`;
  }

  take(token, offset) {
    this.write(token, offset);
    this.position += token.length;
  }

  takeDigits() {
    digitsAt.lastIndex = this.position;
    const digits = RegExpPrototypeExec(digitsAt, this.text)[0];
    this.position += digits.length;
    return digits;
  }

  // A name between brackets: `open` ends with the left one, which stands at the position.
  writeNamed(open, close, outwards) {
    const start = this.position + 1;
    const end = StringPrototypeIndexOf(this.text, close, start);
    if (end === -1) {
      // Not closed: the characters after the bracket are scanned as any others.
      this.write(open, 1);
      this.position = start;
      return;
    }
    this.write(open, -outwards);
    this.write(StringPrototypeSlice(this.text, start, end), 1 - outwards);
    this.position = end + 1;
    this.write(close, -outwards);
  }

  escape(isInClass) {
    const kind = this.text[this.position + 1];
    if (kind === undefined) return this.take('\\', isInClass ? 0 : 1);
    let length = 2;
    this.position += 2;
    const after = this.current;
    if (after === '{' && (kind === 'u' || kind === 'p' || kind === 'P')) return this.writeNamed(`\\${kind}{`, '}', 0);
    if (!isInClass && kind === 'k' && after === '<') return this.writeNamed('\\k<', '>', 1);
    this.position -= 2;
    if (kind === 'x') length = 4;
    if (!isInClass && kind >= '0' && kind <= '9') {
      this.position += 2;
      length += this.takeDigits().length;
      this.position -= length;
    }
    this.take(StringPrototypeSlice(this.text, this.position, this.position + length), isInClass ? 0 : 1);
  }

  // Up to and with the closing bracket.
  characterClass() {
    this.take('[');
    this.depth++;
    while (this.position < this.text.length) {
      const { current } = this;
      if (current === '\\') {
        this.escape(true);
      } else if (current === ']') {
        this.depth--;
        this.take(']');
        return;
      } else {
        const next = this.text[this.position + 1];
        const isRange = current === '-' && this.text[this.position - 1] !== '[' && next !== undefined && next !== ']';
        this.take(current, isRange ? 1 : 0);
      }
    }
  }

  // Highlights `?:`, `?=`, `?!`, `?<=`, `?<!` or `?<name>` after the left parenthesis of a group.
  groupKind() {
    const kind = this.text[this.position + 1] ?? '';
    if (kind === ':' || kind === '=' || kind === '!') return this.take(`?${kind}`, -1);
    if (kind !== '<') return this.take('?');
    const next = this.text[this.position + 2];
    if (next === '=' || next === '!') return this.take(`?<${next}`, -1);
    const start = this.position + 2;
    const end = StringPrototypeIndexOf(this.text, '>', start);
    this.take('?<', -1);
    this.take(StringPrototypeSlice(this.text, start, end === -1 ? this.text.length : end));
    if (end !== -1) this.take('>', -1);
  }

  // {n}, {n,}, {n,m}; a brace that begins none of them is an ordinary character.
  quantifier() {
    this.position++;
    const least = this.takeDigits();
    if (least === '' && this.current !== ',') {
      if (this.current !== undefined) this.write('{', 1);
      return;
    }
    this.write('{');
    this.depth++;
    if (least !== '') this.write(least, 1);
    if (this.current === ',') this.take(',');
    const most = this.takeDigits();
    if (most !== '') this.write(most, 1);
    if (this.current === '}') {
      this.depth--;
      this.take('}');
    }
    if (this.current === '?') this.take('?', 3);
  }

  step() {
    const { current } = this;
    if (current === '[') return this.characterClass();
    if (current === '\\') return this.escape(false);
    if (current === '{') return this.quantifier();
    if (current === '(') {
      this.take('(');
      this.depth++;
      if (this.current === '?') this.groupKind();
    } else if (current === ')') {
      this.depth--;
      this.take(')');
    } else if (current === '.') {
      this.take('.', 2);
    } else {
      this.take(current, StringPrototypeIncludes('|+*?,^$', current) ? 3 : 1);
    }
  }

  run() {
    this.write('/');
    this.depth++;
    this.position = 1;
    while (this.position < this.text.length && this.current !== '/') this.step();
    this.depth--;
    this.write('/');
    this.position++;
    if (this.position < this.text.length) this.take(StringPrototypeSlice(this.text, this.position), 1);
    return this.result;
  }
}

function highlightRegExp(text, names) {
  const palette = paletteOf(names);
  return palette.length === 0 ? text : new Highlighter(text, palette).run();
}

module.exports = { highlightRegExp };
