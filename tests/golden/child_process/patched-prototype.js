'use strict';
// Properties added to Object.prototype must not act as options of a child process.
const { exec, execFile, execFileSync, execSync, spawn, spawnSync } = require('node:child_process');

const here = `${process.cwd()}\n`;
const user = `${process.getuid()}\n`;

function say(name, expected) {
  return (error, out) => console.log(name, error === null ? String(out) === expected : error.code);
}
function both(property, value, file, args, expected) {
  Object.prototype[property] = value;
  try {
    const name = `${property} ${String(value)}`;
    const waits = [];
    waits.push(new Promise((resolve) => {
      exec([file, ...args].join(' '), (...results) => resolve(() => say(`${name} exec`, expected)(...results)));
    }));
    waits.push(new Promise((resolve) => {
      execFile(file, args, (...results) => resolve(() => say(`${name} execFile`, expected)(...results)));
    }));
    const child = spawn(file, args);
    waits.push(new Promise((resolve) => {
      child.stdout.on('data', (chunk) => resolve(() => console.log(`${name} spawn`, String(chunk) === expected)));
    }));
    console.log(`${name} execSync`, String(execSync([file, ...args].join(' '))) === expected);
    console.log(`${name} execFileSync`, String(execFileSync(file, args)) === expected);
    console.log(`${name} spawnSync`, String(spawnSync(file, args).stdout) === expected);
    return waits;
  } finally {
    delete Object.prototype[property];
  }
}

(async () => {
  for (const cwd of ['', '/', '/not/there', 42n]) {
    for (const result of await Promise.all(both('cwd', cwd, 'pwd', [], here))) result();
  }
  for (const uid of [1, 65534, 0n, 'x']) {
    for (const result of await Promise.all(both('uid', uid, 'id', ['-u'], user))) result();
  }
  for (const result of await Promise.all(both('shell', true, 'echo', ['a'], 'a\n'))) result();
})();
