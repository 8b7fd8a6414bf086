'use strict';
// fs.promises.writeFile() and appendFile(): everything that can be written.
const fs = require('fs');
const os = require('os');
const { Readable } = require('stream');
const fsp = fs.promises;

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);

async function attempt(name, run) {
  try {
    const value = await run();
    console.log(name, '->', value, JSON.stringify(fs.readFileSync('w', 'utf8')));
  } catch (error) {
    console.log(name, '!!', error.name, error.code, error.message);
  }
}

(async () => {
  await attempt('text', () => fsp.writeFile('w', 'text'));
  await attempt('hex', () => fsp.writeFile('w', '6162', 'hex'));
  await attempt('bytes', () => fsp.writeFile('w', Buffer.from('bytes')));
  await attempt('a view', () => fsp.writeFile('w', new Uint16Array([0x6161, 0x6262])));
  await attempt('a DataView', () => fsp.writeFile('w', new DataView(Buffer.from('-dv-').buffer.slice(0, 0))));
  await attempt('nothing', () => fsp.writeFile('w', ''));
  await attempt('append', () => fsp.appendFile('w', 'more'));
  await attempt('append bytes', () => fsp.appendFile('w', Buffer.from('!')));
  await attempt('flag a', () => fsp.writeFile('w', '?', { flag: 'a' }));
  await attempt('flag wx', () => fsp.writeFile('w', '?', { flag: 'wx' }));
  await attempt('flag r+', () => fsp.writeFile('w', 'M', { flag: 'r+' }));
  await attempt('flush', () => fsp.writeFile('w', 'flushed', { flush: true }));
  await attempt('array', () => fsp.writeFile('w', ['a', 'b', Buffer.from('c')]));
  await attempt('Set', () => fsp.writeFile('w', new Set(['x', 'y'])));
  await attempt('generator', () => fsp.writeFile('w', (function* () {
    yield '1';
    yield new Uint8Array([50]);
  })()));
  await attempt('async generator', () => fsp.writeFile('w', (async function* () {
    for (let i = 0; i < 5; i++) {
      await null;
      yield `${i};`;
    }
  })()));
  await attempt('stream', () => fsp.writeFile('w', Readable.from(['from', ' ', 'stream'])));
  await attempt('file stream', () => fsp.writeFile('w2', fs.createReadStream('w')));
  await attempt('copied', () => fs.readFileSync('w2', 'utf8'));
  await attempt('hex parts', () => fsp.writeFile('w', ['61', '62'], 'hex'));
  await attempt('append parts', () => fsp.appendFile('w', ['x', 'y']));
  await attempt('throws', () => fsp.writeFile('w', (function* () {
    yield 'kept';
    throw new Error('mine');
  })()));
  await attempt('what was written', () => {});
  await attempt('numbers', () => fsp.writeFile('w', [1, 2]));
  await attempt('a number', () => fsp.writeFile('w', 3));
  await attempt('an object', () => fsp.writeFile('w', {}));
  await attempt('null', () => fsp.writeFile('w', null));
  await attempt('a failing stream', () => fsp.writeFile('w', fs.createReadStream('none')));
  await attempt('mode', async () => {
    await fsp.writeFile('secret', 'x', { mode: 0o600 });
    return (fs.statSync('secret').mode & 0o777).toString(8);
  });
  const before = fs.readdirSync('/proc/self/fd').length;
  await Promise.allSettled(Array.from({ length: 20 }, () => fsp.writeFile('w', (function* () {
    yield 'x';
    throw new Error('no descriptor is lost');
  })())));
  console.log(fs.readdirSync('/proc/self/fd').length - before);
  fs.rmSync(folder, { recursive: true });
})();
