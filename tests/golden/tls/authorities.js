'use strict';
// The certificates that are trusted by default.
const tls = require('tls');
const { ca, connect } = require('./fixtures/keys');

console.log(tls.rootCertificates === tls.getCACertificates('bundled'), Object.isFrozen(tls.rootCertificates));
console.log(tls.rootCertificates.length, tls.getCACertificates().length === tls.rootCertificates.length);
console.log(tls.rootCertificates.every((text) => /^-----BEGIN CERTIFICATE-----\n[^]*\n-----END CERTIFICATE-----$/.test(text)));
console.log(require('crypto').createHash('sha256').update(tls.rootCertificates.join()).digest('hex'));
console.log(tls.getCACertificates('extra'));
for (const call of [
  () => tls.getCACertificates('none'), () => tls.getCACertificates(1), () => tls.setDefaultCACertificates('x'),
  () => tls.setDefaultCACertificates([1]), () => tls.setDefaultCACertificates(['nothing']),
]) {
  try { console.log(call()); } catch (error) { console.log(error.code, error.message); }
}
tls.setDefaultCACertificates([ca, ca.toString()]);
console.log(tls.getCACertificates().length, tls.getCACertificates()[0].trim() === ca.toString().trim(), tls.rootCertificates.length > 100);
connect({}, { ca: undefined }, (client) => {
  console.log('authorized', client.authorized);
  client.end();
}, () => {
  tls.setDefaultCACertificates([]);
  console.log(tls.getCACertificates());
  const { session } = connect({}, { ca: undefined }, (client) => client.end());
  console.log(session);
});
