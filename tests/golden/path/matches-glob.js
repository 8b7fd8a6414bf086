'use strict';
const path = require('node:path');

const paths = ['a', 'a/b', 'a/b/c.js', '.hidden', 'a/.hidden/c', 'foo.js', 'foo.mjs', 'x/../a/b', './a', 'a//b', 'a/', '/a/b', 'file1', 'file10', 'b-2', 'AB', 'é.js', ''];
const patterns = ['*', '**', '**/*', 'a', 'a/*', 'a/**', '**/c.js', '*.js', '*.{js,mjs}', '{a,b}/{b,c}', 'file{1..3}', 'file{08..10}', '[a-c]', '[!a]*', '[[:alpha:]]*', 'b-[0-9]', '.*', '**/.hidden/*', '?(foo).js', '!(foo).js', '@(a|b)', '+(a|b)/b', '*(x)a', './a', 'a/../a', '/a/*', '', '[', '{a', 'a}', '\\a'];
for (const pattern of patterns) {
  console.log(JSON.stringify(pattern), paths.filter((p) => path.matchesGlob(p, pattern)).join(' | '), '\t', path.win32.matchesGlob('a\\b', pattern));
}
for (const args of [[], [1, 'a'], ['a'], ['a', 5], [null, null]]) {
  try { console.log(path.matchesGlob(...args)); } catch (err) { console.log(err.code, err.message); }
}
