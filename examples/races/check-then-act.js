// Check, then act: two workers take a lock by looking for its file and making it. Between the look and the making there is
// time for the other one.
const fs = require('fs/promises');
const os = require('os');
const path = require('path');
const lock = path.join(os.tmpdir(), `lock-${process.pid}`);
let holders = 0;

async function work() {
  try {
    await fs.access(lock);
    return; // Somebody else has it.
  } catch {
    await fs.writeFile(lock, 'taken');
  }
  if (++holders > 1) throw new Error('two workers hold the lock');
}

work();
setTimeout(work, 200);
process.on('exit', () => require('fs').rmSync(lock, { force: true }));
