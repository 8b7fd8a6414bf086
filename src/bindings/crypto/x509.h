// Certificates: the native handle of X509Certificate, and the forms in which JavaScript sees a
// certificate. Used by node:crypto and by TLS.
// Thread: the loop's only.
#pragma once

#include <string>
#include <vector>

#include "bindings/crypto/key.h"

namespace rondo::bindings::crypto {

class CertificateHandle final : public runtime::Wrap {
 public:
  // A new handle, as an object for lib, whose makeCertificate() in internal/crypto/x509 creates the
  // X509Certificate. `issuers` are the certificates above this one in its chain, the next first.
  static v8::Local<v8::Object> create(runtime::Realm& realm, Certificate certificate,
                                      std::vector<Certificate> issuers = {});

  X509* certificate() const { return certificate_.get(); }
  const std::vector<Certificate>& issuers() const { return issuers_; }

 private:
  CertificateHandle(runtime::Realm& realm, Certificate certificate,
                    std::vector<Certificate> issuers);
  ~CertificateHandle() override;

  Certificate certificate_;
  std::vector<Certificate> issuers_;
};

// The object of Node's getPeerCertificate(), in which infoAccess is still a text:
// translatePeerCertificate() in internal/crypto/x509 completes it. Empty if V8 has failed.
v8::MaybeLocal<v8::Object> to_legacy_object(v8::Isolate* isolate, X509* certificate);

// ---- Parts of a certificate as text in Node's form; empty if it has none

std::string name_text(const X509_NAME* name);
// The text of the extension subjectAltName or authorityInfoAccess. False if the certificate does
// not have it, or if it cannot be read.
bool extension_text(X509* certificate, int nid, std::string* text);
std::string time_text(const ASN1_TIME* time);
std::string serial_number(X509* certificate);
std::string fingerprint(X509* certificate, const EVP_MD* digest);
// Object identifiers of the extended key usage. False if there is none.
bool key_usage(X509* certificate, std::vector<std::string>* usages);

}  // namespace rondo::bindings::crypto
