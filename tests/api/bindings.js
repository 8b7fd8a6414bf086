'use strict';
// bindings.js SEED CALLS [LOG]: calls the functions of every native binding with random arguments, unlike lib.
// Exceptions are expected; the process must survive. Ends with 42 when done.
const { makeRandom, makeValue } = require('./values.js');
const { internalBinding, bindingNames } = require('internal/test/binding');

const seed = +process.argv[2];
const calls = +process.argv[3];
const isLogged = process.argv[4] !== undefined;
const random = makeRandom(seed);
const exit = process.exit.bind(process);
const write = process.stderr.write.bind(process.stderr);
const { setImmediate: later } = globalThis;

// Functions that end or change the process, other processes, or this program: by binding, and by function. Numbers mean
// descriptors and processes there, and random ones would be valid.
const leftOut = /^(?:child_process|worker|inspector|dns)/;
const never = new RegExp(`^(?:${[
  'process\\.(?:exit|reallyExit|abort|kill|chdir|umask|set|initgroups|dlopen|raise|crash)',
  'credentials\\.(?:set|init)', 'fs\\.(?:read|readv|sendfile|write.*|close|open|f[a-z]+)$', '[^.]*\\.open$',
  'v8\\.(?:setFlags|heapSnapshot)', '[^.]*\\.setHooks', 'task_queue\\.', 'timers\\.', 'signals\\.', 'stdio\\.write',
  'stdin\\.', 'os\\.setPriority', 'errors\\.trigger',
  'async_context\\.', '[^.]*\\.(?:closeDescriptor|kill|exit|abort|terminate)',
  'crypto_prime\\.generate', 'crypto_keygen\\.(?:rsa|dsa|dh)', 'crypto_dh\\.create', // Many bits take minutes.
].join('|')})`, 'i');

const found = [];
for (const name of bindingNames) {
  if (leftOut.test(name)) continue;
  const binding = internalBinding(name);
  for (const key of Object.keys(binding)) {
    const path = `${name}.${key}`;
    if (typeof binding[key] === 'function' && !never.test(path)) found.push({ path, call: binding[key], binding });
  }
}

process.on('uncaughtException', (error) => { if (isLogged) write(`later: ${typeof error}\n`); });
process.on('unhandledRejection', () => {});

// Results of bindings: other functions take the opaque objects among them.
const made = [];
function value() {
  return made.length > 0 && random(6) === 0 ? made[random(made.length)] : makeValue(random);
}

function callOne() {
  const { path, call, binding } = found[random(found.length)];
  const args = [];
  for (let count = random(7); count > 0; count--) args.push(value());
  if (isLogged) write(`${path} with ${args.map((arg) => typeof arg).join(', ')}\n`);
  try {
    const result = Reflect.apply(call, random(4) === 0 ? value() : binding, args);
    if (typeof result === 'object' && result !== null) made[random(100)] = result;
  } catch {
    // Expected.
  }
}

let done = 0;
function batch() {
  for (let i = 0; i < 50 && done < calls; i++, done++) callOne();
  if (done < calls) later(batch);
  else exit(42);
}
if (isLogged) write(`${found.length} functions\n`);
later(batch);
