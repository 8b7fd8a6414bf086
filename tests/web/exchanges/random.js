'use strict';
// random.js KIND FIRST COUNT [show]: runs the random exchanges with the seeds FIRST to FIRST+COUNT-1, and prints a line
// with a digest of the events of each; with `show`, the events themselves. Two runtimes that behave alike print the
// same.
const { createHash } = require('node:crypto');
const { Numbers } = require('./numbers');

const [kind, first, count, shows] = process.argv.slice(2);
const { run } = require(`./${kind}`);

async function main() {
  for (let seed = +first; seed < +first + +count; seed++) {
    const events = await run(new Numbers(seed));
    if (shows === 'show') {
      console.log(events.join('\n'));
    } else {
      console.log(seed, createHash('sha1').update(events.join('\n')).digest('hex').slice(0, 16));
    }
  }
}
process.on('uncaughtException', (error) => {
  console.log('uncaught', error);
  process.exit(1);
});
// Connections of an exchange that never ends may be left.
main().then(() => process.exit());
