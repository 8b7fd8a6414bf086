// A stack that overflows inside of promise hooks is an ordinary RangeError of the code that used it up; a rejection that
// could not be noted for lack of stack is printed.
'use strict';
const { spawnSync } = require('child_process');

if (process.argv[2] === 'catch') {
  require('async_hooks').createHook({ init() {}, before() {}, after() {}, destroy() {}, promiseResolve() {} }).enable();
  const run = (depth) => {
    new Promise((resolve) => resolve());
    return run(depth + 1);
  };
  try {
    run(0);
  } catch (error) {
    console.log(error.name, error.message);
  }
} else if (process.argv[2] === 'reject') {
  (async function fn() {
    fn();
    throw new Error('x');
  })();
} else {
  const { stdout, status } = spawnSync(process.execPath, [__filename, 'catch'], { encoding: 'utf8' });
  console.log(status, stdout);
  const rejected = spawnSync(process.execPath, ['--unhandled-rejections=none', '--stack-size=150', __filename, 'reject'],
                             { encoding: 'utf8', maxBuffer: Infinity });
  console.log(rejected.status, rejected.stderr.includes('RangeError: Maximum call stack size exceeded'));
}
