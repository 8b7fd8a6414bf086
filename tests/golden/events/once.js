'use strict';
const EventEmitter = require('events');
const { once } = EventEmitter;
const log = console.log;

(async () => {
  const emitter = new EventEmitter();
  setImmediate(() => emitter.emit('x', 1, 2));
  log(await once(emitter, 'x'), emitter.eventNames());

  setImmediate(() => emitter.emit('error', new Error('instead')));
  await once(emitter, 'x').catch((error) => log(error.message, emitter.eventNames()));

  setImmediate(() => emitter.emit('error', new Error('as an event')));
  const [error] = await once(emitter, 'error');
  log(error.message, emitter.eventNames());

  const controller = new AbortController();
  setImmediate(() => controller.abort('enough'));
  await once(emitter, 'x', { signal: controller.signal }).catch((error) => {
    log(error.name, error.code, error.message, error.cause, emitter.eventNames());
  });

  // A signal that is not used is not listened to afterwards.
  const idle = new AbortController();
  setImmediate(() => emitter.emit('x'));
  log(await once(emitter, 'x', { signal: idle.signal }), EventEmitter.getEventListeners(idle.signal, 'abort').length);
  idle.abort();

  const target = new EventTarget();
  setImmediate(() => target.dispatchEvent(new Event('ping')));
  const [event] = await once(target, 'ping');
  log(event.type, event.target === target, EventEmitter.getEventListeners(target, 'ping'));

  // 'error' means nothing special on an EventTarget.
  setImmediate(() => {
    target.dispatchEvent(new Event('error'));
    target.dispatchEvent(new Event('pong'));
  });
  log((await once(target, 'pong'))[0].type);

  // Two who wait for the same event.
  setImmediate(() => emitter.emit('both', 'same'));
  log(await Promise.all([once(emitter, 'both'), once(emitter, 'both')]));
  log(once[Symbol.toStringTag], once(emitter, 'never') instanceof Promise);
})();
