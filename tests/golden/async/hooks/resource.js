'use strict';
const { AsyncResource, executionAsyncId, triggerAsyncId, executionAsyncResource } = require('async_hooks');
const log = console.log;

const resource = new AsyncResource('Mine');
log(typeof resource.asyncId(), resource.asyncId() > 1, resource.triggerAsyncId() === executionAsyncId());
const value = resource.runInAsyncScope(function (a, b) {
  log(this.me, a, b);
  log(executionAsyncId() === resource.asyncId(), triggerAsyncId() === resource.triggerAsyncId());
  log(executionAsyncResource() === resource);
  const inner = new AsyncResource('Inner');
  log(inner.triggerAsyncId() === resource.asyncId());
  inner.runInAsyncScope(() => log(executionAsyncId() === inner.asyncId()));
  log(executionAsyncId() === resource.asyncId());
  return 'value';
}, { me: 'this' }, 1, 2);
log(value, executionAsyncId(), triggerAsyncId(), typeof executionAsyncResource());
try {
  resource.runInAsyncScope(() => {
    throw new RangeError('thrown');
  });
} catch (error) {
  log(error.message, executionAsyncId());
}
log(new AsyncResource('WithTrigger', 5).triggerAsyncId(), new AsyncResource('x', { triggerAsyncId: 7 }).triggerAsyncId());
log(resource.emitDestroy() === resource);

const bound = resource.bind(function (a, b) {
  return [this, a, b, executionAsyncId() === resource.asyncId()];
});
log(bound.length, bound.name, bound.call('me', 1, 2));
log(resource.bind(function () {
  return this;
}, 'fixed').call('other'));
const fixed = AsyncResource.bind(function named(a) {
  return [this?.me, a];
}, 'Type', { me: 1 });
log(fixed(2), fixed.length);
const free = AsyncResource.bind(function (a) {
  return [this?.me, a];
});
log(free.call({ me: 'caller' }, 3));

class Sub extends AsyncResource {
  constructor() {
    super('Sub');
  }
}
log(new Sub() instanceof AsyncResource);

// Ids in callbacks.
const main = executionAsyncId();
setTimeout(() => {
  const timeout = executionAsyncId();
  log('timeout', timeout !== main, triggerAsyncId() === main);
  setImmediate(() => log('immediate', executionAsyncId() !== timeout, triggerAsyncId() === timeout));
  process.nextTick(() => log('tick', executionAsyncId() !== timeout, triggerAsyncId() === timeout));
}, 1);
