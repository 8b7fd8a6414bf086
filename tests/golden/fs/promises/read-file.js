'use strict';
// fs.promises.readFile(): encodings, flags, signals in every state, files without a size.
const fs = require('fs');
const os = require('os');
const fsp = fs.promises;

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);

async function attempt(name, run) {
  try {
    console.log(name, '->', await run());
  } catch (error) {
    console.log(name, '!!', error.name, error.code, error.message, error.cause?.name ?? error.cause);
  }
}

(async () => {
  fs.writeFileSync('f', 'grüße');
  fs.writeFileSync('big', Buffer.alloc(3 << 20, 'x'));
  fs.writeFileSync('empty', '');
  await attempt('bytes', () => fsp.readFile('f'));
  await attempt('utf8', () => fsp.readFile('f', 'utf8'));
  await attempt('latin1', () => fsp.readFile('f', { encoding: 'latin1' }));
  await attempt('hex', () => fsp.readFile('f', 'hex'));
  await attempt('null', () => fsp.readFile('f', null));
  await attempt('URL', () => fsp.readFile(require('url').pathToFileURL('f'), 'utf8'));
  await attempt('Buffer', () => fsp.readFile(Buffer.from('f'), 'utf8'));
  await attempt('empty', () => fsp.readFile('empty'));
  await attempt('big', async () => (await fsp.readFile('big')).length);
  await attempt('big text', async () => (await fsp.readFile('big', 'latin1')).length);
  await attempt('no size', async () => (await fsp.readFile('/proc/self/status', 'utf8')).startsWith('Name:'));
  await attempt('a+ makes it', () => fsp.readFile('made', { flag: 'a+', encoding: 'utf8' }));
  await attempt('it is there', () => fs.existsSync('made'));
  await attempt('wx+', () => fsp.readFile('f', { flag: 'wx+' }));
  await attempt('aborted before', () => fsp.readFile('f', { signal: AbortSignal.abort() }));
  await attempt('aborted before, with a reason', () => fsp.readFile('f', { signal: AbortSignal.abort('why') }));
  const controller = new AbortController();
  const reading = fsp.readFile('big', { signal: controller.signal });
  controller.abort('now');
  await attempt('aborted meanwhile', () => reading);
  const late = new AbortController();
  await attempt('aborted after', async () => (await fsp.readFile('big', { signal: late.signal })).length);
  late.abort();
  const all = await Promise.all(Array.from({ length: 50 }, () => fsp.readFile('f', 'utf8')));
  console.log(all.length, new Set(all).size);

  await attempt('write aborted before', () => fsp.writeFile('w', 'x', { signal: AbortSignal.abort() }));
  await attempt('nothing was made', () => fs.existsSync('w'));
  const writing = new AbortController();
  const write = fsp.writeFile('w', (async function* () {
    yield 'one';
    writing.abort('enough');
    yield 'two';
  })(), { signal: writing.signal });
  await attempt('write aborted meanwhile', () => write);
  await attempt('what was written', () => fsp.readFile('w', 'utf8'));
  fs.rmSync(folder, { recursive: true });
})();
