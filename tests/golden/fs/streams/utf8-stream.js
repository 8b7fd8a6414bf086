// fs.Utf8Stream: what goes out when, events, and errors.
'use strict';
const fs = require('fs');
const { once } = require('events');
const path = require('path');

const folder = fs.mkdtempSync(path.join(require('os').tmpdir(), 'utf8-stream-'));
const at = (name) => path.join(folder, name);
const text = (name) => fs.readFileSync(at(name), 'utf8');

function watched(options) {
  const stream = new fs.Utf8Stream(options);
  const seen = [];
  for (const name of ['ready', 'write', 'drain', 'drop', 'finish', 'close']) {
    stream.on(name, (value) => seen.push(value === undefined ? name : `${name} ${value}`));
  }
  stream.on('error', (error) => seen.push(`error ${error.code}`));
  return { stream, seen };
}

async function plain() {
  const { stream, seen } = watched({ dest: at('plain'), mode: 0o600 });
  console.log(stream.write('one '), stream.write('zwei ü '), stream.fd, stream.writing);
  stream.end();
  await once(stream, 'close');
  console.log(seen.join(', '), '|', text('plain'), (fs.statSync(at('plain')).mode & 0o777).toString(8));
  for (const call of [() => stream.write('x'), () => stream.end(), () => stream.flushSync(), () => stream.reopen()]) {
    try { call(); } catch (error) { console.log(error.code, error.message); }
  }
  stream.flush((error) => console.log('flush', error.message));
  stream.destroy();
}

async function held() {
  const { stream, seen } = watched({ dest: at('held'), minLength: 10, append: false });
  await once(stream, 'ready');
  stream.write('12345');
  console.log('held', JSON.stringify(text('held')));
  await new Promise((resolve, reject) => stream.flush((error) => (error ? reject(error) : resolve())));
  console.log('flushed', JSON.stringify(text('held')));
  stream.write('67');
  stream.flushSync();
  console.log('flushed at once', JSON.stringify(text('held')));
  stream.write('8');
  stream.end();
  await once(stream, 'close');
  console.log(seen.join(', '), '|', text('held'));
}

async function atOnce() {
  const { stream, seen } = watched({ dest: at('a/b/sync'), sync: true, mkdir: true, maxLength: 6, minLength: 5, fsync: true });
  console.log(stream.write('abc'), stream.write('too long'), stream.write('def'), text('a/b/sync'));
  await once(stream, 'drain');
  stream.end();
  await once(stream, 'close');
  console.log(seen.join(', '));
  try {
    new fs.Utf8Stream({ dest: at('none/x'), sync: true });
  } catch (error) {
    console.log(error.code);
  }
  const late = watched({ dest: at('none/x') });
  await new Promise((resolve) => late.stream.on('error', resolve));
  console.log(late.seen.join(', '));
}

async function bytes() {
  const fd = fs.openSync(at('bytes'), 'w');
  const { stream, seen } = watched({ fd, contentMode: 'buffer', maxWrite: 4 });
  for (const part of ['ab', 'cd', 'ef', 'gh']) stream.write(Buffer.from(part));
  try { stream.write('text'); } catch (error) { console.log(error.message); }
  try { stream.reopen(); } catch (error) { console.log(error.code, error.message); }
  stream.end();
  await once(stream, 'close');
  console.log(seen.join(', '), '|', text('bytes'), stream.contentMode, stream.file);
}

async function reopened() {
  const { stream, seen } = watched({ dest: at('log') });
  await once(stream, 'ready');
  stream.write('before\n');
  await once(stream, 'drain');
  fs.renameSync(at('log'), at('log.1'));
  stream.reopen();
  await once(stream, 'ready');
  stream.write('after\n');
  await once(stream, 'drain');
  stream.reopen(at('other'));
  await once(stream, 'ready');
  stream.end();
  await once(stream, 'close');
  console.log(seen.join(', '), '|', JSON.stringify([text('log.1'), text('log'), text('other')]), path.basename(stream.file));
}

async function pieces() {
  // A file that takes three bytes at a time, and is busy once.
  let busy = true;
  const tried = [];
  const { stream } = watched({
    dest: at('pieces'),
    retryEAGAIN(error, ...lengths) { tried.push(error.code, ...lengths); return true; },
    fs: {
      write(fd, data, encoding, callback) {
        if (busy) {
          busy = false;
          process.nextTick(callback, Object.assign(new Error('busy'), { code: 'EAGAIN' }));
          return;
        }
        fs.write(fd, Buffer.from(data).subarray(0, 3), (error, written) => callback(error, written));
      },
    },
  });
  stream.write('abcdefgh');
  stream.end();
  await once(stream, 'close');
  console.log(tried.join(), text('pieces'));
}

function misuse() {
  for (const options of [undefined, null, {}, { fd: {} }, { dest: 'x', minLength: -1 }, { dest: 'x', sync: 1 },
    { dest: 'x', contentMode: 'hex' }, { fd: 1, minLength: 9, maxWrite: 9 }, { dest: 'x', fs: { write: 1 } },
    { dest: 'x', retryEAGAIN: 1 }, { dest: 'x', fs: 1 }]) {
    try {
      new fs.Utf8Stream(options);
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
}

(async () => {
  for (const part of [plain, held, atOnce, bytes, reopened, pieces, misuse]) {
    console.log(`--- ${part.name}`);
    await part();
  }
  fs.rmSync(folder, { recursive: true });
})();
