'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'golden-'));
const at = (name) => path.join(dir, name);
const plain = (text) => String(text).split(dir).join('DIR');
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
function attempt(name, fn) {
  try {
    const value = fn();
    console.log(name, '->', typeof value === 'string' ? plain(value) : value);
  } catch (error) {
    console.log(name, error.name, error.code, plain(error.message));
  }
}

// Operations end in any order.
const lines = [];
const say = (...words) => lines.push(words.map((word) => (typeof word === 'string' ? word : require('node:util').inspect(word))).join(' '));
process.on('exit', () => console.log(lines.sort().join('\n')));
fs.writeFileSync(at('file'), 'content');
const gone = AbortSignal.abort();
const because = AbortSignal.abort(new Error('mine'));
const show = (name) => (error, data) => say(name, error?.name, error?.code, error?.message, error?.cause?.message, data);
fs.readFile(at('file'), { signal: because }, (error) => say(error.name, error.code, error.message, error.cause?.message));
const later = new AbortController();
fs.readFile(at('file'), { signal: later.signal }, show('read, aborted at once'));
later.abort();
const during = new AbortController();
fs.writeFile(at('w'), 'x', { signal: during.signal }, show('write, aborted at once'));
during.abort();
fs.writeFile(at('v'), 'x', { signal: gone }, (error) => say(error.name, fs.existsSync(at('v'))));
const never = new AbortController();
fs.readFile(at('file'), { signal: never.signal, encoding: 'utf8' }, (error, data) => {
  say(error, data);
  never.abort();
});
