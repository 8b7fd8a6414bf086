'use strict';
// Blobs of files as parts of other blobs, in streams and messages.
const fs = require('fs');
const os = require('os');
const path = require('path');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'golden-'));
const at = (name) => path.join(dir, name);
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));

async function read(stream) {
  let text = '';
  for await (const chunk of stream) text += Buffer.from(chunk).toString();
  return text;
}
const fail = (error) => console.log(error.name, error.message);

(async () => {
  fs.writeFileSync(at('file'), '0123456789');
  fs.writeFileSync(at('empty'), '');
  const file = await fs.openAsBlob(at('file'), { type: 'Text/Plain' });
  const empty = fs.openAsBlobSync(at('empty'));
  console.log(file, file.constructor === Blob, empty.size);

  const all = new Blob(['<', file, empty, file.slice(2, 4), '>'], { type: 'a/b' });
  console.log(all.size, await all.text(), await read(all.stream()), (await all.bytes()).length);
  console.log(await all.slice(5, -2).text(), await read(all.slice(-6).stream()), await all.slice(3, 1).text());
  console.log(await file.slice(-3).slice(1).text());
  try {
    structuredClone(file);
  } catch (error) {
    console.log(error.code, error.message);
  }

  const reader = file.stream().getReader({ mode: 'byob' });
  console.log((await reader.read(new Uint8Array(4))).value, (await reader.read(new Uint8Array(100))).value.length);
  console.log((await reader.read(new Uint8Array(4))).done);

  fs.writeFileSync(at('file'), 'abc');
  fs.writeFileSync(at('empty'), 'abc');
  await all.text().catch(fail);
  await read(all.slice(1).stream()).catch(fail);
  await empty.text().catch(fail);
  await read(empty.stream()).catch(fail);
})();
