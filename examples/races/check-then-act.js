// Check, then act: two workers take a lock by checking for its file and creating it. Between the check and the creation
// the other one can do the same.
const fs = require('fs/promises');
const os = require('os');
const path = require('path');
const lock = path.join(os.tmpdir(), `lock-${process.pid}`);
let holders = 0;

async function work() {
  try {
    await fs.access(lock);
    return; // The other one has it.
  } catch {
    await fs.writeFile(lock, 'taken');
  }
  if (++holders > 1) throw new Error('two workers hold the lock');
}

work();
setTimeout(work, 200);
process.on('exit', () => require('fs').rmSync(lock, { force: true }));
