// Shared by the files of node:tls: owners for OpenSSL's objects of TLS and X.509, and the input of
// their parsers.
// Thread: the loop's only, unless it says otherwise.
#pragma once

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>

#include "bindings/crypto/openssl.h"

namespace rondo::bindings::tls {

using crypto::FreeWith;

struct FreeCertificates {
  void operator()(STACK_OF(X509) * list) const { sk_X509_pop_free(list, X509_free); }
};

using Bio = std::unique_ptr<BIO, FreeWith<BIO_free_all>>;
using Certificate = std::unique_ptr<X509, FreeWith<X509_free>>;
using Certificates = std::unique_ptr<STACK_OF(X509), FreeCertificates>;
using Key = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using Session = std::unique_ptr<SSL_SESSION, FreeWith<SSL_SESSION_free>>;
using Ssl = std::unique_ptr<SSL, FreeWith<SSL_free>>;
using SslContext = std::unique_ptr<SSL_CTX, FreeWith<SSL_CTX_free>>;
using Store = std::unique_ptr<X509_STORE, FreeWith<X509_STORE_free>>;

// For OpenSSL's readers of PEM where there is no passphrase: without it they would ask at the
// terminal.
inline int no_passphrase(char*, int, int, void*) { return 0; }

// The bytes of a string or view as a source for OpenSSL's readers; null if they are too long for
// it. The input must outlive the result.
inline Bio reader_of(const crypto::Input& input) {
  if (input.size() > INT_MAX) return nullptr;
  return Bio(BIO_new_mem_buf(input.size() == 0 ? "" : reinterpret_cast<const char*>(input.data()),
                             static_cast<int>(input.size())));
}

// True if the newest error of OpenSSL only says that a text has no more parts, which is how every
// list in PEM ends.
inline bool is_end_of_pem() {
  const unsigned long error = ERR_peek_last_error();
  return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}

// An ArrayBuffer with a copy of the bytes.
v8::Local<v8::Value> copy_of(v8::Isolate* isolate, const void* bytes, size_t size);
// The certificate in DER.
v8::Local<v8::Value> der_of(v8::Isolate* isolate, const X509* certificate);

}  // namespace rondo::bindings::tls
