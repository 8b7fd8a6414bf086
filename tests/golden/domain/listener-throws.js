'use strict';
// The listener of a domain throws: an outer domain gets the error, and the process if there is none.
const domain = require('domain');

const outer = domain.create();
outer.on('error', (error) => {
  console.log('outer', error.message, process.domain === outer, domain._stack.length);
  if (error.message === 'nested') return setImmediate(alone);
});
const inner = domain.create();
inner.on('error', (error) => { throw new Error(`${error.message} of ${process.domain === outer ? 'the outer' : 'no'} domain`); });

outer.run(() => inner.run(() => {
  setTimeout(() => {
    outer.enter();
    inner.enter();
    setImmediate(alone);
    throw new Error('nested');
  }, 1);
}));

function alone() {
  process.on('uncaughtException', (error) => console.log('uncaught', error.message, process.domain === null));
  inner.run(() => setTimeout(() => { throw new Error('alone'); }, 1));
}
process.on('exit', (code) => console.log('exit', code));
