'use strict';
// A signal is looked at between two jobs of an operation, and the file is closed by another job: with a pool of one a chain
// of stat() shows when.
process.env.UV_THREADPOOL_SIZE = '1';
const fs = require('fs');
const os = require('os');
const path = require('path');

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'fs-02-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true }));
const at = (name) => path.join(dir, name);
fs.writeFileSync(at('small'), 'x');
fs.writeFileSync(at('large'), Buffer.alloc(3e6));

const operations = {
  'promises.readFile': (signal) => fs.promises.readFile(at('large'), { signal }),
  'promises.writeFile': (signal) => fs.promises.writeFile(at('written'), Buffer.alloc(3e6), { signal }),
  'promises.writeFile of an iterable': (signal) => fs.promises.writeFile(at('written'), ['a', 'b'], { signal }),
  'FileHandle, readFile': async (signal) => {
    const handle = await fs.promises.open(at('small'));
    try {
      await handle.readFile({ signal });
    } finally {
      await handle.close();
    }
  },
};
const moments = {
  'at once': (controller) => controller.abort(),
  'in a tick': (controller) => process.nextTick(() => controller.abort()),
  'in a callback': (controller) => fs.stat('/', () => controller.abort()),
};

async function run(title, start, abort) {
  const controller = new AbortController();
  const seen = [];
  let isOver = false;
  const settled = start(controller.signal).then(() => seen.push('done'), (error) => seen.push(error.name));
  settled.then(() => {
    isOver = true;
  });
  abort(controller);
  process.nextTick(() => seen.push('tick'));
  await new Promise((resolve) => {
    (function chain() {
      fs.stat('/', () => {
        if (isOver) return resolve();
        seen.push('stat');
        chain();
      });
    })();
  });
  console.log(`${title}: ${seen.join(' ')}`);
}

(async () => {
  for (const [name, start] of Object.entries(operations)) {
    for (const [moment, abort] of Object.entries(moments)) await run(`${name}, ${moment}`, start, abort);
  }
})();
