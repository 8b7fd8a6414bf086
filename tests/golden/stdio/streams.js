'use strict';
// process.stdout and stderr are writables, process.stdin is a readable.
const EventEmitter = require('node:events');
const { Readable, Stream, Writable } = require('node:stream');
const { stdin, stdout, stderr } = process;

for (const stream of [stdout, stderr]) {
  console.log(stream instanceof Writable, stream instanceof Stream, stream instanceof EventEmitter, stream.fd);
  console.log(stream._type, stream._isStdio, stream.isTTY, stream.writable, stream.readable, stream.destroyed);
  console.log(stream.writableHighWaterMark, stream.writableLength, stream.writableObjectMode, stream.writableEnded);
  console.log(stream.destroySoon === stream.destroy, typeof stream._destroy, typeof stream._write);
}
console.log(stdin instanceof Readable, stdin instanceof Stream, stdin.fd, stdin.isTTY, stdin.readable, stdin.readableFlowing);
console.log(process.stdout === stdout, Object.getOwnPropertyDescriptor(process, 'stdout').enumerable);

// Callbacks come later, in order, also of what console writes between.
stdout.write('one\n', () => console.log('one is out'));
console.log('between');
stdout.write(Buffer.from('two\n'), (error) => console.log('two is out', error));
stdout.write('74687265650a', 'hex');
stdout.cork();
stdout.write('corked, ');
console.log('and this behind it');
stdout.uncork();
stdout.setDefaultEncoding('latin1');
stdout.write('caf\u00e9 without'.slice(3, 4) === '\u00e9' ? 'latin\n' : '');
stdout.setDefaultEncoding('utf8');

for (const attempt of [
  () => stdout.write(), () => stdout.write(null), () => stdout.write(1), () => stdout.write({}), () => stdout.write('x', 'nope'),
  () => stdout.setDefaultEncoding('nope'),
]) {
  try { console.log(attempt()); } catch (error) { console.log(error.name, error.code, error.message); }
}

// A replaced write() gets the lines of console.
const { write } = stdout;
const caught = [];
stdout.write = function(text) { caught.push(text); return true; };
console.log('not printed');
stdout.write = write;
delete stdout.write;
console.log(caught);

setImmediate(() => {
  stdout.on('finish', () => console.error('finish'));
  stdout.on('close', () => console.error('close'));
  stdout.end('the end\n', () => console.error('ended'));
});
