// Public and private keys: owners for OpenSSL's objects, the native handle of a KeyObject, and
// reading and writing the encoded forms. Used by node:crypto and by TLS.
// Thread: the loop's only, unless a function says otherwise.
#pragma once

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/crypto/openssl.h"
#include "runtime/values/wrap.h"

namespace rondo::bindings::crypto {

using Bio = std::unique_ptr<BIO, FreeWith<BIO_free_all>>;
using Number = std::unique_ptr<BIGNUM, FreeWith<BN_clear_free>>;
using Pkey = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using PkeyContext = std::unique_ptr<EVP_PKEY_CTX, FreeWith<EVP_PKEY_CTX_free>>;
using Certificate = std::unique_ptr<X509, FreeWith<X509_free>>;

// Bytes that are erased when their memory is freed. Not copied, so that a moved secret leaves no
// copy in the inline memory of a string.
class Secret {
 public:
  Secret() = default;
  explicit Secret(size_t size) : bytes_(size) {}
  Secret(const void* data, size_t size)
      : bytes_(static_cast<const uint8_t*>(data), static_cast<const uint8_t*>(data) + size) {}
  explicit Secret(const Input& input) : Secret(input.data(), input.size()) {}
  Secret(Secret&&) noexcept = default;
  Secret& operator=(Secret&& other) noexcept {
    wipe();
    bytes_ = std::move(other.bytes_);
    return *this;
  }
  ~Secret() { wipe(); }
  uint8_t* data() { return bytes_.data(); }
  const uint8_t* data() const { return bytes_.data(); }
  size_t size() const { return bytes_.size(); }
  // Erases the bytes beyond `size`, which is at most size().
  void truncate(size_t size) {
    OPENSSL_cleanse(bytes_.data() + size, bytes_.size() - size);
    bytes_.resize(size);
  }

 private:
  void wipe() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }
  std::vector<uint8_t> bytes_;
};

// Another reference to the same key; any thread. Null gives null.
inline Pkey share(EVP_PKEY* key) {
  return Pkey(key != nullptr && EVP_PKEY_up_ref(key) == 1 ? key : nullptr);
}
inline Certificate share(X509* certificate) {
  return Certificate(certificate != nullptr && X509_up_ref(certificate) == 1 ? certificate
                                                                             : nullptr);
}

enum class KeyKind : int32_t { public_key, private_key };

// The native handle of a public or private KeyObject. The key never changes, so any thread may use
// a reference to it. A handle of a public key may hold a key with private parts, and functions must
// not reveal these.
class KeyHandle final : public runtime::Wrap {
 public:
  // A new handle, as an object for lib.
  static v8::Local<v8::Object> create(runtime::Realm& realm, KeyKind kind, Pkey key);

  KeyKind kind() const { return kind_; }
  bool is_private() const { return kind_ == KeyKind::private_key; }
  EVP_PKEY* key() const { return key_.get(); }
  Pkey share() const { return crypto::share(key_.get()); }

 private:
  KeyHandle(runtime::Realm& realm, KeyKind kind, Pkey key);
  ~KeyHandle() override;

  KeyKind kind_;
  Pkey key_;
};

// ---- Names

// Node's name of the key's algorithm, such as "rsa" or "ml-dsa-44"; null if it has none.
const char* algorithm_of(const EVP_PKEY* key);
// OpenSSL's name for one of Node's names; null if there is none.
const char* openssl_name(std::string_view algorithm);
inline bool is_algorithm(const EVP_PKEY* key, const char* openssl) {
  return EVP_PKEY_is_a(key, openssl) == 1;
}
// RSA with either padding.
inline bool is_any_rsa(const EVP_PKEY* key) {
  return is_algorithm(key, "RSA") || is_algorithm(key, "RSA-PSS");
}
// The number of a curve by OpenSSL's or NIST's name; NID_undef if there is none.
int curve_nid(const std::string& name);
// A number of the key, such as OSSL_PKEY_PARAM_RSA_E; null if it has none.
Number number_of_key(const EVP_PKEY* key, const char* param);

// A text of the key, such as OSSL_PKEY_PARAM_GROUP_NAME.
std::string text_of_key(const EVP_PKEY* key, const char* param, const char* otherwise = "");

// ---- Results of a binding's functions

void return_key(const runtime::Arguments& info, KeyKind kind, Pkey key);
// As an ArrayBuffer.
void return_bytes(const runtime::Arguments& info, const uint8_t* data, size_t size);

// ---- Reading and writing; any thread

enum class KeyFormat : int32_t { pem, der };
enum class KeyStructure : int32_t { none, pkcs1, pkcs8, spki, sec1 };

// A key that was read. Without a key, either the passphrase is missing, or OpenSSL's error queue
// may have the reason.
struct ReadKey {
  Pkey key;
  bool is_private = false;
  bool needs_passphrase = false;
};
// A null passphrase means that there is none. OpenSSL never asks for one on the terminal.
ReadKey read_private_key(KeyFormat format, KeyStructure structure, const uint8_t* data, size_t size,
                         const Secret* passphrase);
// Also reads the public key of a certificate in PEM, and private keys.
ReadKey read_any_key(KeyFormat format, KeyStructure structure, const uint8_t* data, size_t size,
                     const Secret* passphrase);

struct KeyEncoding {
  KeyFormat format = KeyFormat::pem;
  KeyStructure structure = KeyStructure::spki;
  Cipher cipher;  // Null: not encrypted. Only private keys can be encrypted.
  Secret passphrase;
};
// The encoded key; nothing if it failed.
std::optional<Secret> write_key(EVP_PKEY* key, KeyKind kind, const KeyEncoding& encoding);

// Certificates of a PEM text, in order; stops at the first that cannot be read, and then returns
// false, with the reason in the error queue.
bool read_certificates(const uint8_t* data, size_t size, std::vector<Certificate>* certificates);

// A read-only BIO of memory that outlives it; null if it is too large.
Bio read_only(const void* data, size_t size);
// The bytes that were written to a memory BIO.
std::string_view contents(BIO* bio);

// The password callback of OpenSSL: `passphrase` is a const Secret* or null, which is refused.
int give_passphrase(char* buffer, int size, int is_writing, void* passphrase);

}  // namespace rondo::bindings::crypto
