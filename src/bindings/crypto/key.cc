#include "bindings/crypto/key.h"

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/objects.h>

#include <array>
#include <utility>

namespace rondo::bindings::crypto {

namespace {

// Approximate size of OpenSSL's allocations for a key.
constexpr int64_t kKeyBytes = 4096;

// Node's name and OpenSSL's.
constexpr std::pair<const char*, const char*> kAlgorithms[] = {
    {"rsa", "RSA"},
    {"rsa-pss", "RSA-PSS"},
    {"dsa", "DSA"},
    {"dh", "DH"},
    {"ec", "EC"},
    {"ed25519", "ED25519"},
    {"ed448", "ED448"},
    {"x25519", "X25519"},
    {"x448", "X448"},
    {"ml-dsa-44", "ML-DSA-44"},
    {"ml-dsa-65", "ML-DSA-65"},
    {"ml-dsa-87", "ML-DSA-87"},
    {"ml-kem-512", "ML-KEM-512"},
    {"ml-kem-768", "ML-KEM-768"},
    {"ml-kem-1024", "ML-KEM-1024"},
    {"slh-dsa-sha2-128f", "SLH-DSA-SHA2-128f"},
    {"slh-dsa-sha2-128s", "SLH-DSA-SHA2-128s"},
    {"slh-dsa-sha2-192f", "SLH-DSA-SHA2-192f"},
    {"slh-dsa-sha2-192s", "SLH-DSA-SHA2-192s"},
    {"slh-dsa-sha2-256f", "SLH-DSA-SHA2-256f"},
    {"slh-dsa-sha2-256s", "SLH-DSA-SHA2-256s"},
    {"slh-dsa-shake-128f", "SLH-DSA-SHAKE-128f"},
    {"slh-dsa-shake-128s", "SLH-DSA-SHAKE-128s"},
    {"slh-dsa-shake-192f", "SLH-DSA-SHAKE-192f"},
    {"slh-dsa-shake-192s", "SLH-DSA-SHAKE-192s"},
    {"slh-dsa-shake-256f", "SLH-DSA-SHAKE-256f"},
    {"slh-dsa-shake-256s", "SLH-DSA-SHAKE-256s"},
};

}  // namespace

KeyHandle::KeyHandle(runtime::Realm& realm, KeyKind kind, Pkey key)
    : Wrap(realm, kind_of<KeyHandle>()), kind_(kind), key_(std::move(key)) {
  isolate()->AdjustAmountOfExternalAllocatedMemory(kKeyBytes);
  release();
}

KeyHandle::~KeyHandle() { isolate()->AdjustAmountOfExternalAllocatedMemory(-kKeyBytes); }

v8::Local<v8::Object> KeyHandle::create(runtime::Realm& realm, KeyKind kind, Pkey key) {
  return (new KeyHandle(realm, kind, std::move(key)))->object();
}

const char* algorithm_of(const EVP_PKEY* key) {
  for (const auto& [name, openssl] : kAlgorithms) {
    if (is_algorithm(key, openssl)) return name;
  }
  return nullptr;
}

const char* openssl_name(std::string_view algorithm) {
  for (const auto& [name, openssl] : kAlgorithms) {
    if (algorithm == name) return openssl;
  }
  return nullptr;
}

int curve_nid(const std::string& name) {
  int nid = EC_curve_nist2nid(name.c_str());
  if (nid == NID_undef) nid = OBJ_sn2nid(name.c_str());
  return nid;
}

Number number_of_key(const EVP_PKEY* key, const char* param) {
  BIGNUM* number = nullptr;
  if (EVP_PKEY_get_bn_param(key, param, &number) != 1) return nullptr;
  return Number(number);
}

std::string text_of_key(const EVP_PKEY* key, const char* param, const char* otherwise) {
  std::array<char, 80> text{};
  if (EVP_PKEY_get_utf8_string_param(key, param, text.data(), text.size(), nullptr) != 1) {
    return otherwise;
  }
  return text.data();
}

void return_key(const runtime::Arguments& info, KeyKind kind, Pkey key) {
  ERR_clear_error();
  info.GetReturnValue().Set(
      KeyHandle::create(runtime::Realm::of(info.GetIsolate()), kind, std::move(key)));
}

void return_bytes(const runtime::Arguments& info, const uint8_t* data, size_t size) {
  v8::Isolate* const isolate = info.GetIsolate();
  v8::Local<v8::Value> result;
  if (to_output(isolate, data, size, v8::Undefined(isolate)).ToLocal(&result)) {
    info.GetReturnValue().Set(result);
  }
}

}  // namespace rondo::bindings::crypto
