'use strict';
// require() takes ES modules that do not wait.
const here = (text) => String(text).replaceAll(__dirname, 'HERE');
console.log(require('./fixtures/modules/esm/values.mjs'));
console.log(require('./fixtures/modules/typed/esm.js'));
console.log(require('./fixtures/modules/detected.js'));
console.log(require('./fixtures/modules/dynamic.mjs') === require('./fixtures/modules/dynamic.mjs'));
console.log(require.cache[require.resolve('./fixtures/modules/dynamic.mjs')].loaded);
for (const file of [
  'esm/await-user.mjs', 'detected-await.js', 'esm/throws.mjs', 'esm/syntax.mjs', 'esm/missing-dep.mjs',
  'esm/missing-export.mjs', 'typed/uses-require.js', 'typed/uses-module.js',
]) {
  try {
    console.log(require(`./fixtures/modules/${file}`));
  } catch (error) {
    console.log(file, error.name, error.code, here(error.message));
  }
}
import('./fixtures/modules/esm/values.mjs').then((namespace) => {
  namespace.increment();
  console.log(require('./fixtures/modules/esm/values.mjs').count);
});
