'use strict';
// FileHandle.readableWebStream(): always a byte stream; closes its file if an option says so.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'golden-')), 'file');
fs.writeFileSync(file, 'x'.repeat(20000));
process.on('warning', (warning) => console.log('warning', warning.name, warning.message));

(async () => {
  for (const options of [undefined, {}, { autoClose: true }, { autoClose: false }, { type: 'text', autoClose: true }]) {
    const handle = await fs.promises.open(file);
    handle.on('close', () => console.log('closed'));
    const sizes = [];
    for await (const chunk of handle.readableWebStream(options)) sizes.push(chunk.constructor.name, chunk.length);
    await new Promise(setImmediate);
    await new Promise((resolve) => setTimeout(resolve, 20));
    console.log(options, sizes.join(), handle.fd === -1);
    await handle.close();
  }
  for (const autoClose of [true, false]) {
    const handle = await fs.promises.open(file);
    const stream = handle.readableWebStream({ autoClose });
    const reader = stream.getReader({ mode: 'byob' });
    const { value, done } = await reader.read(new Uint8Array(10));
    console.log(value.length, done);
    await reader.cancel('enough');
    console.log('cancelled', handle.fd === -1);
    await handle.close();
  }
  const handle = await fs.promises.open(file);
  for (const options of [null, 1, { autoClose: 1 }]) {
    try {
      handle.readableWebStream(options);
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
  await handle.close();
  try {
    handle.readableWebStream();
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
  await handle.stat().catch((error) => console.log(error.code, error.message, error.syscall));
  fs.rmSync(path.dirname(file), { recursive: true });
})();
