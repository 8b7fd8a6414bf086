// Web Locks: navigator.locks and worker_threads.locks.
'use strict';
const { AsyncLocalStorage } = require('async_hooks');
const dc = require('diagnostics_channel');
const { Worker, locks } = require('worker_threads');
const { setTimeout: sleep } = require('timers/promises');

function once(worker, event) {
  return new Promise((resolve) => worker.once(event, resolve));
}

async function misuse() {
  const { signal } = new AbortController();
  for (const args of [
    [], ['a'], [Symbol('x'), () => {}], ['a', 1], ['a', {}, 1], ['a', { mode: 'foo' }, () => {}], ['a', 1, () => {}],
    ['a', { signal: null }, () => {}], ['a', { signal: {} }, () => {}], ['-a', () => {}], ['a', { mode: Symbol() }, () => {}],
    ['a', { steal: true, ifAvailable: true }, () => {}], ['a', { steal: true, mode: 'shared' }, () => {}],
    ['a', { signal, steal: 1 }, () => {}], ['a', { signal, ifAvailable: 1 }, () => {}],
    ['a', { signal: AbortSignal.abort('why') }, () => {}], ['a', async () => { throw new Error('mine'); }],
    ['a', null, (lock) => lock.mode], [undefined, (lock) => lock.name], ['', (lock) => `<${lock.name}>`],
  ]) {
    try {
      console.log(await locks.request(...args));
    } catch (error) {
      console.log(error?.name, error?.code, error?.message ?? error);
    }
  }
}

async function inOneThread() {
  const log = [];
  const hold = (name, mode, label, ms) => locks.request(name, { mode }, async () => {
    log.push(`${label} begins`);
    await sleep(ms);
    log.push(`${label} ends`);
    return label;
  });
  console.log(await Promise.all([
    hold('a', 'exclusive', 'x1', 5), hold('a', 'shared', 's1', 60), hold('a', 'shared', 's2', 1),
    hold('a', 'exclusive', 'x2', 1), hold('a', 'shared', 's3', 1),
  ]));
  console.log(log.join(', '));

  await locks.request('b', async (lock) => {
    console.log(lock.name, lock.mode, Object.prototype.toString.call(lock));
    console.log(await locks.request('b', { ifAvailable: true }, (other) => other));
    const controller = new AbortController();
    const waits = locks.request('b', { signal: controller.signal }, () => console.log('never'));
    const { held, pending } = await locks.query();
    console.log(held.map(({ name, mode }) => `${name} ${mode}`), pending.map(({ name, mode }) => `${name} ${mode}`));
    console.log(held[0].clientId === `node-${process.pid}-0`);
    controller.abort(new Error('given up'));
    await waits.catch((error) => console.log(error.message));
  });

  const stolen = locks.request('c', () => sleep(20)).catch(({ name, message }) => console.log(name, message));
  console.log(await locks.request('c', { steal: true }, async ({ name }) => `stole ${name}`));
  await stolen;
  await sleep(30);
  console.log(await locks.query());

  const storage = new AsyncLocalStorage();
  await Promise.all([
    locks.request('d', () => sleep(1)),
    storage.run('mine', () => locks.request('e', async () => {
      await sleep(1);
      console.log(storage.getStore());
    })),
  ]);
}

async function channels() {
  for (const kind of ['start', 'grant', 'miss', 'end']) {
    dc.subscribe(`locks.request.${kind}`, ({ error, ...message }) => console.log(kind, message, error?.message));
  }
  await locks.request('f', async () => {
    await locks.request('f', { ifAvailable: true }, () => {});
  });
  await locks.request('f', { mode: 'shared' }, async () => { throw new Error('x'); })
    .catch(({ message }) => console.log(message));
}

async function betweenThreads() {
  const source = `
    const { parentPort } = require('worker_threads');
    navigator.locks.request('w', async () => {
      parentPort.postMessage('worker has it');
      await new Promise((resolve) => parentPort.once('message', resolve));
    });`;
  const worker = new Worker(source, { eval: true });
  console.log(await once(worker, 'message'));
  console.log('available:', await locks.request('w', { ifAvailable: true }, (lock) => lock !== null));
  const granted = locks.request('w', async () => {
    console.log('main has it');
    const other = new Worker(`
      require('worker_threads').parentPort.postMessage('asks');
      navigator.locks.request('w', () => console.log('never'));
      setInterval(() => {}, 1000);`, { eval: true });
    console.log(await once(other, 'message'));
    await other.terminate();
  });
  worker.postMessage('end');
  await granted;
  // A worker that is terminated gives its locks back.
  const third = new Worker(source, { eval: true });
  console.log(await once(third, 'message'));
  await third.terminate();
  console.log(await locks.request('w', async () => 'main has it again'));
}

async function main() {
  console.log(locks === navigator.locks, Object.keys(Object.getPrototypeOf(locks)), `${locks}`);
  await misuse();
  await inOneThread();
  await betweenThreads();
  await channels();
}
main();
