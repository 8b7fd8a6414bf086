'use strict';
const EventEmitter = require('events');
const { on } = EventEmitter;
const log = console.log;

(async () => {
  const emitter = new EventEmitter();
  setImmediate(() => {
    emitter.emit('x', 1);
    emitter.emit('x', 2, 3);
    emitter.emit('end');
    emitter.emit('x', 4);
  });
  for await (const args of on(emitter, 'x', { close: ['end', 'finish'] })) log(args);
  log(emitter.eventNames());

  // Events before the first next() are queued.
  const iterator = on(emitter, 'x');
  log(Object.getPrototypeOf(iterator) === Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype));
  log(iterator[Symbol.asyncIterator]() === iterator);
  emitter.emit('x', 'early');
  const first = iterator.next();
  const second = iterator.next();
  const third = iterator.next();
  emitter.emit('x', 'late');
  log(await first, await second);
  emitter.emit('error', new Error('the third gets it'));
  await third.catch((error) => log(error.message));
  log(await iterator.next(), emitter.eventNames());

  // An error without a pending next() is kept for the next one.
  const kept = on(emitter, 'x');
  emitter.emit('x', 1);
  emitter.emit('error', new Error('kept'));
  log(await kept.next());
  await kept.next().catch((error) => log(error.message));
  log(await kept.next());

  const returned = on(emitter, 'x');
  emitter.emit('x', 1);
  const waiting = [returned.next(), returned.next()];
  log(await returned.return(), await Promise.all(waiting), await returned.next());

  const thrown = on(emitter, 'x');
  thrown.throw(new TypeError('thrown in'));
  await thrown.next().catch((error) => log(error.name, error.message));
  log(emitter.eventNames());

  const controller = new AbortController();
  setImmediate(() => {
    emitter.emit('x', 'before');
    controller.abort(new Error('reason'));
  });
  try {
    for await (const args of on(emitter, 'x', { signal: controller.signal })) log(args);
  } catch (error) {
    log(error.name, error.code, error.cause.message, emitter.eventNames());
  }

  // break ends it.
  setImmediate(() => emitter.emit('x', 'one'));
  for await (const args of on(emitter, 'x')) {
    log(args);
    break;
  }
  log(emitter.eventNames());

  // High and low water marks.
  emitter.pause = () => log('pause');
  emitter.resume = () => log('resume');
  const limited = on(emitter, 'x', { highWaterMark: 2, lowWaterMark: 1 });
  for (let i = 0; i < 4; i++) emitter.emit('x', i);
  for (let i = 0; i < 4; i++) log(await limited.next());

  const target = new EventTarget();
  const events = on(target, 'ping');
  target.dispatchEvent(new Event('ping'));
  const { value } = await events.next();
  log(value.length, value[0].type);
  await events.return();
  log(EventEmitter.getEventListeners(target, 'ping'));
})();
