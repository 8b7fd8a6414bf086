'use strict';
// pipe() and unpipe().
const { PassThrough, Readable, Writable, Stream } = require('node:stream');
const log = console.log;
const tick = () => new Promise(setImmediate);
const sink = (name, options) => new Writable({ write(chunk, e, callback) { log(name, String(chunk)); setImmediate(callback); }, ...options });

(async () => {
  const source = new Readable({ read() {} });
  const first = sink('first');
  const second = sink('second', { highWaterMark: 1 });
  for (const [name, stream] of Object.entries({ first, second })) {
    for (const event of ['pipe', 'unpipe', 'finish', 'close']) stream.on(event, (from) => log(name, event, from === source));
  }
  log(source.pipe(first) === first, source.pipe(second, { end: false }) === second, source._readableState.pipes.length);
  source.push('a');
  await tick();
  source.push('b');
  await tick();
  await tick();
  source.unpipe(first);
  source.push('c');
  for (let i = 0; i < 4; i++) await tick();
  source.push(null);
  for (let i = 0; i < 4; i++) await tick();
  log(first.writableEnded, second.writableEnded);

  // An error of the destination ends the pipe, not the source.
  const again = new Readable({ read() {} });
  const broken = new Writable({ write(c, e, callback) { callback(new Error('full')); } });
  broken.on('error', (error) => log('error', error.message)).on('unpipe', () => log('unpipe'));
  again.pipe(broken);
  again.push('x');
  await tick();
  log(again.destroyed, again.readableFlowing, again.listenerCount('data'));
  // Without a listener it is thrown.
  const alone = new Writable({ write(c, e, callback) { callback(new Error('unheard')); } });
  process.once('uncaughtException', (error) => log('uncaught', error.message));
  new Readable({ read() { this.push('x'); this.push(null); } }).pipe(alone);
  await tick();

  // A pause of one destination holds up all.
  const slow = new Writable({ highWaterMark: 1, write(c, e, callback) { setTimeout(callback, 5); } });
  const fast = sink('fast');
  let reads = 0;
  const counted = new Readable({ highWaterMark: 1, read() { reads++; this.push(reads < 4 ? String(reads) : null); } });
  counted.pipe(slow);
  counted.pipe(fast);
  await new Promise((resolve) => fast.on('finish', resolve));
  log('reads', reads);

  // unpipe() of everything, of streams that are not piped, and from inside.
  const multi = new Readable({ read() {} });
  const targets = [new PassThrough(), new PassThrough(), new PassThrough()];
  for (const target of targets) multi.pipe(target);
  multi.unpipe(new PassThrough());
  log(multi._readableState.pipes.length);
  multi.unpipe();
  log(multi._readableState.pipes.length, multi.readableFlowing);
  const ended = new Readable({ read() { this.push(null); } });
  ended.resume();
  await tick();
  const target = new PassThrough();
  ended.pipe(target);
  await tick();
  log(target.writableEnded);

  // Old streams.
  const old = new Stream();
  old.readable = true;
  old.pause = () => log('old pause');
  old.resume = () => log('old resume');
  const narrow = new Writable({ highWaterMark: 1, write(chunk, e, callback) { log('narrow', String(chunk)); setImmediate(callback); } });
  old.pipe(narrow);
  old.emit('data', 'one');
  old.emit('data', 'two');
  for (let i = 0; i < 4; i++) await tick();
  old.emit('end');
  await tick();
  log(narrow.writableFinished);
  const wrapped = new Readable({ objectMode: true }).wrap(old);
  wrapped.on('data', (chunk) => log('wrapped', chunk)).on('end', () => log('wrapped end'));
  old.emit('data', { three: 3 });
  old.emit('end');
  await tick();
})();
