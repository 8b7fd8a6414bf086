'use strict';
// Streams on functions of the program's own: the fs option, a patched fs, and an open() of their own.
const fs = require('fs');
const os = require('os');

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);
fs.writeFileSync('f', 'x'.repeat(1000));

function follow(name, stream) {
  for (const event of ['open', 'ready', 'data', 'end', 'finish', 'close', 'error']) {
    stream.on(event, (value) => console.log(name, event, value?.code ?? value?.length ?? typeof value));
  }
  return new Promise((resolve) => stream.on('close', resolve));
}

(async () => {
  const calls = [];
  let reads = 0;
  await follow('fs option', fs.createReadStream('any', {
    fs: {
      open(path, flags, mode, callback) {
        calls.push(['open', path, flags, mode]);
        setImmediate(callback, null, 42);
      },
      read(fd, buffer, offset, length, position, callback) {
        calls.push(['read', fd, offset, length, position]);
        buffer.fill('q');
        setImmediate(callback, null, reads++ < 3 ? 5 : 0, buffer);
      },
      close(fd, callback) {
        calls.push(['close', fd]);
        setImmediate(callback);
      },
    },
    start: 7,
  }));
  console.log(calls);

  const written = [];
  const w = fs.createWriteStream('any', {
    fs: {
      open(path, flags, mode, callback) {
        setImmediate(callback, null, 42);
      },
      // A part at a time, as the system may.
      write(fd, buffer, offset, length, position, callback) {
        written.push([length, position]);
        setImmediate(callback, null, Math.min(length, 4), buffer);
      },
      close(fd, callback) {
        setImmediate(callback);
      },
    },
    start: 10,
  });
  w.write('0123456789');
  w.end('ab');
  await follow('short writes', w);
  console.log(written, w.bytesWritten, w.pos);

  const { read } = fs;
  let patched = 0;
  fs.read = function (...args) {
    patched++;
    return read.apply(this, args);
  };
  await follow('patched read', fs.createReadStream('f', { highWaterMark: 400 }));
  fs.read = read;
  console.log(patched);

  class Mine extends fs.ReadStream {
    open() {
      fs.open(this.path, this.flags, this.mode, (error, fd) => {
        if (error) {
          this.emit('error', error);
          return;
        }
        this.fd = fd;
        this.emit('open', fd);
      });
    }
  }
  await follow('open() of its own', new Mine('f', { end: 2 }));
  await follow('which fails', new Mine('none'));

  // The old way to inherit.
  function Old(...args) {
    fs.ReadStream.apply(this, args);
  }
  require('util').inherits(Old, fs.ReadStream);
  await follow('inherits', new Old('f', { end: 9 }));

  const { ReadStream } = fs;
  fs.ReadStream = Mine;
  console.log(fs.createReadStream('f').on('error', () => {}).destroy() instanceof Mine);
  fs.ReadStream = ReadStream;
  console.log(fs.createReadStream('f').on('error', () => {}).destroy() instanceof Mine, fs.FileReadStream === fs.ReadStream);
  fs.rmSync(folder, { recursive: true });
})();
