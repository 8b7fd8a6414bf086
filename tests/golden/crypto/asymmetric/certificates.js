'use strict';
// X509Certificate and Certificate with a certificate that has all kinds of names.
const { readFileSync } = require('node:fs');
const { Certificate, createPrivateKey, createPublicKey, X509Certificate } = require('node:crypto');
const { join } = require('node:path');
const fixture = (name) => readFileSync(join(__dirname, '../fixtures', name));
const leaf = new X509Certificate(fixture('leaf-cert.pem'));
const ca = new X509Certificate(fixture('ca-cert.pem').toString());
for (const certificate of [leaf, ca]) {
  console.log(certificate);
  console.log(certificate.ca, certificate.raw.length, certificate.publicKey.asymmetricKeyType, certificate.issuerCertificate);
  console.log(certificate.toLegacyObject());
  console.log(certificate.toString() === certificate.toJSON(), new X509Certificate(certificate.raw).fingerprint === certificate.fingerprint);
}
const attempt = (name, run) => {
  try {
    console.log(name, run());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
for (const name of ['localhost', 'LOCALHOST', 'a.rondo.test', 'a.b.rondo.test', 'rondo.test', 'evil.test', '', 'a\0b', 1]) {
  attempt(`host ${JSON.stringify(name)}`, () => leaf.checkHost(name));
}
for (const options of [{ wildcards: false }, { subject: 'never' }, { subject: 'always' }, { subject: 'none' }, { wildcards: 1 }, { singleLabelSubdomains: true }, null]) {
  attempt(JSON.stringify(options), () => leaf.checkHost('a.rondo.test', options));
}
for (const address of ['127.0.0.1', '::1', '127.0.0.2', 'x', 1]) attempt(`address ${address}`, () => leaf.checkIP(address));
for (const email of ['someone@rondo.test', 'x@rondo.test', 1]) attempt(`email ${email}`, () => leaf.checkEmail(email));
const key = createPrivateKey(fixture('rsa-key.pem'));
attempt('issued', () => [leaf.checkIssued(ca), ca.checkIssued(leaf), ca.checkIssued(ca)].join(' '));
attempt('issued', () => leaf.checkIssued({}));
attempt('verify', () => [leaf.verify(createPublicKey(key)), ca.verify(ca.publicKey), ca.verify(leaf.publicKey)].join(' '));
attempt('verify', () => leaf.verify(key));
attempt('private key', () => [ca.checkPrivateKey(key), leaf.checkPrivateKey(key)].join(' '));
attempt('private key', () => leaf.checkPrivateKey(leaf.publicKey));
for (const input of ['', 'x', Buffer.alloc(0), Buffer.alloc(10), 1, undefined]) attempt('new', () => new X509Certificate(input).subject);
attempt('clone', () => structuredClone(leaf).fingerprint === leaf.fingerprint);
const spkac = fixture('spkac.txt').toString().trim();
attempt('spkac', () => [Certificate.verifySpkac(spkac), Certificate.exportChallenge(spkac).toString(), Certificate.exportPublicKey(spkac).toString().split('\n')[1]].join(' '));
attempt('spkac', () => [Certificate.verifySpkac('x'), Certificate.exportChallenge('x'), Certificate.exportPublicKey(Buffer.from('x')), new Certificate().verifySpkac('')].join('|'));
attempt('spkac', () => Certificate().exportChallenge(1));
