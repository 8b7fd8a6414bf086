'use strict';
// The async iterator of a Readable: calls that overlap, microtasks for each chunk, chunks that are promises, return() and
// throw(). And 'readable' and 'end' of a stream that ended while nothing listened.
const { PassThrough, Readable, pipeline } = require('node:stream');
const log = console.log;
const tick = () => new Promise(setImmediate);
let turns = 0;
const count = async (n) => { for (turns = 0; turns < n; turns++) await null; };

(async () => {
  for (const make of [
    () => Readable.from([1, 2, 3]), () => Readable.from((async function*() { yield 1; yield 2; })()),
    () => Readable.from(['a']).pipe(new PassThrough()), () => Readable.from(['a', 'b']).iterator({ destroyOnReturn: false }),
  ]) {
    const stream = make();
    const counting = count(40);
    for await (const chunk of stream) log('chunk', String(chunk), turns);
    await counting;
  }
  const counting = count(40);
  pipeline(Readable.from(['a']), new PassThrough(), async (source) => {
    for await (const chunk of source) log('in pipeline', String(chunk), turns);
  }, (error) => log('pipeline', error));
  await counting;
  await tick();

  // Overlapping calls are answered in order.
  const many = new Readable({ objectMode: true, read() {} });
  const iterator = many[Symbol.asyncIterator]();
  log(iterator[Symbol.asyncIterator]() === iterator, iterator.stream === many, many.listenerCount('readable'));
  const answers = ['next 1', 'next 2', 'next 3', 'return', 'next 4', 'throw'].map((name) => {
    const [method] = name.split(' ');
    return iterator[method](method === 'throw' ? new Error('late') : name).then((value) => log(name, value), (error) => log(name, error.message));
  });
  for (const chunk of ['a', undefined, 'c']) {
    many.push(chunk);
    await tick();
  }
  await Promise.all(answers);
  log(many.destroyed, many.listenerCount('readable'));

  // Chunks that are promises.
  for (const chunks of [[Promise.resolve('x'), 'y'], [Promise.reject(new Error('no')), 'y']]) {
    chunks[0].catch(() => {});
    const stream = new Readable({ objectMode: true, read() {} });
    const each = stream[Symbol.asyncIterator]();
    const waiting = each.next().then((value) => log('waited', value), (error) => log('waited', error.message));
    for (const chunk of chunks) stream.push(chunk);
    await waiting;
    await each.next().then((value) => log(value), (error) => log(error.message));
    stream.push(chunks[0]);
    await each.next().then((value) => log(value), (error) => log(error.message));
    log(stream.destroyed);
    stream.destroy();
  }

  // Never started, and left in the middle.
  for (const options of [undefined, { destroyOnReturn: false }]) {
    for (const method of ['return', 'throw']) {
      for (const starts of [false, true]) {
        const stream = Readable.from([1, 2, 3]);
        const each = stream.iterator(options);
        if (starts) log(await each.next());
        await each[method]('v').then((value) => log(method, value), (error) => log(method, 'rejected', error));
        log(stream.destroyed, await each.next());
        stream.on('error', () => {}).destroy();
      }
    }
  }
  const broken = new Readable({ read() {} });
  const each = broken[Symbol.asyncIterator]();
  const pending = [each.next(), each.next()];
  broken.destroy(new Error('broken'));
  for (const { reason, value } of await Promise.allSettled(pending)) log(reason?.message, value);

  // The end came first.
  for (const event of ['readable', 'data', 'end']) {
    const stream = new Readable({ read() { this.push(null); } });
    stream.read(0);
    stream.on('end', () => log(event, 'end', turns));
    await tick();
    stream.on(event, () => log(event, stream.readableEnded));
    await tick();
    stream.read();
    await tick();
    log(event, stream.readableEnded);
  }
  const unshifted = new Readable({ read() {} });
  unshifted.on('end', () => log('end once'));
  unshifted.push(null);
  unshifted.read();
  unshifted.unshift('back');
  await tick();
  log(String(unshifted.read()), unshifted.read(), unshifted.read());
  await tick();
})();
