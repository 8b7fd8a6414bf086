// internalBinding('crypto_derive'): keys from passwords and from other keys, and digests on the
// pool. lib/internal/crypto checks the arguments.
#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <algorithm>
#include <climits>
#include <string>
#include <vector>

#include "bindings/crypto/job.h"
#include "bindings/crypto/keccak.h"
#include "runtime/values/binding.h"

namespace rondo::bindings {

namespace crypto {

namespace {

using runtime::Arguments;

using Kdf = std::unique_ptr<EVP_KDF, FreeWith<EVP_KDF_free>>;
using KdfContext = std::unique_ptr<EVP_KDF_CTX, FreeWith<EVP_KDF_CTX_free>>;

// Erases the secret when its memory is freed.
struct Secret {
  std::string bytes;

  Secret() = default;
  explicit Secret(const Input& input) : bytes(input.copy()) {}
  Secret(Secret&& other) noexcept : bytes(std::move(other.bytes)) { other.wipe(); }
  Secret& operator=(Secret&&) = delete;
  ~Secret() { wipe(); }
  void wipe() {
    OPENSSL_cleanse(bytes.data(), bytes.size());
    bytes.clear();
  }
  char* data() { return bytes.data(); }
  const uint8_t* units() const { return reinterpret_cast<const uint8_t*>(bytes.data()); }
  size_t size() const { return bytes.size(); }
};

// The common part: the secret, the salt, and the result.
struct Derivation {
  Secret secret;
  std::string salt;
  Memory out;
  size_t size = 0;

  v8::Local<v8::Value> result(v8::Isolate* isolate) {
    return runtime::own_memory(isolate, out.release(), size);
  }
};

// lib has checked it; other values count as 0.
size_t size_of(v8::Local<v8::Value> value) {
  return value->IsUint32() ? value.As<v8::Uint32>()->Value() : 0;
}

// False if memory is exhausted: an exception is pending.
bool begin(v8::Isolate* isolate, v8::Local<v8::Value> secret, v8::Local<v8::Value> salt,
           v8::Local<v8::Value> size, Derivation* derivation) {
  const Input first(isolate, secret);
  const Input second(isolate, salt);
  if (!first.is_valid() || !second.is_valid()) return false;
  derivation->secret.bytes = first.copy();
  derivation->salt = second.copy();
  derivation->size = size_of(size);
  derivation->out = allocate(isolate, derivation->size);
  return derivation->out != nullptr;
}

struct Pbkdf2 : Derivation {
  static constexpr const char* kLabel = "pbkdf2";
  static constexpr const char* kFailed = "PBKDF2 derivation failed";
  Digest digest;
  int iterations = 1;

  bool run() {
    if (size == 0) return false;  // As in Node, although the standard defines a result.
    if (secret.size() > INT_MAX || salt.size() > INT_MAX) return false;
    return PKCS5_PBKDF2_HMAC(secret.data(), static_cast<int>(secret.size()),
                             reinterpret_cast<const uint8_t*>(salt.data()),
                             static_cast<int>(salt.size()), iterations, digest.get(),
                             static_cast<int>(size), out.get()) == 1;
  }
};

// pbkdf2(password, salt, iterations, size, digest, callback): false if there is no such digest.
void pbkdf2(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Pbkdf2 task;
  task.digest = share(digest_of(isolate, info[4]));
  if (task.digest == nullptr) {
    take_errors();
    info.GetReturnValue().Set(false);
    return;
  }
  RONDO_EXPECT(info, info[2]->IsInt32());
  task.iterations = info[2].As<v8::Int32>()->Value();
  if (!begin(isolate, info[0], info[1], info[3], &task)) return;
  run_or_submit(info, std::move(task), info[5]);
}

struct Scrypt : Derivation {
  static constexpr const char* kLabel = "scrypt";
  static constexpr const char* kFailed = "Scrypt failed";
  uint64_t n = 0;
  uint64_t r = 0;
  uint64_t p = 0;
  uint64_t most_memory = 0;

  bool run() {
    if (size == 0) return true;
    return EVP_PBE_scrypt(secret.data(), secret.size(),
                          reinterpret_cast<const uint8_t*>(salt.data()), salt.size(), n, r, p,
                          most_memory, out.get(), size) == 1;
  }
};

// scrypt(password, salt, size, N, r, p, maxmem, callback): a string with the reason if OpenSSL does
// not accept the parameters.
void scrypt(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Scrypt task;
  task.n = size_of(info[3]);
  task.r = size_of(info[4]);
  task.p = size_of(info[5]);
  RONDO_EXPECT(info, info[6]->IsNumber());
  task.most_memory = static_cast<uint64_t>(info[6].As<v8::Number>()->Value());
  // Without an output buffer it only checks the parameters.
  take_errors();
  if (EVP_PBE_scrypt(nullptr, 0, nullptr, 0, task.n, task.r, task.p, task.most_memory, nullptr,
                     0) != 1) {
    const std::vector<unsigned long> errors = take_errors();
    const std::string reason = errors.empty() ? "" : error_text(errors.front());
    info.GetReturnValue().Set(runtime::literal(isolate, reason));
    return;
  }
  if (!begin(isolate, info[0], info[1], info[2], &task)) return;
  run_or_submit(info, std::move(task), info[7]);
}

struct Hkdf : Derivation {
  static constexpr const char* kLabel = "hkdf";
  static constexpr const char* kFailed = "HKDF derivation failed";
  std::string digest;
  std::string context;

  // An empty secret is valid, but OpenSSL 3.0's own interface for HKDF refuses it: so the two steps
  // of RFC 5869 are implemented here.
  bool run() {
    if (size == 0) return false;  // As in Node, although the standard defines a result.
    Digest md(EVP_MD_fetch(nullptr, digest.c_str(), nullptr));
    if (md == nullptr) return false;
    // HKDF uses HMAC, which digests of variable length do not support.
    if ((EVP_MD_get_flags(md.get()) & EVP_MD_FLAG_XOF) != 0) return false;
    const size_t block = digest_size(md.get());
    const std::string zeros(block, '\0');
    const std::string& key = salt.empty() ? zeros : salt;
    Secret extracted;
    extracted.bytes.resize(block);
    if (!hmac(key, secret.bytes, &extracted.bytes)) return false;
    Secret previous;
    for (size_t at = 0, round = 1; at < size; at += block, ++round) {
      Secret message;
      message.bytes = previous.bytes + context + static_cast<char>(round);
      previous.bytes.resize(block);
      if (!hmac(extracted.bytes, message.bytes, &previous.bytes)) return false;
      std::copy_n(previous.units(), std::min(block, size - at), out.get() + at);
    }
    return true;
  }

 private:
  bool hmac(const std::string& key, const std::string& message, std::string* result) const {
    size_t written = 0;
    return EVP_Q_mac(nullptr, "HMAC", nullptr, digest.c_str(), nullptr, key.data(), key.size(),
                     reinterpret_cast<const uint8_t*>(message.data()), message.size(),
                     reinterpret_cast<uint8_t*>(result->data()), result->size(),
                     &written) != nullptr;
  }
};

// hkdf(digest, key, salt, info, size, callback): false if there is no such digest, null if the
// result would be longer than the algorithm allows.
void hkdf(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const EVP_MD* const digest = digest_of(isolate, info[0]);
  if (digest == nullptr) {
    take_errors();
    info.GetReturnValue().Set(false);
    return;
  }
  if (size_of(info[4]) > 255 * digest_size(digest)) {
    info.GetReturnValue().SetNull();
    return;
  }
  Hkdf task;
  task.digest = EVP_MD_get0_name(digest);
  const Input context(isolate, info[3]);
  if (!context.is_valid()) return;
  task.context = context.copy();
  if (!begin(isolate, info[1], info[2], info[4], &task)) return;
  run_or_submit(info, std::move(task), info[5]);
}

struct Argon2 : Derivation {
  static constexpr const char* kLabel = "argon2";
  static constexpr const char* kFailed = "Argon2 derivation failed";
  std::string algorithm;
  Secret key;
  std::string associated;
  uint32_t lanes = 1;
  uint32_t memory = 8;  // In KiB.
  uint32_t passes = 1;

  bool run() {
    const Kdf kdf(EVP_KDF_fetch(nullptr, algorithm.c_str(), nullptr));
    if (kdf == nullptr) return false;
    const KdfContext context(EVP_KDF_CTX_new(kdf.get()));
    if (context == nullptr) return false;
    std::vector<OSSL_PARAM> params;
    const auto octets = [&params](const char* name, std::string& bytes) {
      params.push_back(OSSL_PARAM_construct_octet_string(name, bytes.data(), bytes.size()));
    };
    octets(OSSL_KDF_PARAM_PASSWORD, secret.bytes);
    octets(OSSL_KDF_PARAM_SALT, salt);
    if (!key.bytes.empty()) octets(OSSL_KDF_PARAM_SECRET, key.bytes);
    if (!associated.empty()) octets(OSSL_KDF_PARAM_ARGON2_AD, associated);
    params.push_back(OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_ARGON2_LANES, &lanes));
    params.push_back(OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_ARGON2_MEMCOST, &memory));
    params.push_back(OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_ITER, &passes));
    params.push_back(OSSL_PARAM_construct_end());
    return EVP_KDF_derive(context.get(), out.get(), size, params.data()) == 1;
  }
};

// argon2(algorithm, message, nonce, secret, associatedData, size, lanes, memory, passes, callback)
void argon2(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Argon2 task;
  task.algorithm = runtime::to_std(isolate, info[0]);
  const Input key(isolate, info[3]);
  const Input associated(isolate, info[4]);
  if (!key.is_valid() || !associated.is_valid()) return;
  task.key.bytes = key.copy();
  task.associated = associated.copy();
  task.lanes = static_cast<uint32_t>(size_of(info[6]));
  task.memory = static_cast<uint32_t>(size_of(info[7]));
  task.passes = static_cast<uint32_t>(size_of(info[8]));
  if (!begin(isolate, info[1], info[2], info[5], &task)) return;
  run_or_submit(info, std::move(task), info[9]);
}

struct DigestTask {
  static constexpr const char* kLabel = "digest";
  static constexpr const char* kFailed = "Digest failed";
  Digest digest;
  std::string data;
  Memory out;
  size_t size = 0;

  bool run() {
    return EVP_Digest(data.data(), data.size(), out.get(), nullptr, digest.get(), nullptr) == 1;
  }
  v8::Local<v8::Value> result(v8::Isolate* isolate) {
    return runtime::own_memory(isolate, out.release(), size);
  }
};

// digest(algorithm, data, callback), of a copy of the data: false if there is no such digest.
void digest(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  DigestTask task;
  task.digest = share(digest_of(isolate, info[0]));
  if (task.digest == nullptr) {
    take_errors();
    info.GetReturnValue().Set(false);
    return;
  }
  const Input data(isolate, info[1]);
  if (!data.is_valid()) return;
  task.data = data.copy();
  task.size = static_cast<size_t>(EVP_MD_get_size(task.digest.get()));
  task.out = allocate(isolate, task.size);
  if (task.out == nullptr) return;
  run_or_submit(info, std::move(task), info[2]);
}

struct KeccakTask {
  static constexpr const char* kLabel = "digest";
  static constexpr const char* kFailed = "Digest failed";
  std::string family;
  int strength = 0;
  uint8_t domain = 0;
  std::string function_name;
  std::string customization;
  std::string data;
  Memory out;
  size_t size = 0;

  static ByteSpan bytes(const std::string& text) {
    return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
  }
  bool run() {
    const std::span<uint8_t> result(static_cast<uint8_t*>(out.get()), size);
    if (family == "cSHAKE") {
      cshake(strength, bytes(function_name), bytes(customization), bytes(data), result);
    } else if (family == "TurboSHAKE") {
      turbo_shake(strength, domain, bytes(data), result);
    } else {
      kangaroo_twelve(strength, bytes(customization), bytes(data), result);
    }
    return true;
  }
  v8::Local<v8::Value> result(v8::Isolate* isolate) {
    return runtime::own_memory(isolate, out.release(), size);
  }
};

// keccak(family, 128 or 256, data, number of bytes, domain, function name, customization,
// callback): the digests that OpenSSL does not have. The last three inputs are for some families
// only.
void keccak(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[1]->IsInt32() && info[4]->IsInt32());
  KeccakTask task;
  task.family = runtime::to_std(isolate, info[0]);
  task.strength = info[1].As<v8::Int32>()->Value();
  task.domain = static_cast<uint8_t>(info[4].As<v8::Int32>()->Value());
  const Input data(isolate, info[2]);
  const Input function_name(isolate, info[5]);
  const Input customization(isolate, info[6]);
  if (!data.is_valid() || !function_name.is_valid() || !customization.is_valid()) return;
  task.data = data.copy();
  task.function_name = function_name.copy();
  task.customization = customization.copy();
  task.size = size_of(info[3]);
  task.out = allocate(isolate, task.size);
  if (task.out == nullptr) return;
  run_or_submit(info, std::move(task), info[7]);
}

constexpr runtime::Method kMethods[] = {
    {"pbkdf2", pbkdf2}, {"scrypt", scrypt}, {"hkdf", hkdf},
    {"argon2", argon2}, {"digest", digest}, {"keccak", keccak},
};

}  // namespace

}  // namespace crypto

extern const runtime::Binding crypto_derive;
const runtime::Binding crypto_derive{"crypto_derive", crypto::kMethods};

}  // namespace rondo::bindings
