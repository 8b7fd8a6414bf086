'use strict';
// Streams of the old kind and of other packages: pipe() of Stream, destroy(), addAbortSignal(), finished(), and the questions
// about the state of a stream.
const stream = require('node:stream');
const EventEmitter = require('node:events');
const { Duplex, PassThrough, Readable, Stream, Transform, Writable, addAbortSignal, finished } = stream;
const log = console.log;
const tick = () => new Promise(setImmediate);
const describe = (error) => (error ? `${error.name} ${error.code} ${error.message} ${error.cause ?? ''}` : error);
const attempt = (name, fn) => { try { log(name, fn()); } catch (error) { log(name, describe(error)); } };
const counts = (emitter) => emitter.eventNames().map((name) => `${String(name)}:${emitter.listenerCount(name)}`).join();

class OldSource extends Stream {
  readable = true;
  pause() { log('pause'); }
  resume() { log('resume'); }
}
class OldSink extends Stream {
  writable = true;
  write(chunk) { log('write', chunk); return chunk !== 'full'; }
  end() { log('end'); }
  destroy() { log('destroy'); }
}

(async () => {
  for (const last of ['end', 'close']) {
    for (const options of [undefined, { end: false }]) {
      const source = new OldSource();
      const sink = new OldSink();
      sink.on('pipe', (from) => log('piped', from === source));
      log(source.pipe(sink, options) === sink, counts(source), counts(sink));
      source.emit('data', 'a');
      source.emit('data', 'full');
      sink.emit('drain');
      source.emit(last);
      log(counts(source), counts(sink));
      source.emit(last === 'end' ? 'close' : 'end');
    }
  }
  for (const place of ['source', 'sink']) {
    const streams = { source: new OldSource(), sink: new OldSink() };
    streams.source.pipe(streams.sink);
    attempt(`${place} fails`, () => streams[place].emit('error', new Error('unheard')));
    log(counts(streams.source), counts(streams.sink));
    streams.source.pipe(streams.sink);
    streams[place].on('error', (error) => log('heard', error.message));
    streams[place].emit('error', new Error('again'));
  }
  const real = new PassThrough();
  const old = new OldSource();
  old.pipe(real);
  old.emit('data', 'into a real one');
  old.emit('end');
  log(String(real.read()), real.writableEnded);

  // destroy()
  const closable = Object.assign(new EventEmitter(), { write() {}, close() { log('closed'); } });
  const bare = Object.assign(new EventEmitter(), { write() {} });
  const request = Object.assign(new EventEmitter(), { write() {}, setHeader() {}, abort() { log('request aborted'); } });
  const response = Object.assign(new EventEmitter(), { write() {}, req: request });
  for (const [name, one] of Object.entries({ closable, bare, request, response, readable: new Readable({ read() {} }), duplex: new PassThrough() })) {
    for (const event of ['error', 'close']) one.on(event, (error) => log(name, event, describe(error)));
    stream.destroy(one);
    stream.destroy(one, new Error('second'));
    await tick();
    log(name, stream.isDestroyed(one), one.destroyed);
  }
  const failing = Object.assign(new EventEmitter(), { write() {} }).on('error', (error) => log(describe(error))).on('close', () => log('close'));
  stream.destroy(failing, new Error('given'));
  for (const value of [undefined, null]) attempt('destroy nothing', () => stream.destroy(value));
  await tick();

  // addAbortSignal()
  const controller = new AbortController();
  const ones = [new Readable({ read() {} }), new Writable({ write() {} }), new PassThrough()];
  for (const one of ones) log(addAbortSignal(controller.signal, one.on('error', (error) => log(describe(error)))) === one);
  const web = new ReadableStream({});
  addAbortSignal(controller.signal, web);
  const done = new PassThrough();
  addAbortSignal(controller.signal, done);
  done.resume().end();
  await tick();
  controller.abort(new RangeError('reason'));
  await tick();
  log(done.errored, await web.getReader().read().catch(describe));
  for (const args of [[1, new PassThrough()], [undefined, new PassThrough()], [controller.signal, {}], [controller.signal, null], [{}, new PassThrough()]]) {
    attempt('addAbortSignal', () => addAbortSignal(...args));
  }
  attempt('option', () => new Readable({ signal: 1 }));
  const late = new Duplex({ signal: AbortSignal.abort('before'), readable: false, read() {}, write() {} }).on('error', (error) => log(describe(error)));
  log(late.destroyed, late.readable, late.writable);
  await tick();

  // Questions.
  const all = {
    'readable': new Readable({ read() {} }), 'writable': new Writable({ write() {} }), 'duplex': new PassThrough(), 'half': new Duplex({ readable: false, write() {} }),
    'other half': new Duplex({ writable: false, read() {} }), 'ended': new PassThrough().resume().end(), 'destroyed': new PassThrough().destroy(),
    'errored': new PassThrough().on('error', () => {}).destroy(new Error('e')), 'read': Readable.from([1]).resume(), 'web': new ReadableStream(), 'web writable': new WritableStream(),
    'transform': new TransformStream(), 'old': new OldSource(), 'sink': new OldSink(), 'emitter': new EventEmitter(), 'object': {}, 'null': null, 'number': 1,
    'flags': { readable: true, writable: false, pipe() {}, on() {} },
  };
  await tick();
  for (const [name, one] of Object.entries(all)) {
    log(name, stream.isReadable(one), stream.isWritable(one), stream.isErrored(one), stream.isDisturbed(one), stream.isDestroyed(one));
    attempt('finished', () => typeof finished(one, (error) => log('finished', name, describe(error))));
  }
  await tick();

  // Events in the order of the class.
  for (const one of [new Readable(), new Writable(), new PassThrough()]) {
    for (const event of ['x', 'drain', 'data', 'error', 'finish', 'end', 'close', 'readable']) one.on(event, () => {});
    log(one.eventNames());
  }

  // Names and methods of the classes.
  for (const Class of [Stream, Readable, Writable, Duplex, Transform, PassThrough]) {
    log(Class.name, Class.length, Object.keys(Class).join(), Object.keys(Class.prototype).sort().join());
    attempt('called', () => Class.call(undefined, { read() {}, write() {} }) instanceof Class);
    log(Object.getPrototypeOf(Class).name);
  }
  for (const name of ['pipeline', 'finished', 'destroy', 'compose', 'addAbortSignal', 'duplexPair', 'isReadable', 'promises']) {
    log(name, stream[name].name, stream[name].length, Reflect.ownKeys(stream[name]).map(String).join());
  }
  for (const name of ['map', 'filter', 'flatMap', 'take', 'drop', 'every', 'forEach', 'reduce', 'toArray', 'some', 'find']) {
    log(name, Readable.prototype[name].name, Readable.prototype[name].length);
    attempt('new', () => new Readable.prototype[name]());
  }
})();
