// rondo trace --open: the page while the program runs.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, open, start, test, until } from './harness.mjs';

// It runs until the page has shown it, however long that takes.
const kProgram = `
const fs = require('fs');
const timer = setInterval(function beat() {
  if (!fs.existsSync(process.argv[2])) return;
  clearInterval(timer);
  process.exitCode = 3;
}, 10);
`;

test('a program can be watched while it runs', async () => {
  const program = join(folder, 'beat.js');
  const enough = join(folder, 'enough');
  writeFileSync(program, kProgram);
  const child = start(['trace', '-q', '--open', program, enough]);
  let said = '';
  child.stderr.on('data', (text) => { said += text; });
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })));
  const url = (await until('the address', async () => said, (text) => /http:\S+\n/.test(text))).match(/http:\S+/)[0];

  // A client without the token, or with another host name, gets nothing.
  for (const other of ['/', `/${'0'.repeat(32)}/`, `/${'0'.repeat(32)}/state`, '/state']) {
    assert.equal((await fetch(new URL(other, url))).status, 404, other);
  }
  assert.equal((await fetch(`${url}trace/0/0/-1`)).status, 400);
  assert.equal((await fetch(`${url}trace/99/0/0`)).status, 404);
  assert.equal((await fetch(`${url}source/${encodeURIComponent('/etc/passwd')}`)).status, 404);
  assert.equal((await fetch(`${url}source/%ff`)).status, 400);
  assert.equal((await fetch(url)).headers.get('cache-control'), 'no-store');

  const page = await open(url);
  await page.waitForSelector('[data-testid=live]', { state: 'visible' });
  const count = () => page.evaluate(() => window.rondo.store.model.threads[0]?.steps.length ?? 0);
  const first = await until('callbacks', count, (n) => n > 5);
  await until('more callbacks', count, (n) => n > first + 5);
  await page.keyboard.press('End');
  await until('the source', () => page.textContent('[data-testid=details]'),
    (text) => text.includes('setInterval(function beat'));
  writeFileSync(enough, '');
  await until('the end', () => page.textContent('.facts'), (text) => text.includes('exit code 3'));
  assert.match(said, /the page is served until Ctrl-C/);
  // Reloading shows everything while the server runs.
  await page.reload();
  await until('all again', () => page.textContent('.facts'), (text) => text.includes('exit code 3'));
  child.kill('SIGINT');
  assert.deepEqual(await ended, { code: 3, signal: null });
});
