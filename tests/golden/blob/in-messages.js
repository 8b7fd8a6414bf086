'use strict';
// Blobs are cloned wherever they stand, also into another thread.
const { Worker, MessageChannel, receiveMessageOnPort } = require('worker_threads');
(async () => {
  const blob = new Blob(['héllo ', new Uint8Array([33])], { type: 'text/Plain' });
  const clone = structuredClone({ list: [blob, blob.slice(0, 2)] });
  console.log(clone, clone.list[0] instanceof Blob, clone.list[0] !== blob, await clone.list[0].text());
  const twice = structuredClone([blob, blob]);
  console.log(twice[0] === twice[1]);
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(new Map([[1, blob]]));
  console.log(await receiveMessageOnPort(port2).message.get(1).text());
  port1.close();
  new Worker('const { workerData, parentPort } = require("worker_threads"); workerData.b.text().then((t) => parentPort.postMessage([t, workerData.b.type, new Blob(["back"])]))', { eval: true, workerData: { b: blob } })
    .on('message', async ([text, type, back]) => console.log(text, type, await back.text()));
  const file = new File(['x'], 'name.txt');
  console.log(structuredClone(file).constructor.name);
  console.log(Object.getPrototypeOf(Blob.prototype) === Object.prototype);
})();
