'use strict';
// Keys and certificates in other threads, and jobs that other threads end.
const { readFileSync } = require('node:fs');
const { createPrivateKey, createPublicKey, sign, verify, X509Certificate } = require('node:crypto');
const { join } = require('node:path');
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
if (isMainThread) {
  const load = (name) => readFileSync(join(__dirname, '../fixtures', name));
  const privateKey = createPrivateKey(load('rsa-key.pem'));
  const web = createPublicKey(privateKey).toCryptoKey({ name: 'RSA-PSS', hash: 'SHA-256' }, true, ['verify']);
  const worker = new Worker(__filename);
  worker.postMessage({ privateKey, web, certificate: new X509Certificate(load('leaf-cert.pem')) });
  worker.on('message', ({ signature, type, algorithm, subject }) => {
    console.log(verify('sha256', Buffer.from('a'), createPublicKey(privateKey), signature), type, algorithm, subject);
  });
  worker.on('exit', (code) => console.log('exit', code));
} else {
  parentPort.once('message', ({ privateKey, web, certificate }) => {
    parentPort.postMessage({
      signature: sign('sha256', Buffer.from('a'), privateKey), type: privateKey.asymmetricKeyType,
      algorithm: web.algorithm.name, subject: certificate.subject,
    });
    // These do not end before the thread.
    for (let i = 0; i < 20; i++) sign('sha256', Buffer.alloc(1000), privateKey, () => {});
    process.exit(3);
  });
}
