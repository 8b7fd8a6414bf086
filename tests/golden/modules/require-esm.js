'use strict';
// require() takes ES modules that do not wait.
const here = (text) => String(text).replaceAll(__dirname, 'HERE');
console.log(require('./fixtures/esm/values.mjs'));
console.log(require('./fixtures/typed/esm.js'));
console.log(require('./fixtures/detected.js'));
console.log(require('./fixtures/dynamic.mjs') === require('./fixtures/dynamic.mjs'));
console.log(require.cache[require.resolve('./fixtures/dynamic.mjs')].loaded);
for (const file of [
  'esm/await-user.mjs', 'detected-await.js', 'esm/throws.mjs', 'esm/syntax.mjs', 'esm/missing-dep.mjs',
  'esm/missing-export.mjs', 'typed/uses-require.js', 'typed/uses-module.js',
]) {
  try {
    console.log(require(`./fixtures/${file}`));
  } catch (error) {
    console.log(file, error.name, error.code, here(error.message));
  }
}
import('./fixtures/esm/values.mjs').then((namespace) => {
  namespace.increment();
  console.log(require('./fixtures/esm/values.mjs').count);
});
