// The global console: what goes where, in which form.
const { inspect } = require('util');

// Everything on stdout, so that the order shows.
const lines = (name) => (text) => { process.stdout.write(`${name}|${String(text).replace(/\n(?=.)/g, `\n${name}|`)}`); return true; };
const { write } = process.stderr;
const { error: realError } = console;
process.stderr.write = lines('err');
process.on('warning', (warning) => console.log('warning:', warning.name, warning.message));

console.log();
console.log('plain');
console.log('%s is %d', 'x', 5, { more: 1 });
console.log({ a: { b: { c: { d: 1 } } } }, [1, 2], 'text', null, undefined, Symbol('s'), 1n, -0);
console.info('info %i', '42px');
console.debug('debug');
console.error('error', new Map([[1, 2]]));
console.warn('warn %j', { a: 1 });
console.dirxml({ a: 1 }, [1]);
console.dir({ a: { b: { c: { d: 1 } } } });
console.dir({ a: { b: 1 } }, { depth: 0 });
console.dir('text');
console.dir({ [inspect.custom]() { return 'custom'; } }, { colors: true });
console.dir();

console.assert(true, 'not shown');
console.assert(false);
console.assert(0, 'with %s', 'text');
console.assert(null, { a: 1 }, 2);
console.assert();
console.assert(false, undefined);
console.assert(false, 'a', 'b');

console.count();
console.count('x');
console.count(undefined);
console.count(null);
console.count({ toString: () => 'text' });
console.countReset('x');
console.count('x');
console.countReset('never');

console.group();
console.log('in one');
console.group('label', 1, { a: 1 });
console.log('in\ntwo');
console.error('error in\ntwo');
console.dir({ a: 1 });
console.table([[1]]);
console.groupCollapsed('collapsed');
console.log({ a: 'x'.repeat(40), b: 'y'.repeat(40) });
console.groupEnd();
console.groupEnd();
console.groupEnd();
console.groupEnd();
console.log('out');


console.time('t');
console.time('t');
console.timeEnd('never');
console.timeLog('never', 1);
console.clear();
console.profile('p');
console.profileEnd('p');
console.timeStamp('s');
for (const method of ['log', 'count', 'group', 'groupEnd', 'time', 'assert', 'dir', 'clear']) process.stdout.write(`${method} ${console[method](method === 'assert' ? true : '')}\n`);

// The methods stand on their own, and use each other as they find them.
const { log, error } = console;
log('alone');
error('alone');
const real = console.log;
console.log = (...args) => real('patched', ...args);
console.count('p');
console.group('g');
console.groupEnd();
console.table([1]);
console.info('not patched');
console.warn = (...args) => real('warned', ...args);
console.assert(false, 'z');
console.error = (text) => real('erred', text.split('\n')[0]);
console.trace('tt');
console.log = real;

log(Object.keys(console).join());
log(Object.prototype.toString.call(console), require('console') === console, require('node:console').log === log, console instanceof console.Console);
log(Object.getPrototypeOf(console), console.log.name, console.error.name, console.dirxml.name, console.table.length);
try { console.count(Symbol('s')); } catch (thrown) { log(thrown.name, thrown.message); }
try { console.table([1], 'x'); } catch (thrown) { log(thrown.code, thrown.message); }
// The warnings of above come in later ticks.
process.stderr.write = write;
console.error = realError;
