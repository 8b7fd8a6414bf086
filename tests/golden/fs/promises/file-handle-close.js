'use strict';
// FileHandle: closing, the event, and what comes after.
const fs = require('fs');
const os = require('os');
const fsp = fs.promises;

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);

async function attempt(name, run) {
  try {
    console.log(name, '->', await run());
  } catch (error) {
    console.log(name, '!!', error.name, error.code, error.message, error.syscall);
  }
}

(async () => {
  fs.writeFileSync('f', 'x'.repeat(100000));
  let h = await fsp.open('f', 'r+');
  h.on('close', () => console.log('close event', h.fd));
  const first = h.close();
  console.log('closing', h.fd);
  await first;
  await attempt('close again', () => h.close());
  await attempt('read', () => h.read());
  await attempt('write', () => h.write('x'));
  await attempt('stat', () => h.stat());
  await attempt('sync', () => h.sync());
  await attempt('chmod', () => h.chmod(0o600));
  await attempt('writeFile', () => h.writeFile('x'));
  await attempt('createReadStream', () => h.createReadStream());
  await attempt('createWriteStream', () => h.createWriteStream());

  // close() waits for what is under way.
  h = await fsp.open('f', 'r+');
  const reads = [h.read(Buffer.alloc(10), 0, 10, 0), h.read(Buffer.alloc(20), 0, 20, 0)];
  const closing = h.close().then(() => console.log('closed'));
  console.log('still open:', h.fd >= 0, h.close() === h.close());
  for (const read of reads) console.log((await read).bytesRead);
  await closing;
  console.log(h.fd);

  // Each descriptor is given back.
  const before = fs.readdirSync('/proc/self/fd').length;
  for (let i = 0; i < 50; i++) {
    const handle = await fsp.open('f');
    await handle.close();
  }
  console.log(fs.readdirSync('/proc/self/fd').length - before);
  const many = await Promise.all(Array.from({ length: 20 }, () => fsp.open('f')));
  await Promise.all(many.map((handle) => handle.close()));
  console.log(fs.readdirSync('/proc/self/fd').length - before);

  // The number was reused.
  h = await fsp.open('f');
  fs.closeSync(h.fd);
  await attempt('closed behind its back', () => h.close());

  h = await fsp.open('f');
  console.log(typeof Symbol.asyncDispose === 'symbol' ? typeof h[Symbol.asyncDispose] : 'function');
  await h.close();
  fs.rmSync(folder, { recursive: true });
})();
