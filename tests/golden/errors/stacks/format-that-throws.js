'use strict';
// Error.prepareStackTrace throws while an uncaught error is reported: its name and message are shown, and the exit code is 1.
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stack-format-'));
fs.writeFileSync(path.join(folder, 'syntax.js'), 'let a = = 1;');
fs.writeFileSync(path.join(folder, 'syntax.mjs'), 'let a = = 1;');

const programs = [
  'throw new TypeError("thrown")',
  'queueMicrotask(() => { throw new RangeError("of a microtask"); })',
  'setTimeout(() => { throw new Error("of a timer"); })',
  'Promise.reject(new Error("of a promise"))',
  'require("./syntax.js")',
  'import("./syntax.js").catch((error) => { throw error; })',
  'import("./syntax.mjs").catch((error) => { console.log(error.name); process.exitCode = 1; })',
  'process.on("uncaughtException", (error) => { console.log(error.message); process.exitCode = 1; }); throw new Error("handled")',
];
for (const program of programs) {
  const source = `Error.prepareStackTrace = () => { throw new Error('of prepareStackTrace'); };\n${program}`;
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, ['-e', source], { cwd: folder, encoding: 'utf8' });
  console.log(status, signal, stdout, /^\w*Error: .*/m.exec(stderr)?.[0]);
}
fs.rmSync(folder, { recursive: true });
