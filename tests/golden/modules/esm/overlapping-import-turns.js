'use strict';
// A second import() of a module that is still loading settles with the first, and never sooner than seven microtasks
// after it was called.

const bodies = {
  'plain': (n) => `export default ${n}`,
  'with an import': (n) => `import 'data:text/javascript,export default ${n}+1'; export default ${n}`,
  'that awaits': (n) => `await null; export default ${n}`,
  'that throws': (n) => `throw ${n}`,
};
let number = 0;

function overlap(body, gap) {
  return new Promise((resolve) => {
    const url = `data:text/javascript,${body(number++)}`;
    const settled = [];
    let turns = 0;
    const done = (name) => {
      settled.push(`${name} after ${turns}`);
      if (settled.length === 2) setImmediate(resolve, settled.join(', '));
    };
    const load = (name) => import(url).then(() => done(name), () => done(name));
    const turn = () => {
      if (++turns === gap) load('second');
      if (turns < 40) queueMicrotask(turn);
    };
    load('first');
    queueMicrotask(turn);
  });
}

(async () => {
  for (const [name, body] of Object.entries(bodies)) {
    for (let gap = 1; gap < 12; gap++) console.log(`${name}, gap ${gap}: ${await overlap(body, gap)}`);
  }
})();
