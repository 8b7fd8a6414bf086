'use strict';
// The certificates of a connection, as objects of Node's older form and as X509Certificate.

const { toLegacy } = internalBinding('crypto_x509');
const { makeCertificate, translatePeerCertificate } = require('internal/crypto/x509');

function toObject(certificate) {
  return translatePeerCertificate(toLegacy(certificate));
}

// Of the peer, or an empty object. With `isDetailed` each has its issuer as issuerCertificate; the last one has itself.
function peerCertificate(handle, isDetailed) {
  const list = handle.peerCertificates(isDetailed === true);
  if (list === undefined) return {};
  const count = list.length - 1;
  const first = toObject(list[0]);
  let last = first;
  for (let i = 1; i < count; i++) {
    last.issuerCertificate = toObject(list[i]);
    last = last.issuerCertificate;
  }
  if (isDetailed === true && list[count]) last.issuerCertificate = last;
  return first;
}

function ownCertificate(handle) {
  const certificate = handle.certificateHandle();
  return certificate === undefined ? {} : toObject(certificate);
}

function toX509(certificate) {
  return certificate === undefined ? undefined : makeCertificate(certificate);
}

module.exports = { ownCertificate, peerCertificate, toX509 };
