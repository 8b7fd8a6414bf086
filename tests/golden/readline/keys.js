'use strict';
// Keys that emitKeypressEvents() parses from terminal sequences.
const { PassThrough } = require('node:stream');
const { emitKeypressEvents } = require('node:readline');

const input = new PassThrough();
emitKeypressEvents(input);
const flags = (key) => `${key.ctrl ? 'C' : '-'}${key.meta ? 'M' : '-'}${key.shift ? 'S' : '-'}`;
input.on('keypress', (text, key) => {
  console.log('  ', JSON.stringify(text), flags(key), key.name, JSON.stringify(key.sequence), key.code, Object.keys(key).length);
});
const sequences = [
  'a', 'Z', '5', ' ', '\t', '\r', '\n', '\b', '\x7f', '\x00', '\x01', '\x1a', '\x1c', '\x1f', '.', '\u00e9', '\u{1f600}', 'ab',
  '\x1ba', '\x1bA', '\x1b1', '\x1b.', '\x1b\x7f', '\x1b\r', '\x1b\n', '\x1b\t', '\x1b ', '\x1b\x01', '\x1b\x1ba', '\x1b\u{1f600}',
];
for (const letter of 'ABCDEFHPQRSZabcdeX') sequences.push(`\x1b[${letter}`, `\x1bO${letter}`, `\x1b[[${letter}`);
for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 23, 24, 25, 200, 201, 202]) {
  for (const mark of '~^$') sequences.push(`\x1b[${number}${mark}`);
}
for (let modifier = 2; modifier < 9; modifier++) sequences.push(`\x1b[1;${modifier}A`, `\x1b[3;${modifier}~`, `\x1bO${modifier}P`, `\x1b[${modifier}C`);
sequences.push('\x1b[[5~', '\x1b[[6~', '\x1b[1;10A', '\x1b[12;5~', '\x1b[1;x', '\x1b[1234A', '\x1b[;5A', '\x1b[<0;1;2M', '\x1b\x1b[A', '\x1b\x1bOA');

(async () => {
  for (const sequence of sequences) {
    console.log(JSON.stringify(sequence));
    input.write(sequence);
    await new Promise(setImmediate);
    // An incomplete sequence is not combined with the next one.
    input.write('|');
    await new Promise(setImmediate);
  }
  // In pieces.
  for (const piece of ['\x1b', '[', '1', ';', '5', 'D']) {
    input.write(piece);
    await new Promise(setImmediate);
  }
  for (const byte of Buffer.from('\u20ac')) {
    input.write(Buffer.of(byte));
    await new Promise(setImmediate);
  }
  // An escape character that nothing follows is the key.
  input.write('\x1b');
  setTimeout(() => {
    input.write('b');
    input.removeAllListeners('keypress');
    input.write('nobody hears this');
    setImmediate(() => {
      input.on('keypress', (text) => console.log('again', text));
      input.write('x');
    });
  }, 700);
})();
