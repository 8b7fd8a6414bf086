// KeyObject and CryptoKey are cloned, wherever they stand in a message.
'use strict';
const crypto = require('crypto');
const { MessageChannel, Worker, receiveMessageOnPort } = require('worker_threads');

function post(value, list) {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(value, list);
  const { message } = receiveMessageOnPort(port2);
  port1.close();
  return message;
}

const key = crypto.createSecretKey(Buffer.from('0123456789abcdef'));
const clone = post(key);
console.log(clone !== key, clone instanceof crypto.KeyObject, clone.type, clone.symmetricKeySize, clone.equals(key));
console.log(clone.export(), clone.constructor.name);
console.log(structuredClone({ keys: [key, key] }).keys.map((one) => one.export().toString()));
const both = structuredClone([key, key]);
console.log(both[0] === both[1]);
try {
  post(key, [key]);
} catch (error) {
  console.log(error.name, error.message, key.export().length);
}
console.log(post(crypto.createSecretKey('a short one', 'utf8')).export().toString());
const hmac = (with_) => crypto.createHmac('sha256', with_).update('data').digest('hex');
console.log(hmac(clone) === hmac(key));

(async () => {
  const cryptoKey = await crypto.subtle.importKey('raw', Buffer.from('secret'), { name: 'HMAC', hash: 'SHA-256' }, true,
                                                  ['sign', 'verify']);
  const cloned = post({ cryptoKey }).cryptoKey;
  console.log(cloned, cloned instanceof CryptoKey, cloned !== cryptoKey);
  console.log(Buffer.from(await crypto.subtle.exportKey('raw', cloned)).toString());
  const sign = async (one) => Buffer.from(await crypto.subtle.sign('HMAC', one, Buffer.from('data'))).toString('hex');
  console.log(await sign(cloned) === await sign(cryptoKey));
  const closed = await crypto.subtle.importKey('raw', Buffer.from('secret'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  console.log(post(closed).extractable, post(closed).usages);

  const worker = new Worker(`
    const { parentPort, workerData } = require('worker_threads');
    const crypto = require('crypto');
    parentPort.postMessage([
      workerData.key instanceof crypto.KeyObject,
      crypto.createHmac('sha256', workerData.key).update('data').digest('hex'),
      workerData.key,
    ]);`, { eval: true, workerData: { key } });
  worker.on('message', ([isKey, digest, back]) => console.log(isKey, digest === hmac(key), back.equals(key)));
})();
