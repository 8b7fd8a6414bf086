'use strict';
// The scope of a CommonJS module, and the files that require() finds.
const path = require('path');
const base = (p) => (typeof p === 'string' ? path.relative(__dirname, p) : p);

console.log(module.id, base(module.filename), base(module.path), module.loaded, module.parent, module.children.length);
console.log(base(__filename), base(__dirname) === '', this === exports, exports === module.exports, arguments.length);
console.log(require.main === module, process.mainModule === module, require.cache[__filename] === module);
console.log(module.paths[0] === path.join(__dirname, 'node_modules'), module.isPreloading);
console.log(typeof require.resolve, typeof require.resolve.paths, Object.keys(require.extensions));
console.log(Object.getOwnPropertyNames(module));
console.log(require.name, require.length, require.resolve.name, Object.keys(require));

const child = require('./fixtures/dir-index');
const loaded = module.children[0];
console.log(child, base(loaded.id), loaded.loaded, loaded.parent === module, loaded.exports === child);

for (const id of [
  './fixtures/bom', './fixtures/bom.json', './fixtures/shebang', './fixtures/noextension',
  './fixtures/strange.xyz', './fixtures/data', './fixtures/dir-main',
  './fixtures/x', './fixtures/x/', './fixtures/dir-index/.', './fixtures/x/..//x',
  './fixtures/typed/old.cjs',
]) console.log(id, require(id));

console.log(require('./fixtures/data') === require('./fixtures/data.json'));
console.log(base(require.resolve('./fixtures/dir-main')));
console.log(require('events') === require('node:events'), require.resolve('events'), require.resolve('node:events'));

// A module that throws is loaded again; one that is taken out of the cache, too.
for (let i = 0; i < 2; i++) {
  try {
    require('./fixtures/throws');
  } catch (error) {
    console.log(error.name, error.message, throwCount);
  }
}
console.log(module.children.some((m) => m.filename.endsWith('throws.js')));
const first = require('./fixtures/data.json');
delete require.cache[require.resolve('./fixtures/data.json')];
console.log(first !== require('./fixtures/data.json'));

const frame = require('./fixtures/frames')().stack.split('\n')[1];
console.log(frame.trim().replace(/\(.*fixtures\//, '('));
console.log(new Error('x').stack.split('\n')[1].trim().replace(/\(.*modules\//, '('));
