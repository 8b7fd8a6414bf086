'use strict';
// fuzz.js SEED CALLS [LOG]: calls every function of every public module and global with random arguments, as a
// function, as a method and as a constructor. Exceptions are expected; the process must survive. With LOG the name of
// each call is written to stderr before it is made. Ends with 42 when done.
const { makeRandom, makeValue } = require('./values.js');
const { builtinModules } = require('module');

const seed = +process.argv[2];
const calls = +process.argv[3];
const isLogged = process.argv[4] !== undefined;
const random = makeRandom(seed);
const exit = process.exit.bind(process);
const write = process.stderr.write.bind(process.stderr);
const { setImmediate: later, clearTimeout: stop, clearImmediate: stopImmediate } = globalThis;

// Modules that affect more than this process, or would end it.
const leftOut =
  /^(?:_|fs|child_process|cluster|worker_threads|repl|inspector|v8|vm|wasi|tty|net|dgram|dns|http|https|http2|tls|test|readline|trace_events|sys$|perf_hooks$)/;
// Functions that end, stop or change the process itself, or this program.
const never = new RegExp(`(?:^|\\.)(?:${[
  'exit', 'reallyExit', 'abort', 'kill', '_kill', 'chdir', 'dlopen', '_debugProcess', '_debugEnd',
  '_startProfilerIdleNotifier', 'umask', 'set(?:e?uid|e?gid|groups)', 'initgroups',
  '(?:add|set)UncaughtExceptionCaptureCallback', '_fatalException',
  'runMain', 'setPriority', 'binding', '_linkedBinding', 'openStdin', 'std(?:in|out|err)', 'mainModule', '_events',
  'moduleLoadList', 'loadEnvFile',
  'queueMicrotask\\.call', 'setSourceMapsEnabled', '_rawDebug', '_tickCallback', 'registerHooks', 'register',
  'wrapSafe', '_cache', '_pathCache',
  'domain', 'generatePrime(?:Sync)?', // A prime of many bits takes minutes.
].join('|')})(?:$|\\.)`);
const language = new Set();
for (const name of ['Object', 'Function', 'Array', 'Number', 'parseFloat', 'parseInt', 'Boolean', 'String', 'Symbol',
  'Date', 'Promise', 'RegExp', 'Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError',
  'TypeError', 'URIError',
  'globalThis', 'JSON', 'Math', 'Intl', 'ArrayBuffer', 'Atomics', 'Uint8Array', 'Int8Array', 'Uint16Array',
  'Int16Array', 'Uint32Array', 'Int32Array',
  'Float32Array', 'Float64Array', 'Uint8ClampedArray', 'BigUint64Array', 'BigInt64Array', 'DataView', 'Map', 'BigInt',
  'Set', 'WeakMap', 'WeakSet',
  'WeakRef', 'Proxy', 'Reflect', 'FinalizationRegistry', 'SharedArrayBuffer', 'decodeURI', 'decodeURIComponent',
  'encodeURI', 'encodeURIComponent',
  'escape', 'unescape', 'eval',
  'isFinite', 'isNaN', 'WebAssembly', 'global', 'process', 'fetch', 'Iterator']) language.add(name);

const found = []; // { path, call, owner }
const seen = new Set();
const deepest = 4;

function collect(value, path, owner, depth) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || never.test(path)) return;
  if (typeof value === 'function') found.push({ path, call: value, owner });
  if (seen.has(value) || depth > deepest) return;
  seen.add(value);
  for (const key of Reflect.ownKeys(value)) {
    const name = `${path}.${String(key)}`;
    if (key === 'constructor' || key === 'caller' || key === 'callee' || key === 'arguments' || never.test(name)) {
      continue;
    }
    const descriptor = Reflect.getOwnPropertyDescriptor(value, key);
    if (descriptor.get) found.push({ path: `get ${name}`, call: descriptor.get, owner: value });
    if (descriptor.set) found.push({ path: `set ${name}`, call: descriptor.set, owner: value });
    if ('value' in descriptor) collect(descriptor.value, name, value, depth + 1);
  }
}

for (const own of [Object.prototype, Function.prototype, Array.prototype, Error.prototype, Error, Promise.prototype,
  globalThis,
  Uint8Array.prototype, Object.getPrototypeOf(Uint8Array.prototype)]) {
  seen.add(own);
}
for (const id of builtinModules.filter((name) => !leftOut.test(name)).sort()) collect(require(id), id, undefined, 0);
for (const name of Object.getOwnPropertyNames(globalThis).sort()) {
  if (!language.has(name)) collect(globalThis[name], name, globalThis, 0);
}

function guard(error) {
  if (isLogged) write(`later: ${typeof error}\n`);
}

function stand() {
  // Calls may have removed our listeners.
  if (!process.listeners('uncaughtException').includes(guard)) process.on('uncaughtException', guard);
  if (!process.listeners('unhandledRejection').includes(guard)) process.on('unhandledRejection', guard);
}

function receiverOf({ owner }) {
  if (random(3) === 0) return makeValue(random);
  if (owner !== undefined && random(4) === 0 && typeof owner.constructor === 'function') {
    try {
      return new owner.constructor(makeValue(random));
    } catch {
      return owner;
    }
  }
  return owner;
}

function callOne() {
  const target = found[random(found.length)];
  const args = [];
  for (let count = [0, 1, 1, 2, 2, 3, 3, 4, 5][random(9)]; count > 0; count--) args.push(makeValue(random));
  const isNew = random(4) === 0;
  if (isLogged) write(`${isNew ? 'new ' : ''}${target.path} with ${args.map((arg) => typeof arg).join(', ')}\n`);
  let result;
  try {
    result = isNew ? Reflect.construct(target.call, args) : Reflect.apply(target.call, receiverOf(target), args);
    if (typeof result === 'object' && result !== null) {
      if (typeof result.hasRef === 'function') {
        stop(result);
        stopImmediate(result);
      } else if (random(2) === 0) {
        result = result instanceof Promise ? result.catch(() => {}) : String(result);
      }
    }
  } catch {
    // Expected.
  }
}

let done = 0;
function batch() {
  for (let i = 0; i < 50 && done < calls; i++, done++) {
    callOne();
    stand();
  }
  if (done < calls) later(batch);
  else exit(42);
}
stand();
if (isLogged) write(`${found.length} functions\n`);
later(batch);
