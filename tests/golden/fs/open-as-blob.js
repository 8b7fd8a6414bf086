'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'golden-'));
const at = (name) => path.join(dir, name);
const plain = (text) => String(text).split(dir).join('DIR');
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
function attempt(name, fn) {
  try {
    const value = fn();
    console.log(name, '->', typeof value === 'string' ? plain(value) : value);
  } catch (error) {
    console.log(name, error.name, error.code, plain(error.message));
  }
}

(async () => {
  fs.writeFileSync(at('file'), 'hello blob');
  const blob = await fs.openAsBlob(at('file'), { type: 'text/plain' });
  console.log(blob instanceof Blob, blob.size, blob.type, await blob.text());
  console.log(await blob.slice(2, 5).text(), await blob.slice(-4).text(), blob.slice(1, 3, 'a/b').type, blob.slice(4, 2).size);
  console.log(new Uint8Array(await blob.arrayBuffer()));
  for await (const chunk of blob.stream()) console.log(chunk);
  fs.writeFileSync(at('file'), 'something else');
  await blob.text().catch((error) => console.log(error.name, error.message, error instanceof DOMException));
  fs.writeFileSync(at('empty'), '');
  console.log(JSON.stringify(await (await fs.openAsBlob(at('empty'))).text()));
  fs.writeFileSync(at('large'), Buffer.alloc(200000, 'ab'));
  const large = await fs.openAsBlob(at('large'));
  let size = 0;
  for await (const chunk of large.stream()) size += chunk.length;
  console.log(size, (await large.slice(99999, 100003).text()));
})();
