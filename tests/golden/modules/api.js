'use strict';
// The public face of module, and what programs replace on it.
const Module = require('module');
const path = require('path');
const here = (text) => String(text).replaceAll(__dirname, 'HERE');
const attempt = (name, start) => {
  try {
    console.log(name, start());
  } catch (error) {
    console.log(`${name}: ${error.name} ${error.code} ${here(error.message)}`);
  }
};
console.log(Module === Module.Module, module instanceof Module, module.constructor === Module);
console.log(Module.builtinModules.includes('path'), Module.builtinModules.includes('node:path'));
attempt('isBuiltin', () => ['path', 'node:path', 'test', 'nothing', 1, undefined].map(Module.isBuiltin));
attempt('wrap', () => Module.wrap('text'));
attempt('wrapper', () => [...Module.wrapper]);
attempt('_nodeModulePaths', () => ['/', '/a/b', '/a/node_modules/b', '/node_modules'].map((p) => Module._nodeModulePaths(p)));
attempt('_resolveLookupPaths', () => [Module._resolveLookupPaths('path', module), Module._resolveLookupPaths('./x', null)]);
attempt('_findPath', () => [Module._findPath('x', []), Module._findPath('x', null), Module._findPath('/nothing', null)]);
attempt('_extensions', () => Object.keys(Module._extensions));
attempt('findSourceMap', () => Module.findSourceMap('x'));
attempt('new', () => new Module('/a/b.js').path);
attempt('_load', () => Module._load('path') === path);
attempt('_load nothing', () => Module._load('./nothing', null));
attempt('createRequire', () => Module.createRequire(__filename)('./fixtures/x'));
attempt('createRequire directory', () => Module.createRequire(`${__dirname}/fixtures/`)('./x'));
attempt('createRequire URL', () => Module.createRequire(new URL(`file://${__filename}`))('./fixtures/x'));
attempt('createRequire string', () => Module.createRequire(`file://${__filename}`).resolve('path'));
for (const value of ['x', './x', '', 1, null, undefined, {}]) attempt('createRequire', () => Module.createRequire(value));
attempt('compile', () => {
  const made = new Module('/tmp/made.js', module);
  made.filename = '/tmp/made.js';
  made._compile('module.exports = [__filename, __dirname, this === exports, module.parent.id, require.main === process.mainModule]', '/tmp/made.js');
  return made.exports;
});
process.env.NODE_PATH = `${__dirname}/fixtures:${__dirname}`;
Module._initPaths();
attempt('NODE_PATH', () => [Module.globalPaths.slice(0, 2).map(here), require('dir-index')]);

// A handler of a new kind of file, and one around an old one.
Module._extensions['.xyz'] = (target, filename) => {
  target._compile(`module.exports = 'handled ' + ${JSON.stringify(path.basename(filename))}`, filename);
};
attempt('extension', () => require('./fixtures/strange'));
const javascript = require.extensions['.js'];
require.extensions['.js'] = (target, filename) => {
  const compile = target._compile;
  target._compile = function(text, name) {
    return compile.call(this, `${text}\nmodule.exports += ' (transformed)';`, name);
  };
  javascript(target, filename);
};
attempt('hook', () => require('./fixtures/x/index'));
require.extensions['.js'] = javascript;

const { _resolveFilename, _load } = Module;
Module._resolveFilename = function(request, ...rest) {
  return _resolveFilename.call(this, request === 'alias' ? './fixtures/x' : request, ...rest);
};
attempt('alias', () => require('alias'));
Module._load = function(request, parent, isMain) {
  return request === 'mocked' ? 'a mock' : _load.call(this, request, parent, isMain);
};
attempt('mock', () => require('mocked'));
const { require: originalRequire } = Module.prototype;
Module.prototype.require = function(id) {
  return id === 'patched' ? 'by prototype' : originalRequire.call(this, id);
};
attempt('prototype', () => require('patched'));
require.cache[require.resolve('./fixtures/frames')] = { exports: 'planted', loaded: true };
attempt('cache', () => require('./fixtures/frames'));
attempt('json', () => {
  const target = new Module('x.json');
  Module._extensions['.json'](target, `${__dirname}/fixtures/data.json`);
  return target.exports;
});
attempt('addon', () => typeof Module._extensions['.node']);

const parts = Module.wrapper;
parts[0] = `${parts[0]}/* patched */ `;
delete require.cache[require.resolve('./fixtures/dir-index')];
attempt('wrapper patched', () => require('./fixtures/dir-index'));
Module.wrap = (text) => `(function (exports, require, module) { module.exports = 'replaced by wrap'; })`;
delete require.cache[require.resolve('./fixtures/dir-index')];
attempt('wrap patched', () => require('./fixtures/dir-index'));
