'use strict';
const path = require('node:path');

console.log(path === path.posix, path.posix.win32 === path.win32, require('path/posix') === path, path.sep, path.delimiter);
const samples = ['', '.', '..', '/', '//', '///', 'a', 'a/', '/a', '//a', '/a/', 'a//b', './a/../b/.', '/a/../../b', '../../a',
  'a/..', 'a/../', './', '.bashrc', 'x/.bashrc', 'a.b.c', 'a.', '..a', 'a/..b/...', '/a/b.txt/', '/a/b.txt//', 'no/dots/..', 'ü/é.ß',
  '/x/./y//z/../w', '...', 'a/./b/./c/'];
for (const s of samples) {
  console.log(JSON.stringify(s), JSON.stringify([path.normalize(s), path.dirname(s), path.basename(s), path.extname(s),
    path.isAbsolute(s), path.join(s), path.toNamespacedPath(s)]));
  console.log('  ', JSON.stringify(path.parse(s)), JSON.stringify(path.format(path.parse(s))));
}
for (const args of [[], [''], ['', ''], ['a', '..', '..'], ['/a', '/b'], ['a', '', 'b'], ['/', '..', 'x'], ['a/', '/b/'], ['.', '.'], ['//', 'a']])
  console.log(JSON.stringify(args), path.join(...args));
for (const args of [['/a', 'b', '../c'], ['/a', '/b', 'c'], ['/'], ['/a/', ''], ['/a/b/..', './..'], ['/a//b///c/'], ['/..', 'x']])
  console.log(JSON.stringify(args), path.resolve(...args));
console.log(path.resolve('') === process.cwd(), path.resolve() === process.cwd(), path.resolve('q') === process.cwd() + '/q');
for (const [from, to] of [['/a/b/c', '/a/d'], ['/a', '/a/b'], ['/a/b', '/a'], ['/', '/x/y'], ['/x/y', '/'], ['/ab', '/a'], ['/a', '/ab'],
  ['/a', '/a'], ['/foo/test', '/foo/test/bar/package.json'], ['/foo/bar/baz-quux', '/foo/bar/baz'], ['/baz', '/baz-quux'], ['a', 'b'], ['', 'x']])
  console.log(from, to, JSON.stringify(path.relative(from, to)));
for (const [p, s] of [['/a/b.txt', '.txt'], ['b.txt', 'b.txt'], ['/a/b.txt', 'b.txt'], ['b.txt', 'txt'], ['b.txt', '.t'], ['b.txt/', '.txt'],
  ['///', '/'], ['a/b', '/b'], ['a', 'aa'], ['aaa', 'a'], ['x', '']])
  console.log(p, s, JSON.stringify(path.basename(p, s)));
for (const o of [{}, { dir: 'd', base: 'b' }, { root: '/', base: 'b' }, { root: '/', dir: '/', base: 'b' }, { name: 'n', ext: 'e' }, { name: 'n', ext: '.e' },
  { dir: 'd', name: 'n' }, { base: 'b', name: 'n', ext: '.e' }, { root: 1, base: 2 }])
  console.log(JSON.stringify(o), JSON.stringify(path.format(o)));
