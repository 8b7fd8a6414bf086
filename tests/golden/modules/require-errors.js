'use strict';
// Errors of require().
const here = (text) => String(text).replaceAll(__dirname, 'HERE').replaceAll('\0', 'NUL');
const show = (id) => (typeof id === 'string' ? JSON.stringify(id) : String(id));
function attempt(id, load = require) {
  try {
    const value = load(id);
    console.log(show(id), '=>', value);
  } catch (error) {
    console.log(`${show(id)}: ${error.name} ${error.code} ${here(error.message)}`);
    if (error.requireStack) console.log(error.requireStack.map(here));
  }
}
for (const id of [
  './nothing', './nothing.js', '/nothing', 'nothing', '@scope/nothing', 'nothing/sub', './fixtures/dir-empty',
  './fixtures/dir-nomain', 'node:nothing', 'node:events/nothing', 'events/nothing', '', '#nothing', 'test',
  'node:', '\0', './fixtures/bom.js/',
]) attempt(id);
for (const id of [undefined, null, 1, {}, [], Symbol('s'), true, () => {}]) attempt(id);
for (const id of ['./nothing', 1, undefined, 'node:nothing', '']) attempt(id, require.resolve);
for (const id of ['./nothing', 1, undefined, 'events', 'x']) {
  attempt(id, (value) => {
    const paths = require.resolve.paths(value);
    return paths && here(paths[0]);
  });
}
for (const paths of [1, 'x', [1], null, {}]) attempt(paths, (value) => require.resolve('x', { paths: value }));
attempt('plain', (id) => here(require.resolve(id, { paths: [`${__dirname}/fixtures/typed`] })));
attempt('./x', (id) => here(require.resolve(id, { paths: [`${__dirname}/fixtures`] })));
attempt('plain', (id) => here(require.resolve(id, { paths: [] })));

try {
  require('./fixtures/bad.json');
} catch (error) {
  console.log(error.name, here(error.message).split(': ')[0]);
}
try {
  require('./fixtures/syntax');
} catch (error) {
  console.log(error.name, error.message);
  console.log(here(error.stack).split('\n').slice(0, 5));
}
process.on('warning', (warning) => console.log(`${warning.name}: ${warning.message.replace(__dirname, 'HERE')}`));
for (const file of ['import-in-script.cjs', 'commonjs-typed/esm.js']) {
  try {
    require(`./fixtures/${file}`);
  } catch (error) {
    console.log(error.name, error.message);
    console.log(here(error.stack).split('\n').slice(0, 4));
  }
}
