'use strict';
// module.findPackageJSON(), constants, and the functions of source maps and of the compile cache that need no cache.
const module_ = require('node:module');
const { pathToFileURL } = require('node:url');

const shown = (value) => (typeof value === 'string' ? value.replaceAll(__dirname, 'HERE') : value);
const tried = (...args) => {
  try {
    console.log(args.map(String).map(shown).join(' | '), '=>', shown(module_.findPackageJSON(...args)));
  } catch (error) {
    console.log(args.map((arg) => shown(typeof arg === 'symbol' ? 'symbol' : String(arg))).join(' | '), '=>', error.code,
                shown(error.message));
  }
};
const base = `${__dirname}/fixtures/main.js`;
tried('plain', base);
tried('conditional', pathToFileURL(base));
tried('conditional/features/x.js', base);
tried('@scope/pkg', `${pathToFileURL(base)}`);
tried('./typed/strange.xyz', base);
tried('./nothing-there.js', base);
tried('nothing-there', base);
tried('nothing-there');
tried();
tried(Symbol('s'), base);
tried('plain', 1);
tried('plain', 'no url');
console.log(module_.constants, Object.isFrozen(module_.constants));
console.log(module_.getCompileCacheDir(), module_.flushCompileCache());
console.log(module_.getSourceMapsSupport());
module_.setSourceMapsSupport(true, { nodeModules: true });
console.log(module_.getSourceMapsSupport());
for (const args of [[1], [true, 1], [true, { nodeModules: 1 }], [true, { generatedCode: 1 }]]) {
  try {
    module_.setSourceMapsSupport(...args);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
console.log(module_.builtinModules.includes('node:test'), module_.builtinModules.includes('test'));
console.log(module_.isBuiltin('node:test'), module_.isBuiltin('test'), module_.isBuiltin('node:fs/promises'));
