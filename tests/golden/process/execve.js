'use strict';
// process.execve(): another program in the place of this one, with its arguments and environment.
const { spawnSync } = require('node:child_process');
const { Worker } = require('node:worker_threads');

const run = (code) => {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', '-e', code], { encoding: 'utf8' });
  console.log(status, signal, JSON.stringify(stdout), JSON.stringify(stderr));
};
run('process.stdout.write("before "); process.execve("/bin/sh", ["sh", "-c", "echo $A $0"], { A: "a" });');
run('process.on("exit", () => console.log("never")); process.execve(process.execPath, ["x", "-p", "process.argv0"]);');
run('try { process.execve("/none", []) } catch (e) { console.log(e.code, e.errno, e.syscall, e.path, e.message) }');

process.removeAllListeners('warning');
for (const args of [[], [1], ['/bin/true', 1], ['/bin/true', [1]], ['/bin/true', ['a\0']], ['/bin/true', [], 1],
                    ['/bin/true', [], { a: 1 }], ['/bin/true', [], { 'a\0': 'x' }]]) {
  try {
    process.execve(...args);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
new Worker('try { process.execve("/bin/true") } catch (e) { console.log(e.code, e.message) }', { eval: true, execArgv: ['--no-warnings'] });
