'use strict';
// FileHandle: its streams, of Node and of the web, and its lines.
const fs = require('fs');
const os = require('os');
const fsp = fs.promises;

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);
fs.writeFileSync('lines', 'first\nsecond\r\n\nlast without an end');
fs.writeFileSync('big', 'x'.repeat(40000));

async function collect(stream) {
  let text = '';
  for await (const chunk of stream) text += Buffer.from(chunk).toString();
  return text;
}
function attempt(name, run) {
  try {
    run();
    console.log(name, 'is fine');
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

(async () => {
  let h = await fsp.open('lines');
  const lines = [];
  for await (const line of h.readLines()) lines.push(line);
  console.log(lines, h.fd);
  h = await fsp.open('lines');
  for await (const line of h.readLines({ start: 6, end: 9 })) console.log(line);
  h = await fsp.open('lines');
  for await (const line of h.readLines({ autoClose: false })) {
    console.log(line);
    break;
  }
  console.log(h.fd > 0);
  await h.close();

  h = await fsp.open('lines');
  console.log(JSON.stringify(await collect(h.readableWebStream())), h.fd > 0);
  attempt('locked', () => h.readableWebStream());
  await h.close();
  attempt('closed', () => h.readableWebStream());
  h = await fsp.open('big');
  console.log((await collect(h.readableWebStream({ type: 'bytes' }))).length);
  await h.close();
  h = await fsp.open('big');
  const reader = h.readableWebStream({ type: 'bytes' }).getReader({ mode: 'byob' });
  let bytes = 0;
  for (let part; !(part = await reader.read(new Uint8Array(7000))).done;) bytes += part.value.length;
  console.log(bytes);
  await h.close();
  h = await fsp.open('big');
  const ended = h.readableWebStream().getReader();
  h.close();
  console.log(await ended.read(), h.fd);

  // A handle that a stream uses is closed with it, and closing it closes the stream.
  h = await fsp.open('big');
  const events = [];
  h.on('close', () => events.push('handle'));
  let s = h.createReadStream({ end: 5 });
  s.on('close', () => events.push('stream'));
  s.resume();
  await new Promise((resolve) => s.on('close', resolve));
  console.log(events, h.fd);
  h = await fsp.open('big');
  s = h.createReadStream({ autoClose: false, end: 9 });
  console.log((await collect(s)).length, h.fd > 0);
  await h.close();
  console.log(h.fd, s.destroyed);
  h = await fsp.open('big');
  s = h.createReadStream();
  s.on('close', () => console.log('closed with the handle', s.destroyed));
  await new Promise(setImmediate);
  h.close();
  await new Promise((resolve) => s.on('close', resolve));

  h = await fsp.open('out', 'w');
  const w = h.createWriteStream({ start: 3, encoding: 'utf8' });
  w.write('def');
  w.end('ghi');
  await new Promise((resolve) => w.on('close', resolve));
  console.log(fs.readFileSync('out'), w.bytesWritten, h.fd);
  h = await fsp.open('out');
  attempt('handle with fs', () => fs.createReadStream('', { fd: h, fs: {} }));
  console.log((await collect(fs.createReadStream(null, { fd: h, start: 3 }))), h.fd);
  fs.rmSync(folder, { recursive: true });
})();
