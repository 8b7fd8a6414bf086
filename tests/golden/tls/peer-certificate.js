'use strict';
// getPeerCertificate() and its relatives, with the chain of issuers.
const { connect, pair } = require('./fixtures/keys');

function show(certificate) {
  const { subject, issuer, subjectaltname, infoAccess, serialNumber, fingerprint256, ca, bits, nistCurve } = certificate;
  console.log({ subject, issuer, subjectaltname, infoAccess, serialNumber, fingerprint256, ca, bits, nistCurve });
}
connect({ requestCert: true, ca: require('./fixtures/keys').ca }, pair('client'), (client, other) => {
  let certificate = client.getPeerCertificate(true);
  for (let i = 0; i < 5; i++) {
    show(certificate);
    if (certificate.issuerCertificate === certificate) break;
    certificate = certificate.issuerCertificate;
  }
  console.log('without issuers', client.getPeerCertificate().issuerCertificate);
  console.log(client.getCertificate().subject.CN, other.getCertificate().subject.CN, other.getPeerCertificate().subject.CN);
  console.log(other.authorized, other.authorizationError);
  console.log(client.getPeerX509Certificate().subject, client.getX509Certificate().subject);
  console.log(other.getPeerX509Certificate().checkIssued(client.getPeerX509Certificate()));
  client.end();
});
