'use strict';
// fs.promises.watch(): changes as an async iterator.
const fs = require('fs');
const os = require('os');

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);

(async () => {
  for (const options of [{}, { recursive: true }]) {
    const controller = new AbortController();
    setTimeout(() => fs.writeFileSync('a', ''), 30);
    try {
      for await (const change of fs.promises.watch('.', { signal: controller.signal, ...options })) {
        console.log(Object.keys(change), change.filename, typeof change.eventType);
        controller.abort();
      }
      console.log('ended');
    } catch (error) {
      console.log(error.name, error.code, error.message, error.cause?.name);
    }
    fs.unlinkSync('a');
    await new Promise((resolve) => setTimeout(resolve, 30));
    setTimeout(() => fs.writeFileSync('b', ''), 30);
    for await (const change of fs.promises.watch('.', options)) {
      console.log(change.filename);
      break;
    }
    fs.unlinkSync('b');
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  const watcher = fs.promises.watch('.', { signal: AbortSignal.abort() });
  await watcher.next().catch((error) => console.log(error.name));
  await fs.promises.watch('none').next().catch((error) => console.log(error.message, error.filename));
  fs.rmSync(folder, { recursive: true });
})();
