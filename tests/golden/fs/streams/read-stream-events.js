'use strict';
// ReadStream: its properties, and its events in their order, in every way that it can end.
const fs = require('fs');
const os = require('os');
const { Readable } = require('stream');

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);

function show(value) {
  if (Buffer.isBuffer(value)) return `<${value.length} bytes>`;
  return value instanceof Error ? value.code || value.message : value;
}

function follow(name, stream) {
  for (const event of ['open', 'ready', 'data', 'end', 'close', 'error']) {
    stream.on(event, (...args) => {
      console.log(name, event, ...args.map((value) => (event === 'open' ? typeof value : show(value))));
    });
  }
  return new Promise((resolve) => stream.on('close', resolve));
}

(async () => {
  fs.writeFileSync('f', 'x'.repeat(150000));
  fs.writeFileSync('empty', '');
  let s = fs.createReadStream('f');
  console.log(s.pending, s.path, s.flags, s.mode, s.start, s.end, s.pos, s.fd, s.bytesRead, s.autoClose, s.closed);
  await follow('whole', s);
  console.log(s.bytesRead, s.pending, s.closed, s.destroyed, s.fd);
  await follow('empty', fs.createReadStream('empty'));
  await follow('none', fs.createReadStream('none'));
  s = fs.createReadStream('f', { start: 10, end: 20, encoding: 'utf8' });
  await follow('range', s);
  console.log(s.pos, s.bytesRead);
  await follow('small chunks', fs.createReadStream('f', { start: 140000, highWaterMark: 3000 }));
  s = fs.createReadStream('f', { end: 4, autoClose: false });
  s.on('end', () => {
    console.log('still open', s.fd > 0, s.destroyed);
    s.close();
  });
  await follow('autoClose false', s);
  let fd = fs.openSync('f');
  await follow('fd', fs.createReadStream(null, { fd, end: 9 }));
  try {
    fs.closeSync(fd);
  } catch (error) {
    console.log(error.code);
  }
  fd = fs.openSync('f');
  s = fs.createReadStream('unused', { fd, end: 9, autoClose: false, start: 3 });
  s.on('end', () => s.emit('close'));
  await follow('fd that stays', s);
  fs.closeSync(fd);
  s = fs.createReadStream('f');
  s.destroy();
  await follow('destroyed at once', s);
  s = fs.createReadStream('f');
  s.destroy(new Error('mine'));
  await follow('destroyed with an error', s);
  s = fs.createReadStream('f');
  s.on('data', () => s.destroy());
  await follow('destroyed in data', s);
  s = fs.createReadStream('f');
  s.on('open', () => s.destroy());
  await follow('destroyed in open', s);
  s = fs.createReadStream('f');
  s.on('end', () => s.destroy());
  await follow('destroyed in end', s);
  const controller = new AbortController();
  s = fs.createReadStream('f', { signal: controller.signal });
  s.once('data', () => controller.abort());
  await follow('aborted', s);
  s = fs.createReadStream('f', { signal: AbortSignal.abort() });
  s.on('error', (error) => console.log('aborted before', error.code));
  await new Promise((resolve) => s.on('close', resolve));
  await follow('a directory', fs.createReadStream(folder));
  s = new fs.ReadStream('f');
  console.log(s instanceof fs.ReadStream, s instanceof Readable, fs.ReadStream('f', { end: 1 }).destroy() instanceof fs.ReadStream);
  s.close((error) => console.log('close called back', show(error)));
  await follow('close()', s);
  let text = '';
  for await (const chunk of fs.createReadStream('f', { encoding: 'latin1', highWaterMark: 1000 })) text += chunk;
  console.log(text.length);
  for await (const chunk of fs.createReadStream('f')) {
    console.log('one chunk is enough', chunk.length);
    break;
  }
  fs.rmSync(folder, { recursive: true });
})();
