'use strict';
// Domains: the stack, members, emitters, timers, promises and files.
const domain = require('domain');
const EventEmitter = require('events');
const fs = require('fs');

const show = (label, ...values) => console.log(label, ...values, domain._stack.length);
console.log(Object.keys(domain), EventEmitter.usingDomains, process.domain, domain.active);
console.log(Object.getOwnPropertyDescriptor(process, 'domain').get !== undefined);

const outer = domain.create();
const inner = domain.createDomain();
console.log(outer instanceof domain.Domain, outer instanceof EventEmitter, outer.members);
outer.enter();
inner.enter();
show('entered', domain.active === inner);
outer.exit();
show('left', domain.active, process.domain);
console.log(outer.run((a, b) => {
  show('run', process.domain === outer);
  return a + b;
}, 1, 2));

// Emitters belong to the domain in which they are created, or to which they are added.
const emitter = outer.run(() => new EventEmitter());
console.log(emitter.domain === outer, Object.keys(emitter).includes('domain'), new EventEmitter().domain);
const added = new EventEmitter();
outer.add(added);
inner.add(added);
console.log(added.domain === inner, outer.members.length, inner.members.length);
inner.remove(added);
console.log(added.domain, inner.members.length);
inner.add(added);
added.on('event', () => show('event', process.domain === inner));
added.emit('event');
inner.on('error', (error) => {
  show('inner', error.message, error.domain === inner, error.domainThrown, error.domainEmitter === added, process.domain);
});
added.emit('error', new Error('emitted'));
added.emit('error');
added.on('error', (error) => show('own listener', error.message, process.domain));
added.emit('error', new Error('heard'));

// Functions.
const bound = inner.bind(function(value) {
  show('bound', value, this.name, process.domain === inner);
  return value + 1;
});
console.log(bound.call({ name: 'receiver' }, 1), bound.domain === inner);
const intercepted = inner.intercept((value, more) => show('intercepted', value, more));
intercepted(null, 'value', 'more');
intercepted(new Error('intercepted'));

// Asynchronous operations.
outer.on('error', (error) => {
  show('outer', error.message.split(',')[0], error.domainThrown, process.domain);
  setImmediate(step);
});
inner.on('error', (error) => {
  if (error.message === 'nested') setImmediate(step);
});
const steps = [
  () => setTimeout(() => { throw new Error('timer'); }, 1),
  () => setImmediate(() => { throw new Error('immediate'); }),
  () => process.nextTick(() => { throw new Error('tick'); }),
  () => Promise.resolve().then(() => { throw new Error('promise'); }),
  () => (async () => { throw new Error('async function'); })(),
  () => fs.stat(__filename, () => { throw new Error('file'); }),
  () => fs.createReadStream(`${__filename}.missing`),
  () => { throw new Error('synchronous'); },
  () => inner.run(() => setTimeout(() => { throw new Error('nested'); }, 1)),
  () => setTimeout(() => setImmediate(() => { throw new Error('timer, then immediate'); }), 1),
];
let next = 0;
function step() {
  if (next < steps.length) outer.run(steps[next++]);
  else finish();
}
setImmediate(step);

function finish() {
  outer.removeAllListeners('error');
  process.once('uncaughtException', (error, origin) => {
    show('uncaught', error.message, origin, process.domain);
  });
  outer.run(() => setTimeout(() => { throw new Error('without a listener'); }, 1));
}
