'use strict';
// fs.promises: what its functions say to wrong arguments, as rejections and never as exceptions.
const fs = require('fs');
const fsp = fs.promises;

const wrong = [undefined, null, 3, {}, true, 'a\0b', Symbol('s'), [], new URL('http://example.org/')];

(async () => {
  for (const name of Object.keys(fsp).sort()) {
    if (name === 'constants' || name === 'watch') continue;
    for (const value of wrong) {
      if (value === null && name === 'lchmod') continue;
      let promise;
      try {
        promise = fsp[name](value);
      } catch (error) {
        console.log(name, 'throws', error.code);
        continue;
      }
      try {
        await promise;
        console.log(name, typeof value, 'is fine');
      } catch (error) {
        console.log(name, error.name, error.code, error.message);
      }
    }
  }
  const more = [
    ['access', '.', 'x'], ['access', '.', 99], ['copyFile', 'a'], ['copyFile', 'a', 3], ['copyFile', 'a', 'b', 'x'],
    ['rename', 'a'], ['rename', 'a', 3], ['link', 'a', 3], ['symlink', 'a', 3], ['symlink', 'a', 'b', 'zz'],
    ['truncate', '.', 'x'], ['truncate', '.', 1.5], ['chmod', '.'], ['chmod', '.', 'x'], ['chmod', '.', -1],
    ['chown', '.', 1.5, 1], ['chown', '.', 1, 'x'], ['lchown', '.', 2 ** 33, 1], ['utimes', '.', 'x', 1], ['utimes', '.', 1, {}],
    ['lutimes', '.', {}, 1], ['mkdir', '.', { recursive: 3 }], ['mkdir', 'q', { mode: 'zz' }], ['mkdir', 'q', 'zz'],
    ['readdir', '.', 3], ['readdir', '.', 'bogus'], ['readdir', '.', { recursive: 3 }], ['readlink', '.', 'bogus'],
    ['realpath', '.', 'bogus'], ['mkdtemp', 'x', 'bogus'], ['rmdir', '.', { recursive: 3 }],
    ['rm', '.', { force: 3 }], ['rm', '.', { maxRetries: 1.5 }], ['open', '.', 'zz'], ['open', '.', {}], ['open', '.', 'r', 'zz'],
    ['readFile', '.', 'bogus'], ['readFile', '.', 3], ['readFile', '.', { flag: 'zz' }], ['readFile', '.', { signal: {} }],
    ['writeFile', '.', 3], ['writeFile', '.'], ['writeFile', '.', 'x', { flush: 3 }], ['writeFile', '.', 'x', { flag: 'zz' }],
    ['writeFile', '.', 'x', { mode: 'zz' }], ['appendFile', '.', Symbol('s')], ['opendir', '.', 'bogus'], ['cp', '.', 3], ['cp', '.', 'x', 3], ['lchmod', '.', 3],
    ['open', 'none'], ['stat', 'none'], ['lstat', 'none'], ['access', 'none'], ['unlink', 'none'], ['rmdir', 'none'],
    ['readdir', 'none'], ['readFile', 'none'], ['readlink', 'none'], ['realpath', 'none'], ['rename', 'none', 'other'],
    ['copyFile', 'none', 'other'], ['link', 'none', 'other'], ['truncate', 'none'], ['utimes', 'none', 1, 1],
    ['chmod', 'none', 0o600], ['chown', 'none', 1, 1], ['lchown', 'none', 1, 1], ['opendir', 'none'], ['rm', 'none'],
    ['cp', 'none', 'other'], ['mkdir', 'no/such'], ['writeFile', 'no/such', 'x'], ['readFile', '.'],
    ['writeFile', '.', 'x'], ['statfs', 'none'], ['lutimes', 'none', 1, 1], ['symlink', 'x', 'no/such'],
  ];
  for (const [name, ...args] of more) {
    try {
      await fsp[name](...args);
      console.log(name, args.length, 'is fine');
    } catch (error) {
      console.log(name, error.name, error.code, error.message, error.errno, error.syscall, error.path, error.dest);
    }
  }
  for (const args of [[], [3], ['.', 3], ['.', { persistent: 3 }], ['.', { recursive: 3 }], ['.', { encoding: 'bogus' }],
    ['.', { signal: {} }], ['none'], ['.', { signal: AbortSignal.abort() }]]) {
    try {
      for await (const change of fsp.watch(...args)) console.log(change);
    } catch (error) {
      console.log('watch', error.name, error.code, error.message);
    }
  }
})();
