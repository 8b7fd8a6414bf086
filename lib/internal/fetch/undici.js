'use strict';
// Loads undici, and sets the dispatcher of this process, unless the program has set one with the npm package.

const { ObjectDefineProperty, ObjectKeys, StringPrototypeStartsWith, SymbolFor, globalThis } = primordials;

const hadDispatcher = globalThis[SymbolFor('undici.globalDispatcher.2')] !== undefined;
const undici = require('vendor/undici');

// esbuild changes the names of classes that refer to themselves.
const names = ObjectKeys(undici);
for (let i = 0; i < names.length; i++) {
  const value = undici[names[i]];
  if (typeof value === 'function' && StringPrototypeStartsWith(value.name, '_')) {
    ObjectDefineProperty(value, 'name', { __proto__: null, value: names[i], configurable: true });
  }
}

if (!hadDispatcher) undici.setGlobalDispatcher(require('internal/fetch/agent').createAgent());

module.exports = undici;
