'use strict';
// Errors of fs.promises show which async functions waited for them.
const fs = require('fs');
const { open, stat, mkdir, rename, readdir } = fs.promises;

async function inner(fn) {
  await fn();
}
async function outer(fn) {
  await inner(fn);
}
const frames = (error) => error.stack.split('\n').filter((line) => line.includes(__filename))
  .map((line) => line.trim().replace(/ \(?\/.*/, '')).join(', ');

(async () => {
  const missing = `${__dirname}/there-is-no/file`;
  for (const fn of [
    () => stat(missing), () => open(missing), () => mkdir(missing),
    () => rename(missing, missing), () => readdir(missing), () => fs.promises.access(missing),
  ]) await outer(fn).catch((error) => console.log(error.code, error.syscall, frames(error)));
  const handle = await open(__filename);
  await outer(() => handle.write('x')).catch((error) => console.log(error.code, frames(error)));
  await outer(() => handle.read('x')).catch((error) => console.log(error.code, frames(error).includes('inner')));
  await handle.close();
  await outer(() => handle.read(Buffer.alloc(1))).catch((error) => console.log(error.code, error.message));
  await outer(() => handle.stat.call({})).catch((error) => console.log(error.code, error.message.split('\n')[0]));
})();
