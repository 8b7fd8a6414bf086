// A timeout against a completion: after a while the defaults are used, and the settings that were read later replace
// them unnoticed.
const fs = require('fs/promises');

let settings;
async function load() {
  settings = { from: await fs.readFile(__filename, 'utf8').then(() => 'the file') };
}

async function main() {
  const timer = new Promise((resolve) => setTimeout(resolve, 200, 'timeout').unref());
  const loading = load();
  if (await Promise.race([loading, timer]) === 'timeout') settings ??= { from: 'the defaults' };
  const used = settings.from;
  await loading;
  if (settings.from !== used) throw new Error(`began with ${used}, goes on with ${settings.from}`);
}

main();
