'use strict';
// Parts of process that programs look at, replace or set: flags of the environment, _kill, _fatalException, title, env.
const { spawnSync } = require('child_process');

// allowedNodeEnvironmentFlags is an immutable set that accepts several spellings.
const { get, set, enumerable, configurable } = Object.getOwnPropertyDescriptor(process, 'allowedNodeEnvironmentFlags');
console.log(typeof get, typeof set, enumerable, configurable);
const flags = process.allowedNodeEnvironmentFlags;
for (const flag of [
  '--perf_basic_prof', '--perf-basic-prof', 'perf-basic-prof', '--perf_basic-prof', '-r', 'r', '--stack-trace-limit=100',
  '--stack-trace-limit=-=x_x=-', '--no-warnings', '--warnings', '--r', '-R', '---warnings', '--cheeseburgers', '--NO-WARNINGS', 7,
  undefined,
]) console.log(flag, flags.has(flag));
console.log(flags instanceof Set, Object.isFrozen(flags), flags.constructor.name);
const { size } = flags;
console.log(flags.add('foo') === flags, flags.delete('-r'), flags.clear());
Set.prototype.add.call(flags, 'foo');
console.log(flags.has('foo'), flags.has('-r'), flags.size === size, [...flags.values()].includes('--require'));
const self = {};
let visits = 0;
flags.forEach(function(flag, again, set) {
  if (this === self && flag === again && set === flags && /^--?[a-zA-Z0-9._-]+$/.test(flag)) visits++;
}, self);
console.log(visits === size);
// kill() goes through _kill.
const kill = process._kill;
process._kill = (pid, signal) => { console.log('kill', pid, signal); };
process.kill(0, 'SIGHUP');
process.kill('-1', 15);
process.kill(5);
process._kill = () => -22;
try {
  process.kill(1, 0);
} catch (error) {
  console.log(error.message, error.code, error.errno, error.syscall);
}
process._kill = kill;

console.log(process.config.variables.node_module_version, process.constrainedMemory() >= 0, process.availableMemory() > 0);
process.title = 'a title of more than fifteen bytes'.slice(0, 12);
console.log(process.title);

function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const warnings = stderr.split('\n').filter((line) => line.startsWith('(node:')).map((line) => line.replace(/\d+/, 'PID'));
  console.log(status, JSON.stringify(stdout), warnings);
}
run('-p', 'process.title === process.execPath', 'x');
run('-e', 'process._fatalException = undefined; process.on("exit", () => console.log("exit")); throw new Error("x")');
run('-e', 'process._fatalException = (error) => { console.log(error.message); return true; }; throw new Error("x")');
run('-e', 'process.on("uncaughtException", () => { throw new Error("y"); }); throw new Error("x")');

const setEnv = 'process.env.A = "a"; process.env.B = 1; process.env.C = true; process.env.D = undefined; process.env.E = null; console.log(process.env.D)';
run('-e', setEnv);
run('--pending-deprecation', '-e', setEnv);

// A rejection that is handled late.
const late = 'const p = Promise.reject("why"); setImmediate(() => p.catch(() => {}));';
run('-e', `process.on("unhandledRejection", () => {}); ${late}`);
run('-e', `process.on("unhandledRejection", () => {}); process.on("rejectionHandled", () => console.log("handled")); ${late}`);
run('--unhandled-rejections=warn', '-e', late);
run('--unhandled-rejections=warn', '-e', 'Promise.reject({ a: 1 }); Promise.reject(Symbol("s")); Promise.reject(42)');
run('--no-extra-info-on-fatal-exception', '-e', 'throw new Error("x")');
