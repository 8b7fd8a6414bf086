'use strict';
const path = require('node:path');

for (const flavour of ['posix', 'win32']) {
  for (const name of ['resolve', 'normalize', 'isAbsolute', 'join', 'relative', 'dirname', 'basename', 'extname', 'format', 'parse']) {
    for (const args of [[1], ['a', {}], [null], [undefined, 'x'], [Symbol('s')], [['a']], [true], [() => {}]]) {
      try {
        const result = path[flavour][name](...args);
        console.log(flavour, name, typeof result);
      } catch (err) {
        console.log(flavour, name, err.name, err.code, err.message);
      }
    }
  }
}
// A patched String.prototype is not looked at.
String.prototype.slice = String.prototype.charCodeAt = String.prototype.lastIndexOf = () => { throw new Error('patched'); };
console.log(path.join('/a', '../b', 'c.txt'), path.basename('/x/y.js', '.js'), path.relative('/a/b', '/a/c'), path.win32.resolve('C:\\a', '..'));
const long = '/' + 'a/'.repeat(100000) + '..';
console.log(path.normalize(long).length, path.resolve(long).length, path.dirname(long).length);
