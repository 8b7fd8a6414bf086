import { setTimeout as sleep } from 'node:timers/promises';

async function work() {
  await sleep(10);
  await null;
  return 1;
}

await work();
