'use strict';
// Arguments that the functions which wait do not take.
const cp = require('child_process');
const { inspect } = require('util');

function attempt(label, run) {
  try {
    run();
    console.log(label, 'ok');
  } catch ({ name, code, message }) {
    console.log(label, name, code, message);
  }
}

const lists = [
  [], [''], [1], [null], [{}], ['a\0b'], ['true', 'x'], ['true', 1], ['true', null], ['true', {}, 'x'],
  ['true', ['a\0b']], ['true', [], 'x'], ['true', [], 1], ['true', [], null], ['true', ['x'], null],
  ['true', null, null], ['true', undefined, {}], ['true', [], {}, 'x'], ['true', [], []], ['true', [1]],
  ['true', [Symbol.iterator]], ['true', [null]],
];
const options = [
  { cwd: 1 }, { cwd: '' }, { cwd: 'a\0' }, { cwd: new URL('http://x') }, { cwd: new URL('file:///') }, { cwd: null },
  { env: 1 }, { env: { a: 'b\0' } }, { env: { 'a\0': 'b' } }, { env: null },
  { argv0: 1 }, { argv0: 'a\0' }, { shell: 1 }, { shell: 'a\0' }, { detached: 1 }, { detached: null },
  { uid: 'x' }, { uid: -1 }, { uid: 2 ** 33 }, { uid: 1.5 }, { gid: 'x' }, { gid: null },
  { windowsHide: 1 }, { windowsVerbatimArguments: 1 },
  { timeout: -1 }, { timeout: 'x' }, { timeout: 1.5 }, { timeout: Infinity }, { timeout: null },
  { maxBuffer: 'x' }, { maxBuffer: -1 }, { maxBuffer: NaN }, { maxBuffer: Infinity }, { maxBuffer: 2 ** 60 },
  { killSignal: 'SIGNOPE' }, { killSignal: 99 }, { killSignal: {} }, { killSignal: 'sigterm' }, { killSignal: null },
  { stdio: 'x' }, { stdio: 1 }, { stdio: [{}] }, { stdio: [{ fd: 'x' }] }, { stdio: ['ipc'] }, { stdio: {} },
  { stdio: [Symbol.iterator] }, { stdio: [true] },
  { encoding: 1 }, { encoding: 'buffer' }, { input: 1 }, { input: {} }, { input: null },
  { get cwd() { throw new Error('a getter'); } },
];
for (const name of ['spawnSync', 'execSync', 'execFileSync']) {
  for (const list of lists) attempt(`${name} ${inspect(list)}`, () => cp[name](...list));
  for (const one of options) {
    const label = `${name} ${inspect(one, { depth: 0 }).replace(/\s+/g, ' ')}`;
    attempt(label, () => (name === 'execSync' ? cp[name]('true', one) : cp[name]('true', [], one)));
  }
}
