// Profiles that a worker records of itself on request.
'use strict';
const { Worker } = require('worker_threads');

async function main() {
  const worker = new Worker("require('worker_threads').parentPort.on('message', () => {})", { eval: true });
  await new Promise((resolve) => worker.once('online', resolve));
  for (const [name, options] of [
    ['startCpuProfile', { maxBufferSize: 0 }], ['startCpuProfile', 'x'], ['startCpuProfile', { sampleInterval: '1' }],
    ['startHeapProfile', 'bad'], ['startHeapProfile', { sampleInterval: 1.1 }], ['startHeapProfile', { stackDepth: -1 }],
    ['startHeapProfile', { forceGC: 'true' }], ['startHeapProfile', { includeObjectsCollectedByMajorGC: 1 }],
  ]) {
    try {
      await worker[name](options);
    } catch (error) {
      console.log(name, error.code, error.message);
    }
  }
  const one = await worker.startCpuProfile();
  const two = await worker.startCpuProfile({ sampleInterval: 0.5, maxBufferSize: 8 });
  console.log(one.constructor.name);
  console.log(Object.keys(JSON.parse(await one.stop())).sort(), Object.keys(JSON.parse(await two.stop())).sort());
  console.log(await one.stop() === await one.stop(), one.stop() === one.stop());
  {
    await using cpu = await worker.startCpuProfile();
    console.log(typeof cpu.stop);
  }
  const heap = await worker.startHeapProfile({ sampleInterval: 1024, stackDepth: 8, forceGC: true });
  await worker.startHeapProfile().catch((error) => console.log(error.code));
  console.log(heap.constructor.name, Object.keys(JSON.parse(await heap.stop())).sort());
  await worker.startCpuProfile(); // Ends with the worker.
  const late = await worker.startCpuProfile();
  await worker.terminate();
  for (const ask of [() => worker.startCpuProfile(), () => worker.startHeapProfile(), () => late.stop()]) {
    await ask().catch((error) => console.log(error.code));
  }
}
main();
