'use strict';
// module.registerHooks(): resolve and load, for require() and for import, in the thread that loads.
const { registerHooks } = require('node:module');

const show = (name, value) => console.log(name, value);
const tried = (name, call) => {
  try {
    show(name, call());
  } catch (error) {
    show(name, `${error.name} ${error.code} ${error.message}`);
  }
};

const log = [];
const first = registerHooks({
  resolve(specifier, context, nextResolve) {
    log.push(`first resolve ${specifier} ${typeof context.parentURL} ${context.conditions.includes('node')}`);
    return nextResolve(specifier);
  },
  load(url, context, nextLoad) {
    log.push(`first load ${url.slice(url.lastIndexOf('/') + 1)} ${context.format}`);
    return nextLoad(url);
  },
});
const second = registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier.startsWith('virtual:')) return { url: specifier, format: 'module', shortCircuit: true };
    return nextResolve(specifier.replace(/^alias-/, '../fixtures/'), context);
  },
  load(url, context, nextLoad) {
    if (url === 'virtual:answer') {
      return { format: 'module', source: 'export default 42; export const u = import.meta.url;', shortCircuit: true };
    }
    const result = nextLoad(url, context);
    if (url.endsWith('named.cjs?changed')) {
      return { ...result, source: `${result.source}\nexports.added = true;` };
    }
    return result;
  },
});
show('frozen', Object.isFrozen(second));
show('required', require('virtual:answer').default);
show('alias', require('alias-data.json'));
show('resolve', require.resolve('alias-data.json').endsWith('/modules/fixtures/data.json'));
show('built-in', require('node:path') === require('path'));

(async () => {
  show('imported', { ...await import('virtual:answer') });
  show('same', (await import('virtual:answer')).default === require('virtual:answer').default);
  show('changed', (await import('../fixtures/esm/named.cjs?changed')).default.added);
  show('json', (await import('alias-data.json', { with: { type: 'json' } })).default);
  second.deregister();
  await import('virtual:other').catch((error) => show('deregistered', error.code));
  first.deregister();
  const before = log.length;
  require('../fixtures/esm/named.cjs');
  show('quiet', log.length === before);
  console.log(log.join('\n'));

  const wrong = (hooks, specifier) => {
    const registered = registerHooks(hooks);
    tried(specifier, () => require(specifier));
    registered.deregister();
  };
  wrong({ resolve: () => ({ url: 'virtual:x' }) }, 'no-short-circuit');
  wrong({ resolve: () => ({ url: 1, shortCircuit: true }) }, 'no-url');
  wrong({ resolve: () => ({ url: 'virtual:x', format: 1, shortCircuit: true }) }, 'no-format');
  wrong({ load: () => ({ format: 'module', source: 1, shortCircuit: true }) }, '../fixtures/dynamic.mjs');
  wrong({ load: () => ({ format: 1, source: '', shortCircuit: true }) }, '../fixtures/frames.js');
  tried('resolve', () => registerHooks({ resolve: 1 }));
  tried('load', () => registerHooks({ load: 'x' }));
  tried('nothing', () => registerHooks());
})();
