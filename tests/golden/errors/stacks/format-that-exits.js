'use strict';
// process.exit() in Error.prepareStackTrace, which the report of an uncaught error calls: the process ends with that code.
const { spawnSync } = require('node:child_process');
const programs = [
  'throw new Error("thrown")',
  'queueMicrotask(() => { throw new Error("of a microtask"); })',
  'setTimeout(() => { throw new Error("of a timer"); })',
  'Promise.reject(new Error("of a promise"))',
  'process.on("uncaughtException", () => { throw new Error("of a handler"); }); throw new Error("thrown")',
];
for (const program of programs) {
  const source = `Error.prepareStackTrace = () => process.exit(9);\n${program}`;
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, ['-e', source], { encoding: 'utf8', timeout: 30_000 });
  console.log(status, signal, stdout, stderr);
}
