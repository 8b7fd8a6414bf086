'use strict';
// Options of createSecureContext() and their errors.
const tls = require('tls');
const { pair, read } = require('./fixtures/keys');

function attempt(options) {
  const shown = JSON.stringify(options, (key, value) => (value?.type === 'Buffer' ? 'bytes' : value));
  try {
    const { context } = tls.createSecureContext(options);
    console.log(shown, 'ok', context.getMinProto().toString(16), context.getMaxProto().toString(16));
  } catch (error) {
    console.log(shown, error.name, error.code, error.message.split('\n')[0]);
  }
}
attempt();
attempt(null);
for (const minVersion of ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3', 'TLSv1.4', 3]) attempt({ minVersion });
attempt({ minVersion: 'TLSv1.2', secureProtocol: 'TLSv1_2_method' });
for (const secureProtocol of ['TLS_method', 'SSLv23_method', 'TLSv1_2_server_method', 'SSLv3_method', 'SSLv2_client_method', 'x']) {
  attempt({ secureProtocol });
}
for (const ciphers of ['TLS_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256', 'nothing', 'TLS_nothing', ':', 1]) attempt({ ciphers });
for (const ecdhCurve of ['auto', 'prime256v1', 'P-256:X25519', 'nothing', 1]) attempt({ ecdhCurve });
attempt({ sigalgs: 'ecdsa_secp256r1_sha256' });
attempt({ sigalgs: '' });
attempt({ sigalgs: 'nothing' });
attempt({ ...pair('server') });
attempt({ key: pair('client').key, cert: pair('server').cert });
attempt({ key: 'no key' });
attempt({ cert: 'no certificate' });
attempt({ key: read('client-encrypted-key.pem') });
attempt({ key: read('client-encrypted-key.pem'), passphrase: 'wrong' });
attempt({ key: 1 });
attempt({ cert: {} });
attempt({ ca: [1] });
attempt({ crl: 'no list' });
attempt({ pfx: 'nothing' });
attempt({ pfx: read('client.p12') });
attempt({ pfx: read('client.p12'), passphrase: 'wrong' });
attempt({ pfx: [{ buf: read('client.p12'), passphrase: 'secret' }] });
attempt({ dhparam: 'auto' });
attempt({ dhparam: 'nothing' });
attempt({ ticketKeys: Buffer.alloc(47) });
attempt({ ticketKeys: 'text' });
attempt({ sessionTimeout: -1 });
try { tls.createSecureContext({ sessionIdContext: 'x'.repeat(33) }); } catch (error) { console.log(error.name, /too long/.test(error.message)); }
attempt({ privateKeyIdentifier: 'a' });
attempt({ privateKeyIdentifier: 'a', privateKeyEngine: 1 });
attempt({ clientCertEngine: 1 });
attempt({ certificateCompression: 'zlib' });
attempt({ certificateCompression: ['zlib', 'brotli', 'zstd'] });
attempt({ certificateCompression: ['gzip'] });
attempt({ certificateCompression: ['zlib'], maxVersion: 'TLSv1.2' });
const keys = Buffer.alloc(48, 7);
console.log(tls.createSecureContext({ ticketKeys: keys }).context.getTicketKeys().equals(keys));
console.log(tls.createSecureContext().context.getCertificate(), tls.createSecureContext(pair('other')).context.getCertificate().length > 300);
