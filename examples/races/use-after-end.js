// Use after the end: the log is ended when the work should be done, and the last worker to finish still writes to it.
const fs = require('fs');
const os = require('os');
const path = require('path');

const file = path.join(os.tmpdir(), `log-${process.pid}`);
const log = fs.createWriteStream(file);
log.on('close', () => fs.rmSync(file, { force: true }));
fs.stat(__filename, () => {
  fs.readFile(__filename, (error, bytes) => log.write(`${bytes.length} bytes\n`));
});
setTimeout(() => log.end(), 100);
