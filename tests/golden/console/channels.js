// Each of five methods publishes its arguments before it formats them; the others do not publish, or by way of these.
const { channel, subscribe, unsubscribe } = require('node:diagnostics_channel');
const { Console } = require('node:console');
const { Writable } = require('node:stream');

const lines = [];
const sink = (name) => new Writable({ write(chunk, encoding, callback) { lines.push(`${name} ${chunk}`); callback(); } });
const stdout = sink('out');
const stderr = sink('err');
const own = new Console({ stdout, stderr });

const seen = [];
const listener = (message, name) => {
  seen.push([name, [...message]]);
  if (message[0] === 'change me') message[0] = 'changed';
};
const names = ['log', 'info', 'debug', 'warn', 'error'];
for (const name of names) subscribe(`console.${name}`, listener);
for (const name of names) own[name]('%s', name, { a: 1 });
own.log('change me');
own.dir({ a: 1 });
own.table([1]);
own.assert(false, 'no');
own.assert(false, { a: 1 });
own.assert(false);
own.count();
own.countReset('never');
own.group('g');
own.groupEnd();
own.dirxml('xml');
for (const name of names) unsubscribe(`console.${name}`, listener);
own.log('unheard');
console.log(lines.join(''));
console.log(seen);
console.log(channel('console.log').hasSubscribers, own.info === own.log, Console.prototype.error === Console.prototype.warn);

// Options of inspect for each stream.
lines.length = 0;
const byStream = new Console({ stdout, stderr, inspectOptions: new Map([[stdout, { compact: false }], [stderr, { colors: true }]]) });
byStream.log({ a: 1 });
byStream.error({ a: 1 });
const half = new Console({ stdout, stderr, inspectOptions: new Map([[stderr, { depth: 0 }]]) });
half.log({ a: { b: 1 } });
half.error({ a: { b: 1 } });
console.log(lines.join(''));
for (const colorMode of ['auto', true, false]) {
  try {
    new Console({ stdout, stderr, colorMode, inspectOptions: new Map([[stderr, { colors: true }]]) });
  } catch (error) {
    console.log(error.code, error.message);
  }
}
