'use strict';
// Streams under changing conditions: files that shrink and grow, closed descriptors, full disks.
const fs = require('fs');
const os = require('os');
const { pipeline, finished } = require('stream/promises');

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);

async function attempt(name, run) {
  try {
    console.log(name, '->', await run());
  } catch (error) {
    console.log(name, '!!', error.name, error.code);
  }
}

async function count(stream, onFirst) {
  let bytes = 0;
  for await (const chunk of stream) {
    if (bytes === 0 && onFirst) onFirst();
    bytes += chunk.length;
  }
  return bytes;
}

(async () => {
  fs.writeFileSync('big', Buffer.alloc(2 ** 22));
  const shrunk = await count(fs.createReadStream('big'), () => fs.truncateSync('big', 0));
  console.log('shrinks', shrunk < 2 ** 22, shrunk % 65536);
  fs.writeFileSync('grows', Buffer.alloc(1000));
  console.log('grows', await count(fs.createReadStream('grows', { highWaterMark: 100 }), () => fs.appendFileSync('grows', 'more')));
  fs.writeFileSync('gone', Buffer.alloc(200000));
  console.log('is deleted', await count(fs.createReadStream('gone'), () => fs.unlinkSync('gone')));

  fs.writeFileSync('f', Buffer.alloc(2 ** 22));
  await attempt('descriptor closed', async () => {
    const stream = fs.createReadStream('f', { highWaterMark: 1 << 16 });
    return count(stream, () => {
      stream.pause();
      fs.closeSync(stream.fd);
    });
  });
  await attempt('descriptor closed under a writer', async () => {
    const stream = fs.createWriteStream('w');
    await new Promise((resolve) => stream.on('open', resolve));
    fs.closeSync(stream.fd);
    stream.end('x');
    await finished(stream);
  });
  await attempt('no descriptor at all', async () => count(fs.createReadStream('', { fd: 987654 })));
  await attempt('not a file', async () => count(fs.createReadStream('.')));
  await attempt('disk full', () => pipeline(fs.createReadStream('f'), fs.createWriteStream('/dev/full')));
  await attempt('source fails', () => pipeline(fs.createReadStream('none'), fs.createWriteStream('w2')));
  await attempt('target fails', () => pipeline(fs.createReadStream('f'), fs.createWriteStream('no/such')));

  // destroy() and abort() in every state.
  const states = {
    before: (stream, stop) => stop(),
    open: (stream, stop) => stream.on('open', stop),
    ready: (stream, stop) => stream.on('ready', stop),
    data: (stream, stop) => stream.once('data', stop),
    'after data': (stream, stop) => stream.once('data', () => setImmediate(stop)),
    end: (stream, stop) => stream.resume().on('end', stop),
    close: (stream, stop) => stream.resume().on('close', stop),
  };
  const descriptors = () => fs.readdirSync('/proc/self/fd').length;
  // Streams destroyed above are still closing, and those below will be closed later, by a thread.
  const rest = () => new Promise((resolve) => setTimeout(resolve, 50));
  await rest();
  const before = descriptors();
  for (const [state, arrange] of Object.entries(states)) {
    for (const how of ['destroy', 'destroy with an error', 'abort', 'close']) {
      const controller = new AbortController();
      const stream = fs.createReadStream('f', { end: 200000, signal: how === 'abort' ? controller.signal : undefined });
      const errors = [];
      stream.on('error', (error) => errors.push(error.name));
      const closed = new Promise((resolve) => stream.on('close', resolve));
      arrange(stream, () => {
        if (how === 'abort') controller.abort();
        else if (how === 'close') stream.close();
        else stream.destroy(how === 'destroy' ? undefined : new TypeError('mine'));
      });
      await closed;
      await new Promise(setImmediate);
      console.log(state, how, errors.join(), stream.destroyed, stream.fd);
    }
  }
  for (let i = 0; i < 100 && descriptors() > before; i++) await rest();
  console.log('descriptors left:', Math.max(descriptors() - before, 0));
  fs.rmSync(folder, { recursive: true });
})();
