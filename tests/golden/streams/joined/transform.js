'use strict';
// Transform and PassThrough.
const { PassThrough, Transform } = require('node:stream');
const log = console.log;
const tick = () => new Promise(setImmediate);

(async () => {
  const upper = new Transform({
    transform(chunk, encoding, callback) { callback(null, String(chunk).toUpperCase()); },
    flush(callback) { this.push('!'); callback(null, '?'); },
  });
  upper.setEncoding('utf8');
  upper.on('data', (chunk) => log('data', chunk)).on('end', () => log('end')).on('finish', () => log('finish')).on('close', () => log('close'));
  upper.write('a');
  upper.write('b', () => log('written'));
  upper.end('c', () => log('ended'));
  await tick();
  await tick();

  // Backpressure: the writable side fills up without a reader.
  const through = new PassThrough({ highWaterMark: 2 });
  const results = [];
  for (let i = 0; i < 8; i++) results.push(through.write('x'));
  log(results.join(), through.readableLength, through.writableLength, through.writableNeedDrain);
  through.on('drain', () => log('drain'));
  log(String(through.read()));
  await tick();
  log(through.readableLength, through.writableLength);
  log(String(through.read()), through.writableLength);
  await tick();
  through.resume();
  await tick();
  log(through.readableLength, through.writableLength);

  // Object mode on one side.
  const parse = new Transform({ readableObjectMode: true, transform(chunk, encoding, callback) { try { callback(null, JSON.parse(chunk)); } catch (error) { callback(error); } } });
  log(parse.readableObjectMode, parse.writableObjectMode, parse.readableHighWaterMark, parse.writableHighWaterMark);
  parse.on('data', (value) => log('parsed', value)).on('error', (error) => log(error.name));
  parse.write('{"a":1}');
  parse.write('broken');
  parse.write('never');
  await tick();
  const marks = new Transform({ readableHighWaterMark: 1, writableHighWaterMark: 5, transform() {} });
  log(marks.readableHighWaterMark, marks.writableHighWaterMark);

  // More than one chunk, none, later, and errors.
  const split = new Transform({ transform(chunk, encoding, callback) { for (const letter of String(chunk)) this.push(letter); setImmediate(callback); } });
  split.on('data', (chunk) => log(String(chunk))).on('end', () => log('split end'));
  split.write('ab');
  split.end('cd');
  for (let i = 0; i < 5; i++) await tick();
  const errors = {
    transform: { transform(c, e, callback) { callback(new Error('in transform')); } },
    thrown: { transform() { throw new Error('thrown'); } },
    flush: { transform(c, e, callback) { callback(); }, flush(callback) { callback(new Error('in flush')); } },
    final: { transform(c, e, callback) { callback(); }, final(callback) { log('final'); callback(); }, flush(callback) { log('flush'); callback(); } },
    missing: {},
    twice: { transform(c, e, callback) { callback(); callback(); } },
  };
  for (const [name, options] of Object.entries(errors)) {
    const stream = new Transform(options);
    for (const event of ['error', 'finish', 'end', 'close']) stream.on(event, (error) => log(name, event, error?.message ?? ''));
    try {
      stream.resume();
      stream.write('x', (error) => log(name, 'callback', error?.message));
      stream.end();
    } catch (error) {
      log(name, 'out', error.message);
    }
    await tick();
    await tick();
  }
  class Counter extends Transform {
    total = 0;
    _transform(chunk, encoding, callback) { this.total += chunk.length; callback(null, chunk); }
    _flush(callback) { this.push(String(this.total)); callback(); }
  }
  const counter = new Counter();
  counter.end('hello');
  const chunks = [];
  for await (const chunk of counter) chunks.push(String(chunk));
  log(chunks);
})();
