'use strict';
// Callbacks of fs.promises, streams, directories and watchers run in the context of the call.
const { AsyncLocalStorage } = require('async_hooks');
const fs = require('fs');
const os = require('os');

const storage = new AsyncLocalStorage();
const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);

function each(name, start) {
  return new Promise((resolve) => {
    storage.run(name, start, () => {
      console.log(name, storage.getStore() === name);
      resolve();
    });
  });
}

(async () => {
  await storage.run('promises', async () => {
    await fs.promises.writeFile('f', 'text');
    console.log(storage.getStore());
    const handle = await fs.promises.open('f');
    await handle.read();
    await handle.close();
    console.log(storage.getStore());
    for await (const entry of await fs.promises.opendir('.')) console.log(entry.name, storage.getStore());
    for await (const chunk of fs.createReadStream('f')) console.log(chunk.length, storage.getStore());
    await fs.promises.cp('f', 'g');
    await fs.promises.rm('g');
    console.log(storage.getStore());
  });
  await each('open', (done) => {
    const stream = fs.createReadStream('f').once('open', () => {
      stream.destroy();
      done();
    });
  });
  await each('data', (done) => fs.createReadStream('f').once('data', done));
  await each('end', (done) => fs.createReadStream('f').resume().once('end', done));
  await each('close', (done) => fs.createReadStream('f').resume().once('close', done));
  await each('finish', (done) => fs.createWriteStream('/dev/null').once('finish', done).end('x'));
  await each('written', (done) => {
    const stream = fs.createWriteStream('/dev/null');
    stream.write('x', () => {
      stream.destroy();
      done();
    });
  });
  await each('closed', (done) => fs.createWriteStream('/dev/null').once('close', done).end('x'));
  await each('opendir', (done) => fs.opendir('.', (error, dir) => {
    dir.closeSync();
    done();
  }));
  await each('dir.read', (done) => {
    const dir = fs.opendirSync('.');
    dir.read(() => dir.close(done));
  });
  await each('rm', (done) => fs.rm('none', { force: true }, done));
  await each('cp', (done) => fs.cp('f', 'h', done));
  await each('watch', (done) => {
    const watcher = fs.watch('.');
    watcher.once('change', () => {
      watcher.close();
      done();
    });
    setTimeout(() => fs.writeFileSync('i', ''), 10);
  });
  await each('watchFile', (done) => {
    fs.watchFile('none', { interval: 10 }, () => {
      fs.unwatchFile('none');
      done();
    });
  });
  fs.rmSync(folder, { recursive: true });
})();
