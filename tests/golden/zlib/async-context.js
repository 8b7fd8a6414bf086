'use strict';
// AsyncLocalStorage and async_hooks.
const zlib = require('node:zlib');
const { AsyncLocalStorage, createHook, executionAsyncId, triggerAsyncId } = require('node:async_hooks');

const storage = new AsyncLocalStorage();
const packed = zlib.gzipSync('abc');
const streams = [];
storage.run('outer', () => {
  streams.push(zlib.createGunzip());
  zlib.gzip('abc', () => {
    console.log('gzip', storage.getStore());
    zlib.gunzip('bad', (error) => {
      console.log('gunzip', error.code, storage.getStore());
      storage.run('inner', use);
    });
  });
});
function use() {
  const [stream] = streams;
  stream.on('end', () => {
    console.log('end', storage.getStore());
    hooks();
  });
  stream.on('data', () => console.log('data', storage.getStore()));
  stream.write(packed, () => console.log('written', storage.getStore()));
  stream.end();
}

function hooks() {
  const seen = new Map();
  const hook = createHook({
    init(id, type, trigger, resource) {
      if (type === 'ZLIB') seen.set(id, { trigger, isObject: typeof resource === 'object', before: 0, after: 0 });
    },
    before(id) {
      if (seen.has(id)) seen.get(id).before++;
    },
    after(id) {
      if (seen.has(id)) seen.get(id).after++;
    },
  }).enable();
  const before = executionAsyncId();
  const stream = zlib.createGunzip();
  stream.on('data', () => console.log('in data', seen.has(executionAsyncId()), triggerAsyncId() === before));
  stream.on('close', () => {
    hook.disable();
    const [one] = seen.values();
    console.log(seen.size, one.trigger === before, one.isObject, one.before > 0, one.before - one.after);
  });
  stream.end(packed);
}
