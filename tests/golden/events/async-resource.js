'use strict';
const { EventEmitterAsyncResource } = require('events');
const { AsyncLocalStorage, AsyncResource, executionAsyncId, triggerAsyncId, executionAsyncResource } = require('async_hooks');
const log = console.log;

const storage = new AsyncLocalStorage();
const emitter = storage.run('where it was made', () => new EventEmitterAsyncResource({ name: 'Thing' }));
emitter.on('x', function (value) {
  log(value, storage.getStore(), this === emitter);
  log(executionAsyncId() === emitter.asyncId, triggerAsyncId() === emitter.triggerAsyncId);
  log(executionAsyncResource() === emitter.asyncResource, emitter.asyncResource instanceof AsyncResource);
});
storage.run('where it is emitted', () => log(emitter.emit('x', 1)));
log(emitter.asyncResource.eventEmitter === emitter, emitter.emitDestroy());
log(new EventEmitterAsyncResource('Text') instanceof EventEmitterAsyncResource);
class Sub extends EventEmitterAsyncResource {}
log(typeof new Sub().asyncId, new Sub({ captureRejections: true }).emit('x'));

for (const options of [undefined, null, 1, {}, { name: 1 }, { name: 'a', triggerAsyncId: 'x' }]) {
  try {
    new EventEmitterAsyncResource(options);
    log('made');
  } catch (error) {
    log(error.name, error.code, error.message);
  }
}
for (const name of ['asyncId', 'triggerAsyncId', 'asyncResource']) {
  try {
    Reflect.get(EventEmitterAsyncResource.prototype, name);
  } catch (error) {
    log(error.code, error.message);
  }
}
