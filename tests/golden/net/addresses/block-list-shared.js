'use strict';
// Clones of a BlockList share their rules, also across threads.
const { BlockList } = require('node:net');
const { once } = require('node:events');
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');

if (!isMainThread) {
  const { list, name, count } = workerData;
  if (count) {
    for (let i = 0; i < count; i++) list.addAddress(`10.${name}.0.${i}`);
    for (let i = 0; i < count; i += 2) list.removeAddress(`10.${name}.0.${i}`);
    return;
  }
  parentPort.on('message', (message) => {
    if (message === 'add') list.addRange('10.1.0.1', '10.1.0.9');
    if (message === 'clear') list.clear();
    parentPort.postMessage([list.size, list.rules, list.check('10.0.0.1'), list.check('::1', 'ipv6')]);
    if (message === 'end') parentPort.close();
  });
  return;
}

(async () => {
  const list = new BlockList();
  list.addAddress('1.2.3.4');
  list.addSubnet('10.0.0.0', 24);
  list.addAddress('::ffff:1.2.3.5', 'ipv6');
  list.addRange('::1', '::5', 'ipv6');
  const clone = structuredClone(list);
  console.log(clone !== list, clone.rules, clone.size);
  clone.addAddress('1.1.1.1');
  clone.removeSubnet('10.0.0.0', 24);
  console.log(list.check('1.1.1.1'), list.check('10.0.0.1'), list.rules, list);
  const again = structuredClone(clone);
  list.addCIDR('10.0.0.0/8');
  console.log(again.check('10.9.9.9'), again.size);
  Array.prototype.toJSON = () => 'patched';
  clone.addAddresses(['2.2.2.2', '2.2.2.3']);
  console.log(list.rules, again.check('2.2.2.3'));
  delete Array.prototype.toJSON;

  const worker = new Worker(__filename, { workerData: { list } });
  for (const message of ['look', 'add', 'clear']) {
    worker.postMessage(message);
    const [[size, rules, first, second]] = await once(worker, 'message');
    console.log(message, size, rules.length, first, second, list.size, clone.rules);
  }
  list.fromJSON(['Address: IPv4 9.9.9.9', 'Nothing', 'Subnet: IPv6 fe80::/10']);
  const exited = once(worker, 'exit');
  worker.postMessage('end');
  console.log(...(await once(worker, 'message')));
  await exited;

  // Threads that change it at the same time.
  const workers = [1, 2, 3].map((name) => new Worker(__filename, { workerData: { list: clone, name, count: 60 } }));
  await Promise.all(workers.map((one) => once(one, 'exit')));
  console.log(list.size, list.check('10.1.0.1'), list.check('10.3.0.59'), list.check('10.2.0.58'));
})();
