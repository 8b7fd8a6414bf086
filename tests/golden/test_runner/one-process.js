// isolation: 'none', random orders, global setup, options that override arguments, entryFile of events.
'use strict';
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'test-'));
const write = (name, text) => fs.writeFileSync(path.join(folder, name), text);
write('a.js', `
const { test, before, describe, it } = require('node:test');
before(() => console.log('before of a'));
globalThis.shared = (globalThis.shared ?? 0) + 1;
test('a1', (t) => console.log('a1', shared, require('path').basename(t.filePath)));
describe('a2', () => { it('a3', () => {}); it('a4', { only: true }, () => {}); });
`);
write('b.mjs', `
import { test, after } from 'node:test';
after(() => console.log('after of b'));
globalThis.shared = (globalThis.shared ?? 0) + 1;
test('b1', { tags: [] }, () => console.log('b1', shared, process.env.NODE_TEST_WORKER_ID));
`);
write('empty.js', '');
write('bad.js', 'throw new Error("cannot be loaded");');
write('setup.mjs', `
export async function globalSetup() { console.log('global setup'); globalThis.ready = true; }
export function globalTeardown() { console.log('global teardown'); }
`);
write('broken.mjs', 'export function globalSetup() { throw new Error("no setup"); }\n');
write('many.js', `
const { test, describe } = require('node:test');
for (const name of ['1', '2', '3', '4', '5', '6']) test(name, () => {});
describe('s', () => { for (const name of ['x', 'y', 'z']) test(name, () => {}); });
`);

write('nested.js', String.raw`
const path = require('path');
const { run, test } = require('node:test');
test('name', { name: 'the name of the options' }, (t) => console.log('>', t.name));
test('fn', { fn: () => console.log('> the function of the options') }, () => console.log('never'));
test('run() in a test', async () => {
  const events = [];
  const stream = run({ files: [path.join(__dirname, 'b.mjs')], isolation: 'none' });
  for await (const { type, data } of stream) events.push([type, data.name, data.nesting, data.entryFile]);
  console.log('>', JSON.stringify(events.filter(([type]) => type === 'test:pass')));
});
test('run() with processes', async () => {
  const events = [];
  const stream = run({ files: [path.join(__dirname, 'b.mjs')] });
  for await (const { type, data } of stream) {
    if (type === 'test:pass' || type === 'test:enqueue') events.push([type, data.name, path.basename(data.entryFile ?? '')]);
  }
  console.log('>', JSON.stringify(events.map(([type, name, file]) => [type, path.basename(name), file])));
});
`);

function show(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  const lines = stdout.split('\n').filter((line) => /^ *(not ok|ok|global|before|after|a1|b1|>|# (Random|tests|fail|pass))/.test(line));
  // The report and the output of the tests are not ordered.
  const isReport = (line) => /^ *(not ok|ok|#)/.test(line);
  console.log(args.join(' '), status, /Error: .*/.exec(stderr)?.[0]);
  console.log([...lines.filter((line) => !isReport(line)), ...lines.filter(isReport)].join('\n'));
}

show('--test', '--test-isolation=none', '--test-reporter=tap', 'a.js', 'b.mjs', 'empty.js', 'bad.js');
show('--test', '--test-isolation=none', '--test-reporter=tap', '--test-name-pattern=b1', 'a.js', 'b.mjs');
show('--test', '--test-isolation=none', '--test-reporter=tap', '--test-global-setup=setup.mjs', 'b.mjs');
show('--test', '--test-reporter=tap', '--test-global-setup=setup.mjs', 'b.mjs');
show('--test-reporter=tap', '--test-global-setup=./setup.mjs', 'b.mjs');
show('--test', '--test-isolation=none', '--test-reporter=tap', '--test-global-setup=broken.mjs', 'b.mjs');
for (const seed of [1, 2, 12345]) {
  show('--test', '--test-reporter=tap', `--test-random-seed=${seed}`, 'many.js');
  show('--test', '--test-isolation=none', '--test-reporter=tap', `--test-random-seed=${seed}`, 'many.js');
}

show('--test-reporter=tap', 'nested.js');
fs.rmSync(folder, { recursive: true });
