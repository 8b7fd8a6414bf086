// module.register(): hooks that resolve and load, one behind the other, and what they must not do.
import { register } from 'node:module';

const here = new URL('.', import.meta.url).pathname;
const base = new URL('./fixtures/main.mjs', import.meta.url);
console.log(register('./hooks.mjs', base, { data: { a: 1 } }), register('./more.mjs', { parentURL: base }));
for (const specifier of [
  'virtual:answer', './fixtures/dep.mjs', 'alias/fixtures/dep.mjs', './fixtures/c.cjs',
  './fixtures/b.upper', 'node:path', 'bad:incomplete', 'bad:type', 'bad:url', './fixtures/bad-format.mjs',
  './nothing.mjs', './fixtures/missing-dep.mjs', './fixtures/throws.mjs',
  './fixtures/cycle-a.mjs', 'data:text/javascript,import x from "virtual:answer"; export default x',
]) {
  try {
    const namespace = await import(specifier);
    console.log(specifier, specifier === 'node:path' ? namespace.sep : namespace);
  } catch (error) {
    console.log(`${specifier}: ${error.name} ${error.code} ${error.message.replaceAll(here, '')}`);
  }
}
for (const args of [[], [5], ['./nothing.mjs', import.meta.url], ['nothing'], ['./x'], ['./hooks.mjs', 'nowhere']]) {
  try {
    console.log(register(...args));
  } catch (error) {
    console.log(error.name, error.code, error.message.replaceAll(here, ''));
  }
}
