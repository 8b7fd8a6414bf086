// An object that says it is of an unknown kind cannot be read: its message is an error.
'use strict';
const fs = require('fs/promises');
const { MessageChannel } = require('worker_threads');

async function main() {
  for (const deserializeInfo of [`${__filename}:NotARealClass`, 'net:NotARealTransferable']) {
    const handle = await fs.open(__filename);
    const kTransfer = Object.getOwnPropertySymbols(Object.getPrototypeOf(handle))
      .find((symbol) => symbol.description === 'messaging_transfer_symbol');
    handle[kTransfer] = () => ({ data: 'x', deserializeInfo });
    const { port1, port2 } = new MessageChannel();
    port1.postMessage(handle, [handle]);
    const error = await new Promise((resolve) => {
      port2.on('message', resolve);
      port2.on('messageerror', resolve);
    });
    console.log(error.message.replace(__filename, 'FILE'));
    port2.close();
    delete handle[kTransfer];
    // Under Node it cannot be closed any more.
    if (process.versions.rondo) await handle.close();
  }
}
main();
