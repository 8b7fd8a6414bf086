'use strict';
// Completion: one answer, several, none, errors; with callbacks, at once, and with promises.
const { EventEmitter } = require('node:events');
const readline = require('node:readline');
const { createInterface } = require('node:readline/promises');

let screen = [];
class Keyboard extends EventEmitter {
  resume() {}
  pause() {}
  type(text) { this.emit('data', Buffer.from(text)); }
}
class Screen extends EventEmitter {
  isTTY = true;
  columns = 40;
  write(text) { screen.push(text); return true; }
}
const words = ['apple', 'apply', 'apricot', 'banana', 'b\u00e4r', 'cherry pie'];
const find = (line) => [words.filter((word) => word.startsWith(line)), line];

async function session(title, make, completer, steps) {
  console.log(`== ${title}`);
  const input = new Keyboard();
  const rl = make({ input, output: new Screen(), terminal: true, prompt: '$ ', completer });
  rl.on('line', (line) => console.log('line', JSON.stringify(line)));
  rl.on('pause', () => console.log('pause'));
  rl.on('resume', () => console.log('resume'));
  for (const step of steps) {
    input.type(step);
    await new Promise(setImmediate);
    console.log(JSON.stringify(step).padEnd(8), JSON.stringify(rl.line), rl.cursor, JSON.stringify(screen.join('')));
    screen = [];
  }
  rl.close();
  screen = [];
}

(async () => {
  await session('at once', readline.createInterface, find, ['a', '\t', '\t', '\t', 'pl', '\t', '\t', 'y', '\t', '\r', 'x', '\t', '\t', '\r']);
  await session('all', readline.createInterface, find, ['\t', '\t', '\t']);
  await session('callback', readline.createInterface, (line, callback) => setImmediate(callback, null, find(line)), ['b', '\t', '\t', '\u00e4', '\t', '\r']);
  await session('error', readline.createInterface, (line, callback) => callback(new Error('none'.repeat(0) || 'no')), ['b']);
  await session('promise', createInterface, async (line) => find(line), ['ap', '\t', 'r', '\t', '\t', '\r']);
  await session('promise at once', createInterface, find, ['c', '\t', '\r']);
  await session('no completer', readline.createInterface, undefined, ['a', '\t', 'b', '\r']);
  await session('pasted', readline.createInterface, find, ['a\tb', '\r']);
  await session('other prefix', readline.createInterface, (line) => [['Hello'], line], ['hel', '\t', '\r']);
  await session('groups', readline.createInterface, () => [['one', 'two', '', 'three'], ''], ['\t', '\t']);
})();
