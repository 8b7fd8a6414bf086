'use strict';
// Figures and places as people read them, for reports on a terminal.
const path = require('path');

// Names come from untrusted files: control characters are shown escaped instead of being sent to the terminal.
const commands = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function printable(text) {
  return text.replace(commands, (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

// Three digits that count.
function digits(number) {
  if (number < 9.995) return number.toFixed(2);
  return number < 99.95 ? number.toFixed(1) : number.toFixed(0);
}

function duration(nanoseconds) {
  if (!(nanoseconds >= 0)) return '-';
  if (nanoseconds < 999.5) return `${Math.round(nanoseconds)} ns`;
  if (nanoseconds < 999.5e3) return `${digits(nanoseconds / 1e3)} us`;
  if (nanoseconds < 999.5e6) return `${digits(nanoseconds / 1e6)} ms`;
  return nanoseconds < 120e9 ? `${digits(nanoseconds / 1e9)} s` : `${digits(nanoseconds / 60e9)} min`;
}

function count(number) {
  return String(number).replace(/\B(?=(?:[0-9]{3})+$)/g, ',');
}

function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

function share(part, whole) {
  if (!(whole > 0)) return '';
  const percent = 100 * part / whole;
  if (percent === 0) return '0 %';
  return percent < 0.1 ? '<0.1 %' : `${percent < 9.95 ? percent.toFixed(1) : percent.toFixed(0)} %`;
}

// Files below the working folder are named from there, others by their whole path.
function fileName(file, folder) {
  let name = file;
  if (name.startsWith('file://')) {
    try {
      name = require('internal/url').fileURLToPath(name);
    } catch {
      return printable(file);
    }
  }
  if (folder !== undefined && path.isAbsolute(name)) {
    const relative = path.relative(folder, name);
    if (relative !== '' && !relative.startsWith('..')) name = relative;
  }
  return printable(name);
}

// app.js:3:12
function location(place, folder) {
  if (place === null || place.file === '') return '';
  const name = fileName(place.file, folder);
  if (!(place.line > 0)) return name;
  return place.column > 0 ? `${name}:${place.line}:${place.column}` : `${name}:${place.line}`;
}

// spin (app.js:3:12)
function functionAt(place, folder) {
  const where = location(place, folder);
  const name = place === null ? '' : printable(place.function ?? place.functionName ?? '');
  if (where === '') return name;
  return name === '' ? where : `${name} (${where})`;
}

// Words of a sentence, on lines of at most `width`.
function wrap(text, width) {
  const lines = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines;
}

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], yellow: [33, 39], cyan: [36, 39], green: [32, 39] };

// The style for `stream`: with colours if it is a terminal that supports them, and its width.
function styleFor(stream) {
  const isTerminal = stream.isTTY === true;
  const hasColors = isTerminal && typeof stream.hasColors === 'function' && stream.hasColors();
  const paint = (name) => (text) => (hasColors ? `\x1b[${codes[name][0]}m${text}\x1b[${codes[name][1]}m` : text);
  return {
    isTerminal,
    width: isTerminal && stream.columns > 0 ? Math.max(40, stream.columns) : 100,
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    yellow: paint('yellow'),
    cyan: paint('cyan'),
    green: paint('green'),
  };
}

module.exports = { printable, duration, count, plural, share, fileName, location, functionAt, styleFor, wrap };
