'use strict';
// Editing a line on a terminal, key by key: the line, the cursor, and what is written to the screen.
const { EventEmitter } = require('node:events');
const readline = require('node:readline');

class Keyboard extends EventEmitter {
  isTTY = true;
  isRaw = false;
  setRawMode(mode) { this.isRaw = mode; screen.push(`<raw ${mode}>`); }
  resume() {}
  pause() {}
  type(text) { this.emit('data', Buffer.from(text)); }
}
let screen = [];
class Screen extends EventEmitter {
  isTTY = true;
  columns = 20;
  write(text) { screen.push(text); return true; }
}
function show(what, rl) {
  console.log(what.padEnd(14), JSON.stringify(rl.line), rl.cursor, JSON.stringify(screen.join('')));
  screen = [];
}

function session(title, options, steps) {
  console.log(`== ${title}`);
  const input = new Keyboard();
  const rl = readline.createInterface({ input, output: new Screen(), terminal: true, prompt: '> ', ...options });
  rl.on('line', (line) => console.log('line', JSON.stringify(line)));
  rl.on('close', () => console.log('close'));
  rl.on('history', (history) => console.log('history', history.join('|')));
  show('start', rl);
  rl.prompt();
  show('prompt', rl);
  for (const step of steps) {
    input.type(step);
    show(JSON.stringify(step), rl);
  }
  rl.close();
  show('end', rl);
}

const up = '\x1b[A';
const down = '\x1b[B';
const right = '\x1b[C';
const left = '\x1b[D';
session('moving', {}, ['h', 'ello', left, left, 'X', right, 'Y', '\x1b[H', 'A', '\x1b[F', 'Z', '\x01', '\x06', '\x02', '\x05', '\r']);
session('deleting', {}, ['abcdef', '\x7f', '\b', left, '\x1b[3~', '\x04', 'z', '\x15', 'again', '\x02', '\x0b', '\x19', '\x19', '\r', '\x04']);
session('words', {}, ['foo bar.baz  qux', '\x1bb', '\x1bb', '\x1bb', '\x1bb', '\x1bf', '\x1bf', '\x17', '\x1bd', '\x1b\x7f', '\x1b[1;5C', '\x1b[1;5D', '\x1b[3;5~', '\r']);
session('history', {}, [up, 'one\r', 'two\r', 'three\r', 'three\r', up, up, up, up, down, down, down, down, 't', up, up, up, down, '\r', '\x10', '\x10', '\x0e', '\r']);
session('history size', { historySize: 2 }, ['a\r', 'b\r', 'c\r', up, up, up, '\r']);
session('no duplicates', { removeHistoryDuplicates: true, history: ['x', 'y'] }, ['y\r', 'z\r', 'x\r', '  \r']);
session('no history', { historySize: 0 }, ['a\r', up]);
session('undo', {}, ['a', 'b', 'c', '\x1f', '\x1f', '\x1e', '\x1e', '\x1e', 'd', '\x1f', '\x1f', '\x1f', '\x1f', '\x1f', '\r']);
session('kill ring', {}, ['one', '\x15', 'two', '\x15', 'three', '\x15', '\x19', '\x1by', '\x1by', '\x1by', '\x1by', 'x', '\x1by', '\r']);
session('rows', {}, ['0123456789012345', '67', '8', '9', left, left, left, left, '-', '\x01', '\x05', '\x7f', '\x15', '\r']);
session('wide', {}, ['\u4f60\u597d', left, 'a', '\u{1f600}', left, left, right, '\x7f', '\u0301', '\t', '\x15', '\r']);
session('pasted', {}, ['one\ntwo\r\nthree', '\r', 'a\u2028b', '\r']);
session('return', {}, ['a\r', '\n', 'b\n', '\n', '\r']);
session('ctrl-c', {}, ['abc', '\x03', 'd']);
session('ctrl-d', {}, ['a', '\x04', '\x7f', '\x04']);
session('clear', {}, ['abc', '\x0c', '\x1b', 'q', '\x1b[5~', '\x00', '\x1b[200~', '\r']);
session('coloured prompt', { prompt: '\x1b[32mok\x1b[0m ' }, ['abc', left, 'x', '\r']);
session('two rows of prompt', { prompt: 'first\n> ' }, ['abc', left, '\x7f', '\r']);
session('tabs', { tabSize: 4 }, ['a\tb', left, left, left, '\r']);
