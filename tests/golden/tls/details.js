'use strict';
// The results of a handshake.
const tls = require('tls');
const { connect } = require('./fixtures/keys');

function show(version, done) {
  connect({ maxVersion: version }, { requestOCSP: false }, (client, other) => {
    console.log(version, client.getProtocol(), client.getCipher(), client.getEphemeralKeyInfo(), other.getEphemeralKeyInfo());
    console.log(client.getFinished().equals(other.getPeerFinished()), client.getPeerFinished().equals(other.getFinished()));
    console.log(other.getSharedSigalgs().slice(0, 3));
    const label = 'EXPORTER-test';
    const keys = [client, other].map((socket) => socket.exportKeyingMaterial(32, label, Buffer.from('context')));
    console.log(keys[0].length, keys[0].equals(keys[1]), keys[0].equals(client.exportKeyingMaterial(32, label)));
    for (const args of [[0, label], [1, 1], [32, label, 'text']]) {
      try { client.exportKeyingMaterial(...args); } catch (error) { console.log(error.code); }
    }
    console.log(client.setMaxSendFragment(1000), client.setMaxSendFragment(10), client.getSession().length > 100);
    try { client.setMaxSendFragment('x'); } catch (error) { console.log(error.code); }
    console.log(client.address().family, client.remoteAddress, client.remoteFamily, other.localAddress);
    client.end();
    client.on('close', () => {
      console.log(client.getCipher(), client.getProtocol(), client.getSession(), client.getPeerCertificate(), client.isSessionReused());
    });
  }, done);
}
show('TLSv1.3', () => show('TLSv1.2'));
console.log(tls.DEFAULT_MIN_VERSION, tls.DEFAULT_MAX_VERSION, tls.DEFAULT_ECDH_CURVE, tls.CLIENT_RENEG_LIMIT, tls.CLIENT_RENEG_WINDOW);
console.log(tls.DEFAULT_CIPHERS);
console.log(tls.getCiphers().join());
console.log(tls.getCertificateCompressionAlgorithms());
console.log(Object.keys(tls).join());
