'use strict';
// FileHandle: whole files, from where the file stands.
const fs = require('fs');
const os = require('os');
const fsp = fs.promises;

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);

async function attempt(name, run) {
  try {
    console.log(name, '->', await run());
  } catch (error) {
    console.log(name, '!!', error.name, error.code, error.message);
  }
}

(async () => {
  fs.writeFileSync('f', 'hello world');
  const h = await fsp.open('f', 'r+');
  await h.read(Buffer.alloc(6), 0, 6);
  await attempt('the rest', () => h.readFile('utf8'));
  await attempt('nothing left', () => h.readFile('utf8'));
  await attempt('as bytes', () => h.readFile());
  await attempt('readFile(bogus)', () => h.readFile('bogus'));
  await attempt('readFile(signal: 3)', () => h.readFile({ signal: 3 }));
  await attempt('writeFile', () => h.writeFile('!'));
  await attempt('appendFile', () => h.appendFile('?'));
  await attempt('text', () => fs.readFileSync('f', 'utf8'));
  await attempt('writeFile(3)', () => h.writeFile(3));
  await attempt('writeFile()', () => h.writeFile());
  await attempt('an array', () => h.writeFile(['a', 'b', Buffer.from('c')]));
  await attempt('an array of numbers', () => h.writeFile([1]));
  await attempt('a generator', () => h.writeFile((async function* () {
    yield 'x';
    yield new Uint8Array([121, 122]);
  })()));
  await attempt('a stream', () => h.writeFile(fs.createReadStream('f', { end: 4 })));
  await attempt('text', () => fs.readFileSync('f', 'utf8'));
  await attempt('aborted write', () => h.writeFile('x', { signal: AbortSignal.abort() }));
  await attempt('aborted read', () => h.readFile({ signal: AbortSignal.abort() }));
  await attempt('options 3', () => h.writeFile('x', 3));
  await attempt('failing generator', () => h.writeFile((async function* () {
    yield '1';
    throw new Error('mine');
  })()));
  await attempt('text', () => fs.readFileSync('f', 'utf8'));
  await h.close();

  const wh = await fsp.open('g', 'w');
  await attempt('write only', () => wh.readFile());
  await attempt('through fs.promises', () => fsp.writeFile(wh, 'abc'));
  await attempt('and append', () => fsp.appendFile(wh, 'def'));
  await wh.close();
  await attempt('text', () => fs.readFileSync('g', 'utf8'));

  const proc = await fsp.open('/proc/self/stat');
  await attempt('/proc', async () => (await proc.readFile('utf8')).length > 20);
  await proc.close();
  fs.rmSync(folder, { recursive: true });
})();
