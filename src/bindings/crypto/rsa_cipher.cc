// internalBinding('crypto_rsa'): encryption with RSA keys. lib/internal/crypto checks the
// arguments.
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/rsa.h>

#include <climits>
#include <cstring>
#include <utility>

#include "bindings/crypto/job.h"
#include "bindings/crypto/key.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"

namespace rondo::bindings {

namespace crypto {

namespace {

using runtime::Arguments;
using runtime::ErrorClass;
using runtime::throw_coded;
using runtime::Wrap;

enum class Operation : int32_t { encrypt, decrypt, sign, recover, count };
constexpr runtime::Constant kOperations[] = {
    {"kPublicEncrypt", Operation::encrypt},
    {"kPrivateDecrypt", Operation::decrypt},
    {"kPrivateEncrypt", Operation::sign},
    {"kPublicDecrypt", Operation::recover},
};
static_assert(runtime::names_all(kOperations, Operation::count));

using Begin = int (*)(EVP_PKEY_CTX* context);
using Run = int (*)(EVP_PKEY_CTX* context, unsigned char* out, size_t* out_size,
                    const unsigned char* in, size_t in_size);
struct Steps {
  Begin begin;
  Run run;
};
// In the order of Operation.
constexpr Steps kSteps[] = {
    {EVP_PKEY_encrypt_init, EVP_PKEY_encrypt},
    {EVP_PKEY_decrypt_init, EVP_PKEY_decrypt},
    {EVP_PKEY_sign_init, EVP_PKEY_sign},
    {EVP_PKEY_verify_recover_init, EVP_PKEY_verify_recover},
};

struct RsaTask {
  static constexpr const char* kLabel = "rsa";
  // Node's message for an operation that the key does not support.
  static constexpr const char* kFailed = "error:00000000:lib(0)::reason(0)";
  static constexpr bool kShowsCause = true;
  Pkey key;
  Operation operation = Operation::encrypt;
  int padding = 0;
  Digest digest;
  Secret label;
  Secret data;
  Secret out;

  bool run() {
    const Steps& steps = kSteps[static_cast<size_t>(operation)];
    const PkeyContext context(EVP_PKEY_CTX_new_from_pkey(nullptr, key.get(), nullptr));
    if (context == nullptr || steps.begin(context.get()) <= 0 ||
        EVP_PKEY_CTX_set_rsa_padding(context.get(), padding) <= 0) {
      return false;
    }
    if (digest && EVP_PKEY_CTX_set_rsa_oaep_md(context.get(), digest.get()) <= 0) return false;
    if (label.size() > 0 && !set_label(context.get())) return false;
    size_t size = 0;
    if (steps.run(context.get(), nullptr, &size, data.data(), data.size()) <= 0) return false;
    out = Secret(size);
    if (steps.run(context.get(), out.data(), &size, data.data(), data.size()) <= 0) return false;
    out.truncate(size);
    return true;
  }

  v8::Local<v8::Value> result(v8::Isolate* isolate) {
    const v8::Local<v8::ArrayBuffer> bytes = v8::ArrayBuffer::New(isolate, out.size());
    if (out.size() > 0) std::memcpy(bytes->Data(), out.data(), out.size());
    return bytes;
  }

 private:
  bool set_label(EVP_PKEY_CTX* context) const {
    // OpenSSL frees the copy, unless it refuses it.
    void* const copy = OPENSSL_memdup(label.data(), label.size());
    if (copy == nullptr) return false;
    if (EVP_PKEY_CTX_set0_rsa_oaep_label(context, copy, static_cast<int>(label.size())) > 0) {
      return true;
    }
    OPENSSL_free(copy);
    return false;
  }
};

// run(operation, key, data, padding, oaepHash, oaepLabel, callback): an ArrayBuffer; false if there
// is no such digest.
void run(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const handle = Wrap::of<KeyHandle>(info[1]);
  RONDO_EXPECT(info, info[0]->IsInt32() && handle != nullptr && info[3]->IsInt32());
  const int operation = info[0].As<v8::Int32>()->Value();
  RONDO_EXPECT(info, operation >= 0 && operation < static_cast<int>(Operation::count));
  RsaTask task;
  task.operation = static_cast<Operation>(operation);
  task.key = handle->share();
  task.padding = info[3].As<v8::Int32>()->Value();
  const Input data(isolate, info[2]);
  const Input label(isolate, info[5]);
  if (!data.is_valid() || !label.is_valid()) return;
  if (data.size() > INT_MAX || label.size() > INT_MAX) {
    return throw_coded(isolate, ErrorClass::range_error, "ERR_OUT_OF_RANGE",
                       data.size() > INT_MAX ? "buffer is too long" : "oaepLabel is too big");
  }
  if (info[4]->IsString()) {
    task.digest = share(digest_of(isolate, info[4]));
    ERR_clear_error();
    if (task.digest == nullptr) return info.GetReturnValue().Set(false);
  }
  task.data = Secret(data);
  task.label = Secret(label);
  run_or_submit(info, std::move(task), info[6]);
}

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, kOperations);
}

constexpr runtime::Method kMethods[] = {
    {"run", run},
};

}  // namespace

}  // namespace crypto

extern const runtime::Binding crypto_rsa;
const runtime::Binding crypto_rsa{"crypto_rsa", crypto::kMethods, crypto::add_constants};

}  // namespace rondo::bindings
