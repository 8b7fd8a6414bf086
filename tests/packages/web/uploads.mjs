// multer takes a form apart: files in memory and on disk, its limits, and forms that end too early.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import express from 'express';
import multer from 'multer';

const app = express();
const inMemory = multer({ storage: multer.memoryStorage(), limits: { fileSize: 100_000, files: 3 } });
const onDisk = multer({ dest: 'uploads' });
const describe = (file) => [file.fieldname, file.originalname, file.mimetype, file.size];
app.post('/memory', inMemory.array('file'), (request, response) => {
  response.json({ files: request.files.map(describe), fields: request.body,
    text: request.files.map(({ buffer }) => buffer.toString('utf8', 0, 10)) });
});
app.post('/disk', onDisk.fields([{ name: 'a', maxCount: 1 }, { name: 'b' }]), (request, response) => {
  const files = Object.values(request.files).flat();
  const same = files.map((file) => readFileSync(file.path).equals(sent.get(file.originalname)));
  response.json({ files: files.map(describe), same });
});
app.use((error, request, response, next) => {
  if (!response.destroyed) response.status(400).json({ code: error.code, message: error.message, field: error.field });
  if (!error.code) aborted.resolve(error.message);
});
const aborted = Promise.withResolvers();
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address();

const sent = new Map();
function form(...entries) {
  const data = new FormData();
  for (const [name, value, file] of entries) {
    if (file === undefined) data.append(name, value);
    else data.append(name, new Blob([value], { type: 'text/x-test' }), file);
    if (file !== undefined) sent.set(file, Buffer.from(value));
  }
  return data;
}
async function send(path, body) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body });
  console.log(path, response.status, await response.text());
}
await send('/memory', form(['text', 'äöü'], ['list[0]', '1'], ['list[1]', '2'], ['file', 'hello', 'ä b.txt'],
  ['file', '', 'empty']));
await send('/memory', form(['file', 'x'.repeat(100_001), 'large']));
await send('/memory', form(['other', 'x', 'other']));
await send('/memory', form(...Array.from({ length: 4 }, (_, i) => ['file', 'x', `${i}`])));
await send('/disk', form(['a', randomBytes(3_000_000), 'big'], ['b', randomBytes(70_000), 'one'],
  ['b', randomBytes(1), 'two']));
await send('/disk', form(['a', '1', '1'], ['a', '2', '2']));
const socket = connect(port, '127.0.0.1');
socket.end('POST /memory HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=xx\r\n' +
  'Content-Length: 1000\r\n\r\n' +
  '--xx\r\nContent-Disposition: form-data; name="file"; filename="cut"\r\n\r\nhalf');
socket.resume();
await once(socket, 'close');
console.log('cut short:', await aborted.promise);
await new Promise((resolve) => server.close(resolve));
console.log(readdirSync('uploads').length);
rmSync('uploads', { recursive: true });
