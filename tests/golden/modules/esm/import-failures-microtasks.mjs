// An import() that cannot be loaded fails before one that started earlier has succeeded, and a second one sooner.
const say = (...what) => console.log(...what);
const failing = (specifier) => import(specifier).catch(({ code }) => say(specifier, code));
const turn = () => new Promise((resolve) => setImmediate(resolve));

import('node:path').then(() => say('path'));
import('data:text/javascript,export default 1').then(() => say('data'));
failing('node:nope');
failing('node:nope');
failing('https://example.org/module.mjs');
process.nextTick(() => say('tick'));
await turn();

say('again');
import('node:path').then(() => say('path'));
failing('node:nope');
process.nextTick(() => say('tick'));
await turn();

// The number of microtasks of what is known.
const count = async (specifier) => {
  let turns = 0;
  let counted = Promise.resolve();
  for (let i = 0; i < 50; i++) counted = counted.then(() => turns++);
  await import(specifier).then(() => say(specifier, turns), ({ code }) => say(specifier, code, turns));
};
await count('node:path');
await count('data:text/javascript,export default 1');
