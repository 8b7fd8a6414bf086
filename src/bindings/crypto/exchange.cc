// internalBinding('crypto_exchange'): secrets that two keys agree on, and key encapsulation.
// lib/internal/crypto checks the arguments.
#include <openssl/core_names.h>
#include <openssl/dh.h>
#include <openssl/err.h>

#include <climits>
#include <cstring>
#include <utility>

#include "bindings/crypto/job.h"
#include "bindings/crypto/key.h"
#include "runtime/values/binding.h"

namespace rondo::bindings {

namespace crypto {

namespace {

using runtime::Arguments;
using runtime::ErrorClass;
using runtime::throw_coded;
using runtime::Wrap;

v8::Local<v8::ArrayBuffer> to_buffer(v8::Isolate* isolate, const Secret& bytes) {
  const v8::Local<v8::ArrayBuffer> buffer = v8::ArrayBuffer::New(isolate, bytes.size());
  if (bytes.size() > 0) std::memcpy(buffer->Data(), bytes.data(), bytes.size());
  return buffer;
}

struct Agreement {
  static constexpr const char* kLabel = "key agreement";
  static constexpr const char* kFailed = "Deriving bits failed";
  static constexpr bool kShowsCause = true;
  Pkey own;
  Pkey peer;
  Secret secret;

  bool run() {
    const PkeyContext context(EVP_PKEY_CTX_new_from_pkey(nullptr, own.get(), nullptr));
    size_t size = 0;
    if (context == nullptr || EVP_PKEY_derive_init(context.get()) <= 0 ||
        EVP_PKEY_derive_set_peer(context.get(), peer.get()) <= 0) {
      return false;
    }
    // The secret has the size of the prime.
    if (is_algorithm(own.get(), "DH") && EVP_PKEY_CTX_set_dh_pad(context.get(), 1) <= 0) {
      return false;
    }
    if (EVP_PKEY_derive(context.get(), nullptr, &size) <= 0) return false;
    secret = Secret(size);
    if (EVP_PKEY_derive(context.get(), secret.data(), &size) <= 0 || size == 0) return false;
    secret.truncate(size);
    return true;
  }
  v8::Local<v8::Value> result(v8::Isolate* isolate) { return to_buffer(isolate, secret); }
};

// agree(privateKey, publicKey, callback): an ArrayBuffer.
void agree(const Arguments& info) {
  auto* const own = Wrap::of<KeyHandle>(info[0]);
  auto* const peer = Wrap::of<KeyHandle>(info[1]);
  RONDO_EXPECT(info, own != nullptr && peer != nullptr);
  Agreement task;
  task.own = own->share();
  task.peer = peer->share();
  run_or_submit(info, std::move(task), info[2]);
}

// RSA and curves have several methods; Node uses these.
bool set_method(const EVP_PKEY* key, EVP_PKEY_CTX* context) {
  const char* method = nullptr;
  if (is_algorithm(key, "RSA")) method = "RSASVE";
  if (is_algorithm(key, "EC") || is_algorithm(key, "X25519") || is_algorithm(key, "X448")) {
    method = "DHKEM";
  }
  return method == nullptr || EVP_PKEY_CTX_set_kem_op(context, method) > 0;
}

struct Encapsulation {
  static constexpr const char* kLabel = "encapsulation";
  static constexpr const char* kFailed = "Encapsulation failed";
  Pkey key;
  Secret secret;
  Secret wrapped;

  Refused refusal() const { return {"ERR_CRYPTO_OPERATION_FAILED", kFailed}; }
  bool run() {
    const PkeyContext context(EVP_PKEY_CTX_new_from_pkey(nullptr, key.get(), nullptr));
    size_t wrapped_size = 0;
    size_t secret_size = 0;
    if (context == nullptr || EVP_PKEY_encapsulate_init(context.get(), nullptr) <= 0 ||
        !set_method(key.get(), context.get()) ||
        EVP_PKEY_encapsulate(context.get(), nullptr, &wrapped_size, nullptr, &secret_size) <= 0) {
      return false;
    }
    wrapped = Secret(wrapped_size);
    secret = Secret(secret_size);
    if (EVP_PKEY_encapsulate(context.get(), wrapped.data(), &wrapped_size, secret.data(),
                             &secret_size) <= 0) {
      return false;
    }
    wrapped.truncate(wrapped_size);
    secret.truncate(secret_size);
    return true;
  }
  v8::Local<v8::Value> result(v8::Isolate* isolate) {
    v8::Local<v8::Value> both[] = {to_buffer(isolate, secret), to_buffer(isolate, wrapped)};
    return v8::Array::New(isolate, both, 2);
  }
};

// encapsulate(key, callback): [secret, ciphertext]
void encapsulate(const Arguments& info) {
  auto* const handle = Wrap::of<KeyHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr);
  Encapsulation task;
  task.key = handle->share();
  run_or_submit(info, std::move(task), info[1]);
}

struct Decapsulation {
  static constexpr const char* kLabel = "decapsulation";
  static constexpr const char* kFailed = "Decapsulation failed";
  Pkey key;
  Secret secret;
  Secret wrapped;

  Refused refusal() const { return {"ERR_CRYPTO_OPERATION_FAILED", kFailed}; }
  bool run() {
    const PkeyContext context(EVP_PKEY_CTX_new_from_pkey(nullptr, key.get(), nullptr));
    size_t size = 0;
    if (context == nullptr || EVP_PKEY_decapsulate_init(context.get(), nullptr) <= 0 ||
        !set_method(key.get(), context.get()) ||
        EVP_PKEY_decapsulate(context.get(), nullptr, &size, wrapped.data(), wrapped.size()) <= 0) {
      return false;
    }
    secret = Secret(size);
    if (EVP_PKEY_decapsulate(context.get(), secret.data(), &size, wrapped.data(), wrapped.size()) <=
        0) {
      return false;
    }
    secret.truncate(size);
    return true;
  }
  v8::Local<v8::Value> result(v8::Isolate* isolate) { return to_buffer(isolate, secret); }
};

// decapsulate(key, ciphertext, callback): an ArrayBuffer.
void decapsulate(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const handle = Wrap::of<KeyHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr && handle->is_private());
  const Input wrapped(isolate, info[1]);
  if (!wrapped.is_valid()) return;
  if (wrapped.size() > INT_MAX) {
    return throw_coded(isolate, ErrorClass::range_error, "ERR_OUT_OF_RANGE",
                       "ciphertext is too big");
  }
  Decapsulation task;
  task.key = handle->share();
  task.wrapped = Secret(wrapped);
  run_or_submit(info, std::move(task), info[2]);
}

constexpr runtime::Method kMethods[] = {
    {"agree", agree},
    {"encapsulate", encapsulate},
    {"decapsulate", decapsulate},
};

}  // namespace

}  // namespace crypto

extern const runtime::Binding crypto_exchange;
const runtime::Binding crypto_exchange{"crypto_exchange", crypto::kMethods};

}  // namespace rondo::bindings
