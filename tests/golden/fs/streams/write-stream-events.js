'use strict';
// WriteStream: its properties, and its events in their order, in every way that it can end.
const fs = require('fs');
const os = require('os');

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);

function follow(name, stream) {
  for (const event of ['open', 'ready', 'finish', 'close', 'error', 'drain']) {
    stream.on(event, (value) => console.log(name, event, value instanceof Error ? value.code || value.message : typeof value));
  }
  return new Promise((resolve) => stream.on('close', resolve));
}

(async () => {
  let w = fs.createWriteStream('w');
  console.log(w.pending, w.path, w.flags, w.mode, w.bytesWritten, w.autoClose, w.writableHighWaterMark);
  let done = follow('all', w);
  w.write('abc', () => console.log('abc is written'));
  w.write(Buffer.from('def'));
  w.write('ghi');
  w.end('z', () => console.log('end called back'));
  await done;
  console.log(w.bytesWritten, fs.readFileSync('w', 'utf8'), w.closed, w.fd);
  w = fs.createWriteStream('w', { flags: 'r+', start: 2 });
  w.end('ZZ');
  await follow('start', w);
  console.log(fs.readFileSync('w', 'utf8'), w.pos);
  w = fs.createWriteStream('w', { flags: 'a', encoding: 'hex' });
  w.end('414243');
  await follow('append', w);
  console.log(fs.readFileSync('w', 'utf8'));
  w = fs.createWriteStream('no/such');
  w.end('ZZ');
  await follow('none', w);
  w = fs.createWriteStream('flushed', { flush: true });
  w.end('x');
  await follow('flush', w);
  w = fs.createWriteStream('closed');
  w.close(() => console.log('close called back'));
  await follow('close()', w);
  await new Promise((resolve) => w.close(() => {
    console.log('and again');
    resolve();
  }));
  w = fs.createWriteStream('destroyed');
  w.write('x');
  w.destroy();
  await follow('destroyed', w);
  w = fs.createWriteStream('destroyed');
  w.on('open', () => w.destroy(new Error('mine')));
  await follow('destroyed in open', w);
  w = fs.createWriteStream('stays', { autoClose: false });
  w.end('hey');
  w.on('finish', () => {
    console.log(w.fd > 0);
    w.destroy();
  });
  await follow('autoClose false', w);
  w = fs.createWriteStream('/dev/full');
  w.end('hey');
  await follow('no space', w);
  w = fs.createWriteStream('/dev/full');
  w.write('hey', (error) => console.log('write called back', error.code));
  w.write('hey', (error) => console.log('second, too', error.code));
  await follow('no space, two writes', w);
  let fd = fs.openSync('fd', 'w');
  w = fs.createWriteStream('', { fd });
  w.end('q');
  await follow('fd', w);
  fd = fs.openSync('fd', 'r');
  w = fs.createWriteStream('', { fd });
  w.end('q');
  await follow('fd that cannot be written to', w);
  const h = await fs.promises.open('handle', 'w');
  w = h.createWriteStream();
  w.write('one');
  w.end('two');
  await follow('handle', w);
  console.log(fs.readFileSync('handle', 'utf8'), h.fd);
  w = fs.createWriteStream('aborted', { signal: AbortSignal.abort() });
  w.on('error', (error) => console.log('aborted', error.code));
  await new Promise((resolve) => w.on('close', resolve));
  w = fs.createWriteStream('full', { highWaterMark: 4 });
  done = follow('drain', w);
  console.log(w.write('12'), w.write('3456'), w.writableNeedDrain);
  w.once('drain', () => w.end());
  await done;
  console.log(fs.readFileSync('full', 'utf8'));
  // writev() of more than the kernel takes at once.
  w = fs.createWriteStream('many');
  w.cork();
  for (let i = 0; i < 3000; i++) w.write(`${i}\n`);
  w.uncork();
  w.end();
  await follow('many', w);
  console.log(fs.readFileSync('many', 'utf8').split('\n').length, w.bytesWritten);
  fs.rmSync(folder, { recursive: true });
})();
