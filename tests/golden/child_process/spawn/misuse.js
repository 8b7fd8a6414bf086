'use strict';
// Arguments that spawn, exec, execFile and fork do not take.
const cp = require('child_process');
const { inspect } = require('util');

function attempt(label, run) {
  try {
    const child = run();
    child.on('error', () => {});
    child.kill('SIGKILL');
    console.log(label, 'ok');
  } catch ({ name, code, message }) {
    console.log(label, name, code, message);
  }
}

const lists = [
  [], [''], [1], [null], [{}], ['a\0b'], ['true', 'x'], ['true', 1], ['true', null], ['true', {}, 'x'],
  ['true', ['a\0b']], ['true', [], 'x'], ['true', [], 1], ['true', ['x'], null], ['true', undefined, {}],
  ['true', [], {}, 'x'], ['true', [], []], ['true', [Symbol.iterator]], ['true', () => {}], ['true', [], () => {}],
];
const options = [
  { cwd: 1 }, { cwd: 'a\0' }, { cwd: new URL('http://x') }, { cwd: new URL('file:///') },
  { env: { a: 'b\0' } }, { env: { 'a\0': 'b' } },
  { argv0: 1 }, { argv0: 'a\0' }, { shell: 1 }, { shell: 'a\0' }, { detached: 1 },
  { uid: 'x' }, { uid: -1 }, { uid: 2 ** 33 }, { uid: 1.5 }, { gid: 'x' }, { windowsHide: 1 }, { windowsVerbatimArguments: 1 },
  { timeout: -1 }, { timeout: 'x' }, { timeout: 1.5 }, { timeout: Infinity },
  { maxBuffer: 'x' }, { maxBuffer: -1 }, { maxBuffer: NaN },
  { killSignal: 'SIGNOPE' }, { killSignal: 99 }, { killSignal: {} }, { signal: 1 }, { signal: {} }, { signal: null },
  { stdio: 'x' }, { stdio: 1 }, { stdio: ['x'] }, { stdio: [{}] }, { stdio: [{ fd: 'x' }] }, { stdio: ['ipc', 'ipc'] },
  { stdio: {} }, { stdio: [Buffer.from('x')] }, { stdio: [true] },
  { serialization: 'x' }, { serialization: 1 }, { execPath: 1 }, { execPath: 'a\0' }, { execArgv: ['\0'] },
  { get cwd() { throw new Error('a getter'); } },
];
for (const name of ['spawn', 'exec', 'execFile', 'fork']) {
  for (const list of lists) attempt(`${name} ${inspect(list)}`, () => cp[name](...list, ...(name === 'fork' && list.length < 3 ? [{ silent: true }] : [])));
  for (const one of options) {
    const label = `${name} ${inspect(one, { depth: 0 }).replace(/\s+/g, ' ')}`;
    attempt(label, () => (name === 'exec' ? cp[name]('true', one) : cp[name]('true', [], { silent: true, ...one })));
  }
}

const child = new cp.ChildProcess();
for (const one of [undefined, null, 'x', {}, { file: 1 }, { file: 'true', args: 1 }, { file: 'true', envPairs: 1, stdio: ['ipc'] }]) {
  attempt(`ChildProcess.spawn ${inspect(one)}`, () => child.spawn(one) || child);
}
